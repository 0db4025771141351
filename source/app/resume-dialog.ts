/** The resume sheet: the ways to go that it offers, and what its keys do. Pure. */
import {joinWords, splitWords} from '../resume/words.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {AgentPlan, ResumeChoice, ResumeSheet} from './backend.js';
import {type DialogKey, dialogMoved, typed} from './dialog-fields.js';
import type {Dialog} from './dialog-state.js';
import {shortPath} from './format.js';
import {openHandOver, openResume, request} from './requests.js';
import type {AppState, Request} from './state.js';
import {type Field, fieldOf} from './text-edit.js';

export type ResumeDialog = Extract<Dialog, {kind: 'resume'}>;

/** One way to go: a line of the sheet, and a key. */
export interface SheetRow {
	/** Names the row, too. */
	readonly chord: string;
	readonly label: string;
	/** Why it is offered, or what it would use. */
	readonly detail?: string;
	/** The state after it was chosen. */
	readonly act: (state: AppState) => AppState;
}

type Place = Extract<Request, {type: 'run'}>['place'];
type RowsOf = (state: AppState, dialog: ResumeDialog) => readonly SheetRow[];

const close = (state: AppState): AppState => ({...state, dialog: null});

/** Another choice: the sheet stays as it is until the new one is there. */
const chosen = (dialog: ResumeDialog, change: Partial<ResumeChoice>): ResumeDialog => ({
	...dialog,
	choice: {...dialog.choice, ...change},
	selected: null,
	field: null,
	isStale: true,
});

const started = (dialog: ResumeDialog, plan: AgentPlan, place: Place) => (state: AppState) =>
	request(
		close(state),
		state.settings.isPrint
			? {type: 'quit', print: dialog.sheet?.command ?? ''}
			: {type: 'run', plan, place, notice: dialog.sheet?.command ?? ''},
	);

const startRows: RowsOf = ({settings}, dialog) => {
	const plan = dialog.sheet?.plan;
	if (!plan) return [];
	if (settings.isPrint)
		return [
			{
				chord: 'enter',
				label: 'put the command on the command line',
				act: started(dialog, plan, 'here'),
			},
		];
	const here = dialog.choice.isFork ? 'start the fork here' : 'start here';
	const inTmux: readonly SheetRow[] = [
		{chord: 'w', label: 'in a new tmux window', act: started(dialog, plan, 'window')},
		{chord: 's', label: 'in half of this tmux pane', act: started(dialog, plan, 'split')},
	];
	return [
		{chord: 'enter', label: here, act: started(dialog, plan, 'here')},
		...(settings.isInsideTmux ? inTmux : []),
	];
};

const directoryRows: RowsOf = ({settings}, dialog) =>
	(dialog.sheet?.directories ?? []).slice(0, 9).map(({path, why}, index) => ({
		chord: String(index + 1),
		label: `in ${sanitizeLine(shortPath(path, settings.home))}`,
		detail: why,
		act: state => ({...state, dialog: chosen(dialog, {directory: path})}),
	}));

const typedDirectoryRow: RowsOf = (_, dialog) =>
	(dialog.sheet?.argv ?? []).length === 0
		? []
		: [
				{
					chord: 'd',
					label: 'in another directory…',
					act: state => ({
						...state,
						dialog: {...dialog, field: directoryField(dialog.choice.directory ?? '~/')},
					}),
				},
			];

const directoryField = (text: string): ResumeDialog['field'] => ({
	what: 'directory',
	field: fieldOf(text),
	names: [],
	problem: null,
});

const remedies: Readonly<Record<string, RowsOf>> = {
	restore: (_, {session}) => [
		{
			chord: 'R',
			label: 'put the transcript back',
			detail: 'from our copy',
			act: state => request(state, {type: 'restore', session: session.ref}),
		},
	],
	parent: (_, {sheet}) =>
		sheet?.parent
			? [
					{
						chord: 'p',
						label: 'the session that started it',
						detail: sanitizeLine(sheet.parent.title),
						act: state => (sheet.parent ? openResume(state, sheet.parent) : state),
					},
				]
			: [],
};

const remedyRows: RowsOf = (state, dialog) =>
	remedies[dialog.sheet?.remedy ?? '']?.(state, dialog) ?? [];

/** Fork, arguments, permission: what changes the command. */
const commandRows: RowsOf = (_, dialog) => {
	const {sheet, choice} = dialog;
	if (!sheet || sheet.argv.length === 0) return [];
	const {isFork, isUnattended, words} = choice;
	const set = (change: Partial<ResumeChoice>) => (state: AppState) => ({
		...state,
		dialog: chosen(dialog, change),
	});
	const fork: SheetRow = {
		chord: 'F',
		label: isFork ? 'the session itself' : 'as a fork',
		detail: isFork ? 'no fork' : 'a new session from this one',
		act: set({isFork: !isFork}),
	};
	const unattended: SheetRow = {
		chord: '!',
		label: isUnattended ? 'ask for permission again' : 'without asking for permission',
		detail: sheet.unattendedFlags.join(' '),
		act: set({isUnattended: !isUnattended}),
	};
	return [
		...(sheet.canFork ? [fork] : []),
		{
			chord: 'e',
			label: 'further arguments…',
			...(words.length > 0 ? {detail: joinWords(words)} : {}),
			act: state => ({
				...state,
				dialog: {
					...dialog,
					field: {
						what: 'arguments',
						field: fieldOf(joinWords(words)),
						names: [],
						problem: null,
					},
				},
			}),
		},
		...(sheet.unattendedFlags.length > 0 ? [unattended] : []),
	];
};

const handOverRow: RowsOf = (_, dialog) => [
	{
		chord: 'h',
		label: 'hand over to another agent…',
		act: state => openHandOver(state, dialog.session, dialog),
	},
];

/** What copying gives: the command, or the one that helps. */
const copyRow: RowsOf = (_, {sheet}) => {
	const text = sheet?.command || (sheet?.hint ?? '');
	const label = sheet?.command ? 'copy the command' : 'copy the command that helps';
	return text === ''
		? []
		: [
				{
					chord: 'y',
					label: sheet?.isDirectoryMissing ? 'copy the command only' : label,
					act: state =>
						request(close(state), {type: 'copy', text, what: 'command', isAsItIs: true}),
				},
			];
};

const inOrder = [startRows, remedyRows, commandRows, typedDirectoryRow, handOverRow, copyRow];
/** Where else comes first then, and what can be done without any other place. */
const withoutDirectory = [directoryRows, typedDirectoryRow, copyRow, handOverRow, commandRows];
/** Neither a fork nor another place helps against a program that is not there. */
const withoutProgram = [remedyRows, handOverRow, copyRow, commandRows, typedDirectoryRow];

const orderFor = ({isDirectoryMissing, program, argv}: ResumeSheet): readonly RowsOf[] => {
	if (isDirectoryMissing) return withoutDirectory;
	return program === null && argv.length > 0 ? withoutProgram : inOrder;
};

/** The ways to go, the most likely one first. */
export const sheetRows: RowsOf = (state, dialog) => {
	if (dialog.sheet === null) return [];
	return orderFor(dialog.sheet).flatMap(rows => rows(state, dialog));
};

/** The one that Enter takes. */
export const selectedRow = (
	rows: readonly SheetRow[],
	{selected}: Pick<ResumeDialog, 'selected'>,
): number =>
	Math.max(
		0,
		rows.findIndex(({chord}) => chord === selected),
	);

const withField = (
	state: AppState,
	dialog: ResumeDialog,
	change: Partial<NonNullable<ResumeDialog['field']>>,
): AppState =>
	dialog.field === null
		? state
		: {...state, dialog: {...dialog, field: {...dialog.field, problem: null, ...change}}};

const accepted = (
	state: AppState,
	dialog: ResumeDialog,
	{what, text}: {readonly what: 'directory' | 'arguments'; readonly text: string},
): AppState => {
	if (what === 'directory') {
		const directory = text.trim() === '' ? null : text.trim();
		return {...state, dialog: chosen(dialog, {directory})};
	}
	const words = splitWords(text);
	return words === null
		? withField(state, dialog, {problem: 'a quote is not closed'})
		: {...state, dialog: chosen(dialog, {words})};
};

const inField = (state: AppState, dialog: ResumeDialog, key: DialogKey): AppState => {
	if (dialog.field === null) return state;
	const {what, field} = dialog.field;
	if (key.chord === 'enter') return accepted(state, dialog, {what, text: field.text});
	if (key.chord === 'tab' && what === 'directory')
		return request(state, {type: 'complete-directory', text: field.text});
	const edited: Field | undefined = typed(field, key);
	return edited ? withField(state, dialog, {field: edited, names: []}) : state;
};

const arrows: Readonly<Record<string, string>> = {j: 'down', k: 'up'};

/** Keys of the sheet. While another one is on its way they wait for it: they mean what it will show. */
export const inResume = (state: AppState, dialog: ResumeDialog, key: DialogKey): AppState => {
	if (dialog.field !== null) return inField(state, dialog, key);
	const {chord} = key;
	if (chord === 'q') return close(state);
	if (dialog.isStale)
		return {...state, dialog: {...dialog, waiting: [...dialog.waiting, key.event]}};
	const rows = sheetRows(state, dialog);
	const index = selectedRow(rows, dialog);
	if (chord === 'enter') return rows[index]?.act(state) ?? state;
	const pressed = rows.find(row => row.chord === chord);
	if (pressed) return pressed.act(state);
	const to = dialogMoved(index, arrows[chord] ?? chord, rows.length);
	const row = to === undefined ? undefined : rows[to];
	return row ? {...state, dialog: {...dialog, selected: row.chord}} : state;
};

/** Escape takes back one thing: what is being typed, the directory that was chosen, then the sheet. */
export const escapeResume = (state: AppState, dialog: ResumeDialog): AppState => {
	if (dialog.field !== null) return {...state, dialog: {...dialog, field: null}};
	return dialog.choice.directory === null
		? close(state)
		: {...state, dialog: chosen(dialog, {directory: null})};
};
