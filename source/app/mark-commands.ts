/** What a person says of sessions: stars, titles, tags, notes; and choosing several rows to act upon. */
import type {MarkChange} from '../../store/marks-file.js';
import type {SessionRef, SessionView} from '../../store/types.js';
import {counted} from './format.js';
import {notice, request} from './requests.js';
import {currentSession, listItems, selectedItem} from './selectors.js';
import type {AppState, Dialog} from './state.js';
import {fieldOf} from './text-edit.js';

type Command = (state: AppState) => AppState;
type MarkDialog = Extract<Dialog, {kind: 'mark'}>;

/** The chosen rows, else the one that is selected or read. */
export const targetsOf = (state: AppState): readonly SessionView[] => {
	const {marked} = state.list;
	if (state.screen === 'list' && marked.size > 0)
		return listItems(state.list)
			.map(({session}) => session)
			.filter(({ref}) => marked.has(ref));
	const session = currentSession(state);
	return session ? [session] : [];
};

const withMarked = (state: AppState, marked: ReadonlySet<SessionRef>): AppState => ({
	...state,
	list: {...state.list, marked},
});

/** Chooses the row, or takes it out again; the caller goes on to the next one. */
export const toggleMarked: Command = state => {
	const item = selectedItem(state);
	if (!item) return state;
	const marked = new Set(state.list.marked);
	if (!marked.delete(item.session.ref)) marked.add(item.session.ref);
	return withMarked(state, marked);
};

export const markAll: Command = state =>
	withMarked(state, new Set(state.list.rows.map(({session}) => session.ref)));

export const clearMarked: Command = state => withMarked(state, new Set());

const change = (
	state: AppState,
	sessions: readonly SessionView[],
	done: {readonly change: MarkChange; readonly said: string},
): AppState =>
	request(state, {
		type: 'mark',
		sessions: sessions.map(({ref}) => ref),
		change: done.change,
		said:
			sessions.length === 1 ? done.said : `${done.said} · ${counted(sessions.length, 'session')}`,
	});

/** Stars all of them, or takes the stars away where all have one. */
export const toggleStar: Command = state => {
	const sessions = targetsOf(state);
	if (sessions.length === 0) return state;
	const starred = sessions.some(session => !session.starred);
	return change(state, sessions, {
		change: {starred},
		said: starred ? 'starred' : 'star taken away',
	});
};

const begun: Readonly<Record<MarkDialog['what'], (session: SessionView) => string>> = {
	title: ({title}) => title,
	tags: ({tags}) => tags.join(' '),
	note: ({note}) => note ?? '',
};

export const openMark =
	(what: MarkDialog['what']): Command =>
	state => {
		const sessions = targetsOf(state);
		const [first] = sessions;
		if (!first) return state;
		if (what === 'title' && sessions.length > 1)
			return notice(state, 'a title belongs to one session: choose one');
		const text = sessions.length === 1 ? begun[what](first) : '';
		return {...state, dialog: {kind: 'mark', what, sessions, field: fieldOf(text)}};
	};

const tagsOf = (text: string): readonly string[] => [
	...new Set(text.split(/[\s,]+/).map(tag => tag.replace(/^#/, ''))),
];

const changes: Readonly<
	Record<MarkDialog['what'], (text: string, sessions: readonly SessionView[]) => MarkChange>
> = {
	title: text => ({title: text === '' ? null : text}),
	note: text => ({note: text === '' ? null : text}),
	tags: (text, sessions) => {
		const wanted = tagsOf(text).filter(tag => tag !== '');
		const [only] = sessions;
		// Of one session the whole list was edited, several are given further tags.
		const removeTags =
			sessions.length === 1 ? (only?.tags ?? []).filter(tag => !wanted.includes(tag)) : [];
		return {addTags: wanted, removeTags};
	},
};

const said: Readonly<Record<MarkDialog['what'], readonly [set: string, gone: string]>> = {
	title: ['renamed', 'own title taken away'],
	tags: ['tagged', 'tags taken away'],
	note: ['noted', 'note taken away'],
};

/** Enter in the dialog. An empty text takes back what was said. */
export const confirmMark = (state: AppState, {what, sessions, field}: MarkDialog): AppState => {
	const text = field.text.trim();
	return change({...state, dialog: null}, sessions, {
		change: changes[what](text, sessions),
		said: said[what][text === '' ? 1 : 0],
	});
};
