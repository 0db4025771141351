import type {ResumeCheck, ResumeSheet as Sheet} from '../app/backend.js';
import {shortPath} from '../app/format.js';
import {agentLabel} from '../app/selectors.js';
import type {AppState, Dialog as DialogState} from '../app/state.js';
import {Dialog, DialogLines} from '../components/dialog.js';
import type {Hint} from '../components/hint-line.js';
import {useTheme} from '../hooks/use-theme.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Line, StyleName} from '../terminal/spans.js';
import type {Theme} from '../terminal/theme.js';
import {pad, wrap} from '../terminal/width.js';

type ResumeDialog = Extract<DialogState, {kind: 'resume'}>;

const marks = {ok: 'ok', warning: 'warning', bad: 'deleted', info: null} as const;
const styles: Readonly<Record<ResumeCheck['state'], StyleName>> = {
	ok: 'success',
	warning: 'warning',
	bad: 'error',
	info: 'dim',
};
const labelColumns = 16;

const checkLines = (check: ResumeCheck, state: AppState, theme: Theme): readonly Line[] => {
	const symbol = marks[check.state];
	const {columns} = state.size;
	const text = sanitizeLine(check.text).replaceAll(`${state.settings.home}/`, '~/');
	return wrap(text, Math.max(8, columns - labelColumns - 6)).map(
		(row, index): Line => [
			{text: '   '},
			{text: pad(index === 0 ? check.label : '', labelColumns), style: 'dim'},
			{text: index === 0 && symbol ? `${theme.symbol(symbol)} ` : '  ', style: styles[check.state]},
			{text: row},
		],
	);
};

const sheetLines = (sheet: Sheet, state: AppState, theme: Theme): readonly Line[] => {
	const {columns} = state.size;
	const text = (words: string, style?: StyleName): readonly Line[] =>
		wrap(sanitizeLine(words), Math.max(8, columns - 6)).map(row => [
			{text: '   '},
			style === undefined ? {text: row} : {text: row, style},
		]);
	const env = Object.entries(sheet.env).map(([name, value]) => `${name}=${value}`);
	const choices = sheet.directories
		.slice(0, 9)
		.map(
			(directory, index): Line => [
				{text: '   '},
				{text: String(index + 1), style: 'key'},
				{text: ` instead in ${sanitizeLine(shortPath(directory, state.settings.home))}`},
			],
		);
	return [
		...text(sheet.title, 'dim'),
		[],
		...(sheet.reason === null
			? text([...env, ...sheet.argv].join(' '), 'strong')
			: text(sheet.reason, 'warning')),
		...(sheet.hint === null ? [] : text(sheet.hint)),
		...sheet.checks.slice(0, 1).flatMap(check => checkLines(check, state, theme)),
		...choices,
		...sheet.checks.slice(1).flatMap(check => checkLines(check, state, theme)),
	];
};

const hintsFor = ({sheet, isFork}: ResumeDialog, isInsideTmux: boolean): readonly Hint[] => [
	...(sheet?.plan ? [{chord: 'enter', label: isFork ? 'start the fork' : 'start here'}] : []),
	...(sheet?.plan && isInsideTmux
		? [
				{chord: 'w', label: 'tmux window'},
				{chord: 's', label: 'split'},
			]
		: []),
	...(sheet?.canFork ? [{chord: 'F', label: isFork ? 'not as a fork' : 'as a fork'}] : []),
	...(sheet?.command ? [{chord: 'y', label: 'copy'}] : []),
	{chord: 'h', label: 'another agent'},
	{chord: 'escape', label: 'back'},
];

/** What would run, where, and whether that will work. Nothing starts before Enter. */
export const ResumeSheet = ({
	state,
	dialog,
}: {
	readonly state: AppState;
	readonly dialog: ResumeDialog;
}) => {
	const theme = useTheme();
	const {sheet, session, isFork} = dialog;
	const label = agentLabel(state, session.agent);
	return (
		<Dialog
			title={isFork ? `Fork with ${label}` : `Resume with ${label}`}
			size={state.size}
			hints={hintsFor(dialog, state.settings.isInsideTmux)}
		>
			<DialogLines
				lines={sheet === null ? [] : sheetLines(sheet, state, theme)}
				size={state.size}
			/>
		</Dialog>
	);
};
