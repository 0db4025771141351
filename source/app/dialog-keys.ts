/** Keys while a dialog is open: it takes them all. */
import type {ExportChoice} from './backend.js';
import {commands} from './commands.js';
import {detailLines} from './detail-lines.js';
import {type DialogKey, dialogMoved, scrolled, typed} from './dialog-fields.js';
import {facetEntries, fileEntries, outlineEntries, paletteEntries} from './dialog-items.js';
import {facetNames, facetToken, withChosen} from './facet-query.js';
import {inHandOver} from './hand-over-dialog.js';
import {helpLines} from './help-lines.js';
import {openFacet} from './list-commands.js';
import {confirmMark} from './mark-commands.js';
import {setQuery} from './query-edits.js';
import {jumpTo, openSession} from './reader-commands.js';
import {openStats, request} from './requests.js';
import {escapeResume, inResume} from './resume-dialog.js';
import {dialogRows, statsLook} from './selectors.js';
import {sourceLines} from './source-lines.js';
import {type AppState, type Dialog, type Request, statsRanges} from './state.js';
import {statsLines} from './stats-lines.js';
import {fieldOf} from './text-edit.js';

type DialogOf<K extends Dialog['kind']> = Extract<Dialog, {kind: K}>;
type Handler<D> = (state: AppState, dialog: D, key: DialogKey) => AppState;

const close = (state: AppState): AppState => ({...state, dialog: null});

const inPalette: Handler<DialogOf<'palette'>> = (state, dialog, key) => {
	const entries = paletteEntries(state, dialog.field.text);
	if (key.chord === 'enter') {
		const entry = entries[dialog.selected];
		return entry ? commands[entry.id](close(state)) : state;
	}
	const selected = dialogMoved(dialog.selected, key.chord, entries.length);
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
	if (value === undefined) return state;
	if (value === null) return {...state, dialog: {...dialog, chosen: [], isSeveral: true}};
	const token = facetToken(value, dialog.values ?? []);
	const others = dialog.chosen.filter(chosen => chosen !== token);
	const chosen = others.length < dialog.chosen.length ? others : [...others, token];
	const selected = Math.min(dialog.selected + 1, entries.length - 1);
	return {...state, dialog: {...dialog, chosen, isSeveral: true, selected}};
};

/** The query with a choice; it takes the place of what the agent key or the here key had chosen. */
const filtered = (
	state: AppState,
	{name}: DialogOf<'facet'>,
	chosen: readonly string[],
): AppState => {
	const isChosen = chosen.length > 0;
	const next = {
		...close(state),
		isHere: state.isHere && !(name === 'project' && isChosen),
		agent: name === 'agent' && isChosen ? null : state.agent,
	};
	return setQuery(next, fieldOf(withChosen(state.query.text, name, chosen)));
};

const inFacet: Handler<DialogOf<'facet'>> = (state, dialog, key) => {
	const entries = facetEntries(dialog);
	if (key.chord === 'enter') {
		if (dialog.isSeveral) return filtered(state, dialog, dialog.chosen);
		const value = entries[dialog.selected];
		if (value === undefined) return state;
		return filtered(state, dialog, value === null ? [] : [facetToken(value, dialog.values ?? [])]);
	}
	if (key.chord === 'tab' || key.chord === 'ctrl+space') return toggled(state, dialog, entries);
	if (key.chord === 'ctrl+f') {
		const next = dialog.isSeveral ? filtered(state, dialog, dialog.chosen) : state;
		return openFacet(next, after(facetNames, dialog.name, 1));
	}
	const selected = dialogMoved(dialog.selected, key.chord, entries.length);
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
	const selected = dialogMoved(dialog.selected, chord, dialog.sessions.length);
	return selected === undefined ? state : {...state, dialog: {...dialog, selected}};
};

const inOutline: Handler<DialogOf<'outline'>> = (state, dialog, key) => {
	const entries = outlineEntries(state, dialog);
	if (key.chord === 'enter') {
		const entry = entries[dialog.selected];
		return entry ? jumpTo(close(state), entry.index) : state;
	}
	const selected = dialogMoved(dialog.selected, key.chord, entries.length);
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
	const selected = dialogMoved(dialog.selected, key.chord, entries.length);
	if (selected !== undefined) return {...state, dialog: {...dialog, selected}};
	const field = typed(dialog.field, key);
	return field ? {...state, dialog: {...dialog, field, selected: 0}} : state;
};

const inImport: Handler<DialogOf<'import'>> = (state, dialog, key) => {
	const path = dialog.field.text.trim();
	if (key.chord === 'enter') return path === '' ? state : request(state, {type: 'import', path});
	const field = typed(dialog.field, key);
	return field ? {...state, dialog: {...dialog, field, problem: null}} : state;
};

const inForget: Handler<DialogOf<'forget'>> = (state, dialog, {chord}) => {
	if (chord === 'y')
		return request(close(state), {
			type: 'forget',
			sessions: dialog.sessions.map(({ref}) => ref),
		});
	return chord === 'n' || chord === 'q' ? close(state) : state;
};

/** Lines of the export dialog; each but the path is changed by Left, Right and Space. */
export const exportLines = ['format', 'tools', 'reasoning', 'path'] as const;

const changes: Readonly<Record<string, (choice: ExportChoice, step: number) => ExportChoice>> = {
	format: (choice, step) => ({
		...choice,
		format: after(['markdown', 'json', 'archive'] as const, choice.format, step),
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
	if (key.chord === 'ctrl+r')
		return request(
			{...state, dialog: {kind: 'secrets', secrets: null, top: 0, back: dialog}},
			{
				type: 'secrets',
				sessions: [dialog.session, ...dialog.others].map(({ref}) => ref),
				choice: dialog.choice,
			},
		);
	if (key.chord === 'enter')
		return dialog.path === null || dialog.path.text.trim() === ''
			? state
			: request(state, exportRequest(dialog, dialog.path.text.trim()));
	const focus = dialogMoved(dialog.focus, key.chord, exportLines.length);
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

const inSecrets: Handler<DialogOf<'secrets'>> = (state, dialog, {chord}) => {
	const rows = dialogRows(state.size, false);
	const top = scrolled(dialog.top, chord, {rows, lines: dialog.secrets?.length ?? 0});
	if (top !== undefined) return {...state, dialog: {...dialog, top}};
	return ['q', 'enter', 'ctrl+r'].includes(chord) ? {...state, dialog: dialog.back} : state;
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
	import: inImport,
	forget: inForget,
	'hand-over': inHandOver,
	resume: inResume,
	export: inExport,
	secrets: inSecrets,
	children: inChildren,
	details: inDetails,
	sources: inSources,
	stats: inStats,
	outline: inOutline,
	files: inFiles,
};

/** Escape closes every dialog, or takes one step back in it. */
const escaped = (state: AppState, dialog: Dialog): AppState => {
	if (dialog.kind === 'resume') return escapeResume(state, dialog);
	return 'back' in dialog ? {...state, dialog: dialog.back} : close(state);
};

/** Ctrl-C still leaves. */
export const dialogKey = (state: AppState, dialog: Dialog, key: DialogKey): AppState => {
	if (key.chord === 'escape') return escaped(state, dialog);
	if (key.chord === 'ctrl+c') return request(state, {type: 'quit'});
	const handler = handlers[dialog.kind] as Handler<Dialog>;
	return handler(state, dialog, key);
};
