/** Keys while a dialog is open: it takes them all. */
import type {KeyEvent} from '../terminal/input.js';
import type {ExportChoice} from './backend.js';
import {commands} from './commands.js';
import {detailLines} from './detail-lines.js';
import {facetEntries, fileEntries, outlineEntries, paletteEntries} from './dialog-items.js';
import {facetNames, facetToken, withChosen} from './facet-query.js';
import {helpLines} from './help-lines.js';
import {openFacet} from './list-commands.js';
import {confirmMark} from './mark-commands.js';
import {setQuery} from './query-edits.js';
import {jumpTo, openSession} from './reader-commands.js';
import {openHandOver, openStats, request} from './requests.js';
import {dialogRows, statsLook} from './selectors.js';
import {sourceLines} from './source-lines.js';
import {type AppState, type Dialog, type Request, statsRanges} from './state.js';
import {statsLines} from './stats-lines.js';
import {editField, type Field, fieldOf, insertText} from './text-edit.js';

interface Key {
	readonly chord: string;
	readonly event: KeyEvent;
}

type DialogOf<K extends Dialog['kind']> = Extract<Dialog, {kind: K}>;
type Handler<D> = (state: AppState, dialog: D, key: Key) => AppState;

const close = (state: AppState): AppState => ({...state, dialog: null});

/** The field with what a key writes or edits; undefined when the key is none of a field. */
export const typed = (field: Field, {chord, event}: Key): Field | undefined => {
	if (event.kind === 'paste') return insertText(field, event.text);
	const edited = editField(field, chord);
	if (edited) return edited;
	return event.text !== '' && !event.ctrl && !event.alt ? insertText(field, event.text) : undefined;
};

const steps: Readonly<Record<string, number>> = {
	up: -1,
	'ctrl+p': -1,
	'shift+tab': -1,
	down: 1,
	'ctrl+n': 1,
	tab: 1,
	pageup: -10,
	pagedown: 10,
	home: -Infinity,
	end: Infinity,
};

/** Moves in a list that the keys of text fields may stand beside. */
const moved = (selected: number, chord: string, length: number): number | undefined => {
	const step = steps[chord];
	return step === undefined ? undefined : Math.max(0, Math.min(length - 1, selected + step));
};

const inPalette: Handler<DialogOf<'palette'>> = (state, dialog, key) => {
	const entries = paletteEntries(state, dialog.field.text);
	if (key.chord === 'enter') {
		const entry = entries[dialog.selected];
		return entry ? commands[entry.id](close(state)) : state;
	}
	const selected = moved(dialog.selected, key.chord, entries.length);
	if (selected !== undefined) return {...state, dialog: {...dialog, selected}};
	const field = typed(dialog.field, key);
	return field ? {...state, dialog: {...dialog, field, selected: 0}} : state;
};

const after = <T>(values: readonly T[], value: T, step: number): T =>
	values[(values.indexOf(value) + step + values.length) % values.length] ?? value;

/** Chooses the value or takes it out again, and goes on to the next one. */
const toggled = (
	state: AppState,
	dialog: DialogOf<'facet'>,
	entries: ReturnType<typeof facetEntries>,
): AppState => {
	const value = entries[dialog.selected];
	if (!value) return {...state, dialog: {...dialog, chosen: []}};
	const token = facetToken(value, dialog.values ?? []);
	const others = dialog.chosen.filter(chosen => chosen !== token);
	const chosen = others.length < dialog.chosen.length ? others : [...others, token];
	const selected = Math.min(dialog.selected + 1, entries.length - 1);
	return {...state, dialog: {...dialog, chosen, selected}};
};

const inFacet: Handler<DialogOf<'facet'>> = (state, dialog, key) => {
	const entries = facetEntries(dialog);
	if (key.chord === 'enter') {
		const value = entries[dialog.selected];
		if (value === undefined) return state;
		const picked = value === null ? [] : [facetToken(value, dialog.values ?? [])];
		const several = value === null ? [] : dialog.chosen;
		const chosen = several.length > 0 ? several : picked;
		const text = withChosen(state.query.text, dialog.name, chosen);
		const isHere = dialog.name === 'project' && chosen.length > 0 ? false : state.isHere;
		return setQuery({...close(state), isHere}, fieldOf(text));
	}
	if (key.chord === 'tab' || key.chord === 'ctrl+space') return toggled(state, dialog, entries);
	if (key.chord === 'ctrl+f') return openFacet(state, after(facetNames, dialog.name, 1));
	const selected = moved(dialog.selected, key.chord, entries.length);
	if (selected !== undefined) return {...state, dialog: {...dialog, selected}};
	const field = typed(dialog.field, key);
	return field ? {...state, dialog: {...dialog, field, selected: 0}} : state;
};

const inMark: Handler<DialogOf<'mark'>> = (state, dialog, key) => {
	if (key.chord === 'enter') return confirmMark(state, dialog);
	const field = typed(dialog.field, key);
	return field ? {...state, dialog: {...dialog, field}} : state;
};

const inChildren: Handler<DialogOf<'children'>> = (state, dialog, key) => {
	const child = dialog.sessions[dialog.selected];
	if (key.chord === 'enter' || key.chord === 'c')
		return child ? openSession(close(state), child.ref) : state;
	const arrows: Readonly<Record<string, string>> = {j: 'down', k: 'up', q: 'escape'};
	const chord = arrows[key.chord] ?? key.chord;
	if (chord === 'escape') return close(state);
	const selected = moved(dialog.selected, chord, dialog.sessions.length);
	return selected === undefined ? state : {...state, dialog: {...dialog, selected}};
};

const inOutline: Handler<DialogOf<'outline'>> = (state, dialog, key) => {
	const entries = outlineEntries(state, dialog);
	if (key.chord === 'enter') {
		const entry = entries[dialog.selected];
		return entry ? jumpTo(close(state), entry.index) : state;
	}
	const selected = moved(dialog.selected, key.chord, entries.length);
	if (selected !== undefined) return {...state, dialog: {...dialog, selected}};
	const field = typed(dialog.field, key);
	return field ? {...state, dialog: {...dialog, field, selected: 0}} : state;
};

const inFiles: Handler<DialogOf<'files'>> = (state, dialog, key) => {
	const entries = fileEntries(dialog);
	if (key.chord === 'enter') {
		const entry = entries[dialog.selected];
		return entry ? jumpTo(close(state), entry.index, 'open') : state;
	}
	const selected = moved(dialog.selected, key.chord, entries.length);
	if (selected !== undefined) return {...state, dialog: {...dialog, selected}};
	const field = typed(dialog.field, key);
	return field ? {...state, dialog: {...dialog, field, selected: 0}} : state;
};

const inForget: Handler<DialogOf<'forget'>> = (state, dialog, {chord}) => {
	if (chord === 'y')
		return request(close(state), {
			type: 'forget',
			sessions: dialog.sessions.map(({ref}) => ref),
		});
	return chord === 'n' || chord === 'q' ? close(state) : state;
};

const asked = (dialog: DialogOf<'resume'>, change: Partial<DialogOf<'resume'>>) => ({
	...dialog,
	...change,
	sheet: null,
});

/** Where the agent is started; the other places are tmux's. */
const placeFor = (
	{settings}: AppState,
	chord: string,
): Extract<Request, {type: 'run'}>['place'] | undefined => {
	if (chord === 'enter') return 'here';
	if (!settings.isInsideTmux) return undefined;
	return ({w: 'window', s: 'split'} as const)[chord as 'w' | 's'];
};

const inHandOver: Handler<DialogOf<'hand-over'>> = (state, dialog, {chord}) => {
	const {takers, record, session} = dialog;
	if (chord === 'q') return close(state);
	if (chord === 'enter') {
		const taker = takers?.[dialog.selected];
		return taker && record
			? request(close(state), {type: 'hand-over', session, agent: taker.id, record: record.text})
			: state;
	}
	const arrows: Readonly<Record<string, string>> = {j: 'down', k: 'up'};
	const selected = moved(dialog.selected, arrows[chord] ?? chord, takers?.length ?? 0);
	return selected === undefined ? state : {...state, dialog: {...dialog, selected}};
};

const inResume: Handler<DialogOf<'resume'>> = (state, dialog, {chord}) => {
	const {sheet} = dialog;
	if (chord === 'q') return close(state);
	if (sheet === null) return state;
	const place = placeFor(state, chord);
	if (place !== undefined)
		return sheet.plan ? request(close(state), {type: 'run', sheet, place}) : state;
	if (chord === 'h') return openHandOver(state, dialog.session);
	if (chord === 'y')
		return sheet.command === ''
			? state
			: request(close(state), {type: 'copy', text: sheet.command, what: 'command'});
	if (chord === 'F' && sheet.canFork)
		return {...state, dialog: asked(dialog, {isFork: !dialog.isFork})};
	const directory = /^[1-9]$/.test(chord) ? sheet.directories[Number(chord) - 1] : undefined;
	return directory === undefined ? state : {...state, dialog: asked(dialog, {directory})};
};

/** Lines of the export dialog; each but the path is changed by Left, Right and Space. */
export const exportLines = ['format', 'tools', 'reasoning', 'path'] as const;

const changes: Readonly<Record<string, (choice: ExportChoice, step: number) => ExportChoice>> = {
	format: (choice, step) => ({
		...choice,
		format: after(['markdown', 'json'] as const, choice.format, step),
	}),
	tools: (choice, step) => ({
		...choice,
		tools: after(['none', 'short', 'full'] as const, choice.tools, step),
	}),
	reasoning: choice => ({...choice, hasReasoning: !choice.hasReasoning}),
};

const exportRequest = ({session, others, choice}: DialogOf<'export'>, path: string): Request =>
	others.length === 0
		? {type: 'export', session: session.ref, choice, path}
		: {
				type: 'export-many',
				sessions: [session, ...others].map(({ref}) => ref),
				choice,
				folder: path,
			};

const inExport: Handler<DialogOf<'export'>> = (state, dialog, key) => {
	const line = exportLines[dialog.focus] ?? 'format';
	if (key.chord === 'enter')
		return dialog.path === null || dialog.path.text.trim() === ''
			? state
			: request(state, exportRequest(dialog, dialog.path.text.trim()));
	const focus = moved(dialog.focus, key.chord, exportLines.length);
	if (focus !== undefined && !['home', 'end'].includes(key.chord))
		return {...state, dialog: {...dialog, focus}};
	if (line === 'path') {
		const path = dialog.path && typed(dialog.path, key);
		if (!path) return state;
		const isOwnPath = dialog.isOwnPath || path.text !== dialog.path?.text;
		return {...state, dialog: {...dialog, path, isOwnPath, problem: null}};
	}
	const step = {left: -1, right: 1, space: 1}[key.chord];
	const change = changes[line];
	if (step === undefined || !change) return state;
	return {...state, dialog: {...dialog, choice: change(dialog.choice, step), problem: null}};
};

/** First row of a text that is longer than the dialog, after a key that scrolls it; undefined for other keys. */
const scrolled = (top: number, chord: string, {rows, lines}: {rows: number; lines: number}) => {
	const page = Math.max(1, rows - 1);
	const by: Readonly<Record<string, number>> = {
		j: 1,
		down: 1,
		k: -1,
		up: -1,
		space: page,
		pagedown: page,
		d: Math.ceil(page / 2),
		b: -page,
		pageup: -page,
		u: -Math.ceil(page / 2),
		g: -lines,
		home: -lines,
		G: lines,
		end: lines,
	};
	const step = by[chord];
	const last = Math.max(0, lines - rows);
	return step === undefined ? undefined : Math.max(0, Math.min(last, Math.min(top, last) + step));
};

const inHelp: Handler<DialogOf<'help'>> = (state, dialog, {chord}) => {
	const rows = dialogRows(state.size, false);
	const top = scrolled(dialog.top, chord, {rows, lines: helpLines(state).length});
	if (top !== undefined) return {...state, dialog: {...dialog, top}};
	return ['q', '?', 'f1', 'enter'].includes(chord) ? close(state) : state;
};

const inDetails: Handler<DialogOf<'details'>> = (state, dialog, {chord}) => {
	const rows = dialogRows(state.size, false);
	const top = scrolled(dialog.top, chord, {rows, lines: detailLines(state, dialog).length});
	if (top !== undefined) return {...state, dialog: {...dialog, top}};
	return ['q', 'i', 'enter'].includes(chord) ? close(state) : state;
};

const inSources: Handler<DialogOf<'sources'>> = (state, dialog, {chord}) => {
	const rows = dialogRows(state.size, false);
	const top = scrolled(dialog.top, chord, {rows, lines: sourceLines(state, dialog).length});
	if (top !== undefined) return {...state, dialog: {...dialog, top}};
	return ['q', 'enter', 'f3'].includes(chord) ? close(state) : state;
};

const inStats: Handler<DialogOf<'stats'>> = (state, dialog, {chord}) => {
	const step = {tab: 1, right: 1, 'shift+tab': -1, left: -1}[chord];
	if (step !== undefined) return openStats(state, after(statsRanges, dialog.range, step));
	const rows = dialogRows(state.size, false);
	const lines = dialog.stats === null ? 0 : statsLines(dialog.stats, statsLook(state)).length;
	const top = scrolled(dialog.top, chord, {rows, lines});
	if (top !== undefined) return {...state, dialog: {...dialog, top}};
	return ['q', 'enter', 'f4'].includes(chord) ? close(state) : state;
};

const handlers: {readonly [K in Dialog['kind']]: Handler<DialogOf<K>>} = {
	help: inHelp,
	palette: inPalette,
	facet: inFacet,
	mark: inMark,
	forget: inForget,
	'hand-over': inHandOver,
	resume: inResume,
	export: inExport,
	children: inChildren,
	details: inDetails,
	sources: inSources,
	stats: inStats,
	outline: inOutline,
	files: inFiles,
};

/** Escape closes every dialog, Ctrl-C still leaves. */
export const dialogKey = (state: AppState, dialog: Dialog, key: Key): AppState => {
	if (key.chord === 'escape') return close(state);
	if (key.chord === 'ctrl+c') return request(state, {type: 'quit'});
	const handler = handlers[dialog.kind] as Handler<Dialog>;
	return handler(state, dialog, key);
};
