/** From a key to a new state: dialog, then text field, then screen, then everywhere. */
import type {CommandId} from '../keymap/bindings.js';
import {matchKey} from '../keymap/match.js';
import {chordOf, type KeyEvent} from '../terminal/input.js';
import {commands} from './commands.js';
import {typed} from './dialog-fields.js';
import {dialogKey} from './dialog-keys.js';
import {setQuery} from './query-edits.js';
import {isListPending, keyContext, modesOf} from './selectors.js';
import type {AppState, FindState} from './state.js';

interface Key {
	readonly chord: string;
	readonly event: KeyEvent;
}

/** The find line of the reader: Enter looks, Escape takes it back. */
const findKey = (state: AppState, key: Key): AppState => {
	const {reader} = state;
	if (!reader?.findField) return state;
	if (key.chord === 'escape') return {...state, reader: {...reader, findField: null}};
	if (key.chord === 'ctrl+c') return commands['app.quit'](state);
	if (key.chord === 'enter') {
		const query = reader.findField.text;
		const find: FindState | null =
			query.trim() === ''
				? null
				: {query, matches: null, current: null, owedSteps: 0, isTyped: true, start: null};
		return {...state, reader: {...reader, findField: null, find}};
	}
	const findField = typed(reader.findField, key);
	return findField ? {...state, reader: {...reader, findField}} : state;
};

/** Chords that the query takes before the table is asked; the ends of the query give Left and Right to the list. */
const isForQuery = (state: AppState, chord: string): boolean => {
	const context = keyContext(state);
	if (chord === 'right') return !(context.isCursorAtEnd && context.canUnfold);
	if (chord === 'left') return !(context.isCursorAtEnd && context.canFold);
	if (chord === '?') return !context.isQueryEmpty;
	return true;
};

const queryKey = (state: AppState, key: Key): AppState | undefined => {
	if (!isForQuery(state, key.chord)) return undefined;
	const query = typed(state.query, key);
	return query && setQuery(state, query);
};

/** Commands that act on a row of the list. */
const needsRows: ReadonlySet<CommandId> = new Set<CommandId>([
	'list.open',
	'list.resume',
	'list.export',
	'list.copy-command',
	'list.star',
	'list.rename',
	'list.tag',
	'list.note',
	'list.choose',
	'list.up',
	'list.down',
	'list.page-up',
	'list.page-down',
	'list.first',
	'list.last',
]);

const waitFor = (state: AppState, event: KeyEvent): AppState => ({
	...state,
	list: {...state.list, waiting: [...state.list.waiting, event]},
});

const screenKey = (state: AppState, {chord, event}: Key): AppState => {
	if (event.kind === 'paste') return state;
	const matched = matchKey(state.settings.bindings, {
		modes: modesOf(state),
		chord,
		pending: state.pending,
		context: keyContext(state),
	});
	const settled = {...state, pending: null};
	if (matched.kind === 'command' && isListPending(state) && needsRows.has(matched.id))
		return waitFor(settled, event);
	if (matched.kind === 'pending') return {...settled, pending: matched.chord};
	return matched.kind === 'command' ? commands[matched.id](settled) : settled;
};

/** One key. What was said before is gone with it. */
export const pressKey = (before: AppState, event: KeyEvent): AppState => {
	const state = before.notice === null ? before : {...before, notice: null};
	const key = {event, chord: event.kind === 'paste' ? '' : chordOf(event)};
	if (state.list.waiting.length > 0) {
		// What comes behind a waiting key waits as well; Escape and Ctrl-C take all of it back.
		if (key.chord !== 'escape' && key.chord !== 'ctrl+c') return waitFor(state, event);
		return pressKey({...state, list: {...state.list, waiting: []}}, event);
	}
	if (state.dialog) return dialogKey(state, state.dialog, key);
	if (state.reader?.findField) return findKey(state, key);
	return (state.screen === 'list' ? queryKey(state, key) : undefined) ?? screenKey(state, key);
};
