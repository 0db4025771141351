import type {ResumeCheck, ResumeSheet as Sheet} from '../app/backend.js';
import {type ResumeDialog, selectedRow, sheetRows} from '../app/resume-dialog.js';
import {agentLabel, dialogRows} from '../app/selectors.js';
import type {AppState} from '../app/state.js';
import {Dialog, DialogLines} from '../components/dialog.js';
import type {Hint} from '../components/hint-line.js';
import {TextField} from '../components/text-field.js';
import {useTheme} from '../hooks/use-theme.js';
import {shortChord} from '../keymap/chord.js';
import {joinWords} from '../resume/words.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Line, StyleName} from '../terminal/spans.js';
import type {Theme} from '../terminal/theme.js';
import {cut, cutLine, cutStart, lineWidth, pad, wrap} from '../terminal/width.js';

const marks = {ok: 'ok', warning: 'warning', bad: 'deleted', info: null} as const;
const styles: Readonly<Record<ResumeCheck['state'], StyleName>> = {
	ok: 'success',
	warning: 'warning',
	bad: 'error',
	info: 'dim',
};
const labelColumns = 16;
/** Narrower than this, only those labels are left that the text would mean nothing without. */
const labelsFrom = 60;
const neededLabels: ReadonlySet<string> = new Set(['last written', 'worked also in']);

/** In a lower terminal a check has one line. */
const wrapsFrom = 14;

interface Look {
	readonly state: AppState;
	readonly theme: Theme;
}

/** A line above the ways to go. What weighs least goes first where there is no room. */
interface Fact {
	readonly line: Line;
	readonly weight: number;
}

const weights = {must: 3, check: 2, about: 1, blank: 0} as const;

const wrapped = (
	text: string,
	{
		columns,
		first,
		style,
	}: {readonly columns: number; readonly first: Line; readonly style?: StyleName},
): readonly Line[] => {
	const indent = lineWidth(first);
	return wrap(text, Math.max(8, columns - indent - 1)).map((row, index) => [
		...(index === 0 ? first : [{text: ' '.repeat(indent)}]),
		style === undefined ? {text: row} : {text: row, style},
	]);
};

const textFacts = (
	words: string,
	{state}: Look,
	{weight, style}: {readonly weight: number; readonly style: StyleName},
): readonly Fact[] =>
	wrapped(sanitizeLine(words), {columns: state.size.columns, first: [{text: '   '}], style}).map(
		line => ({line, weight}),
	);

const checkFacts = (check: ResumeCheck, {state, theme}: Look): readonly Fact[] => {
	const {columns, rows} = state.size;
	const symbol = marks[check.state];
	const isUrgent = check.state === 'warning' || check.state === 'bad';
	const hasLabels = columns >= labelsFrom;
	const isShort = rows < wrapsFrom;
	const isNeeded = !hasLabels && !isShort && neededLabels.has(check.label);
	const said = sanitizeLine(check.text).replaceAll(`${state.settings.home}/`, '~/');
	const text = isNeeded ? `${check.label} ${said}` : said;
	const mark: Line = [
		{text: symbol ? `${theme.symbol(symbol)} ` : '  ', style: styles[check.state]},
	];
	const label: Line = hasLabels ? [{text: pad(check.label, labelColumns), style: 'dim'}] : [];
	const first: Line = [{text: '   '}, ...label, ...mark];
	const room = Math.max(8, columns - lineWidth(first) - 1);
	// Of a directory the end tells most.
	const oneLine = check.label === 'directory' ? cutStart(text, room) : cut(text, room);
	const lines = isShort ? [[...first, {text: oneLine}]] : wrapped(text, {columns, first});
	return lines.map(line => ({line, weight: isUrgent ? weights.must : weights.check}));
};

/** The program by its version, as soon as that is known. */
const withVersion = (check: ResumeCheck, {sheet, version}: ResumeDialog): ResumeCheck =>
	check.label === 'program' && version?.text && version.program === sheet?.program
		? {...check, text: `${version.text} · ${check.text}`}
		: check;

const blank: Fact = {line: [], weight: weights.blank};

const commandText = ({env, argv}: Sheet): string =>
	[
		...Object.entries(env).map(([name, value]) => `${name}=${joinWords([value])}`),
		joinWords(argv),
	].join(' ');

const sheetFacts = (sheet: Sheet, dialog: ResumeDialog, look: Look): readonly Fact[] => [
	...textFacts(sheet.session.title, look, {weight: weights.about, style: 'dim'}),
	blank,
	...(sheet.reason === null
		? textFacts(commandText(sheet), look, {weight: weights.must, style: 'strong'})
		: textFacts(sheet.reason, look, {weight: weights.must, style: 'warning'})),
	...(sheet.hint === null || sheet.remedy !== 'unarchive'
		? []
		: textFacts(sheet.hint, look, {weight: weights.must, style: 'strong'})),
	...sheet.checks.flatMap(check => checkFacts(withVersion(check, dialog), look)),
	blank,
];

/** Those that there is room for: blank lines go first, then what is said about the session, then checks that found nothing. */
const fitting = (facts: readonly Fact[], room: number): readonly Line[] => {
	let kept = facts;
	for (const weight of Object.values(weights).toReversed()) {
		if (kept.length <= room) break;
		kept = weight === weights.must ? kept : kept.filter(fact => fact.weight > weight);
	}
	return kept.slice(0, Math.max(1, room)).map(({line}) => line);
};

/** So many ways to go are in sight in any case. */
const fewestRows = 3;

const rowLines = (dialog: ResumeDialog, room: number, {state, theme}: Look): readonly Line[] => {
	const rows = sheetRows(state, dialog);
	const selected = selectedRow(rows, dialog);
	const first = Math.max(0, Math.min(selected - room + 2, rows.length - room));
	const {columns} = state.size;
	const hidden = rows.length - first - room;
	return rows.slice(first, first + room).map(({chord, label, detail}, offset): Line => {
		const isSelected = first + offset === selected;
		const isLast = offset === room - 1 && hidden > 0;
		const more: Line = isLast ? [{text: ` +${hidden}`, style: 'dim'}] : [];
		const left: Line = [
			{text: ' '},
			{text: isSelected ? theme.symbol('selection') : ' ', style: 'accent'},
			{text: ' '},
			{text: pad(shortChord(chord, theme.isUnicode), 2), style: 'key'},
			{text: ' '},
			isSelected ? {text: label, style: 'selected'} : {text: label},
			...(detail === undefined ? [] : [{text: `  ${detail}`, style: 'dim' as const}]),
		];
		const shown = cutLine(left, columns - lineWidth(more) - 1);
		const gap = columns - 1 - lineWidth(shown) - lineWidth(more);
		return more.length === 0 ? shown : [...shown, {text: ' '.repeat(Math.max(0, gap))}, ...more];
	});
};

const linesOf = (dialog: ResumeDialog, room: number, look: Look): readonly Line[] => {
	const {sheet} = dialog;
	if (sheet === null) return [];
	const facts = sheetFacts(sheet, dialog, look);
	const rows = dialog.field === null ? sheetRows(look.state, dialog).length : 0;
	const fewest = Math.min(rows, Math.max(fewestRows, room - facts.length));
	const above = fitting(facts, room - fewest);
	return [...above, ...rowLines(dialog, rows === 0 ? 0 : room - above.length, look)];
};

const fieldLabels = {directory: 'directory', arguments: 'arguments'} as const;

/** What a directory can be completed to, or what is wrong with what was typed. */
const besideField = ({field}: ResumeDialog, columns: number): Line => {
	if (field?.problem) return [{text: '   '}, {text: field.problem, style: 'error'}];
	const names = (field?.names ?? []).map(name => `${sanitizeLine(name)}/`).join('  ');
	return cutLine([{text: '   '}, {text: names, style: 'dim'}], columns);
};

const hintsFor = (state: AppState, dialog: ResumeDialog): readonly Hint[] => {
	if (dialog.field !== null)
		return [
			{chord: 'enter', label: 'take it'},
			...(dialog.field.what === 'directory' ? [{chord: 'tab', label: 'complete'}] : []),
			{chord: 'escape', label: 'back'},
		];
	const rows = sheetRows(state, dialog);
	const row = rows[selectedRow(rows, dialog)];
	return [
		...(row ? [{chord: 'enter', label: row.label.replace(/…$/, '')}] : []),
		{chord: 'escape', label: 'back'},
		...(rows.length > 1 ? [{chord: 'down', label: 'more ways'}] : []),
	];
};

interface ResumeSheetProps {
	readonly state: AppState;
	readonly dialog: ResumeDialog;
}

/** What would run, where, and whether that will work; below it the ways to go. Nothing starts before Enter. */
export const ResumeSheet = ({state, dialog}: ResumeSheetProps) => {
	const theme = useTheme();
	const {size, notice} = state;
	const {session, choice, field} = dialog;
	const label = agentLabel(state, session.agent);
	const taken = (field === null ? 0 : 2) + (notice === null ? 0 : 1);
	const room = dialogRows(size, false) - taken;
	return (
		<Dialog
			title={`${choice.isFork ? 'Fork' : 'Resume'} with ${label}`}
			size={size}
			hints={hintsFor(state, dialog)}
		>
			<DialogLines lines={linesOf(dialog, room, {state, theme})} size={size} taken={taken} />
			{field === null ? null : (
				<TextField
					label={[
						{text: ' '},
						{text: theme.symbol('selection'), style: 'accent'},
						{text: ` ${fieldLabels[field.what]}  `, style: 'dim'},
					]}
					field={field.field}
					columns={size.columns}
				/>
			)}
			{field === null ? null : (
				<DialogLines lines={[besideField(dialog, size.columns)]} size={size} />
			)}
			{notice === null ? null : (
				<DialogLines
					lines={[
						[
							{text: '   '},
							{text: sanitizeLine(notice.text), style: notice.isProblem ? 'error' : 'accent'},
						],
					]}
					size={size}
				/>
			)}
		</Dialog>
	);
};
