import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {endOfWindow, scrollTo} from '../../../source/app/list-window.js';
import {
	filtersOf,
	listItems,
	listLayout,
	listQuestion,
	listRequest,
	selectedIndex,
	selectedItem,
} from '../../../source/app/selectors.js';
import {beginning, given, listAction, press, row, session} from '../../helpers/app.js';

const rows = (...ids: readonly string[]) => ids.map(id => row(session(id)));
const selected = (state: ReturnType<typeof beginning>) => selectedItem(state)?.session.id;

describe('the selected row', () => {
	test('stays selected when rows come in above it', () => {
		const state = press(given(beginning(), listAction(rows('a', 'b', 'c'))), 'down');
		const next = given(state, listAction(rows('x', 'y', 'a', 'b', 'c')));
		expect(selected(next)).toBe('b');
	});

	test('that was chosen stays selected while the query changes, as long as it is found', () => {
		const chosen = press(given(beginning(), listAction(rows('a', 'b', 'c'))), 'down', 'q');
		expect(selected(given(chosen, listAction(rows('c', 'b'))))).toBe('b');
		expect(selected(given(chosen, listAction(rows('c', 'a'))))).toBe('c');
	});

	test('is the best one for a new question when none was chosen', () => {
		const typed = press(given(beginning(), listAction(rows('a', 'b'))), 'q');
		expect(selected(given(typed, listAction(rows('b', 'a'))))).toBe('b');
	});

	test('is the first one while an empty history fills, until a key is pressed', () => {
		const filling = given(
			beginning(),
			{type: 'sync-started', nowMs: 0},
			listAction(rows('a')),
			listAction(rows('b', 'a')),
		);
		expect(selected(filling)).toBe('b');
		const touched = press(filling, 'up');
		expect(selected(given(touched, listAction(rows('c', 'b', 'a'))))).toBe('b');
	});

	test('is always in sight, whatever is pressed and however the window changes', () => {
		const key = fc.constantFrom('up', 'down', 'pageup', 'pagedown', 'home', 'end');
		const size = fc.record({
			columns: fc.integer({min: 20, max: 140}),
			rows: fc.integer({min: 6, max: 50}),
		});
		const many = Array.from({length: 40}, (_, index) =>
			row(
				session(`s${index}`),
				index % 3 === 0
					? {event: 'e', eventIndex: 1, snippet: 'word', matches: [], more: 0, child: null}
					: null,
			),
		);
		fc.assert(
			fc.property(fc.array(fc.oneof(key, size), {maxLength: 20}), steps => {
				let state = given(press(beginning(), 'w'), listAction(many));
				for (const step of steps)
					state =
						typeof step === 'string'
							? press(state, step)
							: given(state, {type: 'resized', size: step});
				const view = {items: listItems(state.list), layout: listLayout(state)};
				const index = selectedIndex(state.list);
				const top = scrollTo(view, index, state.list.top);
				expect(index).toBeGreaterThanOrEqual(top);
				expect(index).toBeLessThan(endOfWindow(view, top));
			}),
		);
	});
});

describe('typing ahead', () => {
	const listed = given(beginning(), listAction(rows('a', 'b')));

	test('Enter opens what the query finds, not what was there before it', () => {
		const ahead = press(listed, 'x', 'y', 'enter');
		expect(ahead.screen).toBe('list');
		expect(given(ahead, listAction(rows('c'))).reader?.ref).toBe('claude-code:c');
	});

	test('arrows wait as well, in their order, and Escape takes all of it back', () => {
		const ahead = press(listed, 'x', 'down', 'enter');
		expect(given(ahead, listAction(rows('c', 'd'))).reader?.ref).toBe('claude-code:d');
		const back = press(ahead, 'escape');
		expect([back.query.text, back.list.waiting]).toEqual(['', []]);
		expect(given(back, listAction(rows('a', 'b'))).screen).toBe('list');
	});

	test('keys that were pressed before the first rows act on them', () => {
		expect(given(press(beginning(), 'enter'), listAction(rows('a'))).reader?.ref).toBe(
			'claude-code:a',
		);
	});

	test('a question that failed lets go of what waits for it', () => {
		const failed = given(press(listed, 'x', 'enter'), {type: 'list-failed', message: 'no store'});
		expect([failed.list.waiting, failed.notice?.text]).toEqual([[], 'no store']);
	});
});

describe('keys on the sessions screen', () => {
	const listed = given(
		beginning(),
		{
			type: 'overview',
			counts: {sessions: 3, agents: 2, lastSyncMs: 0},
			agents: [
				{value: 'claude-code', label: 'Claude Code', count: 2},
				{value: 'codex', label: 'Codex', count: 1},
			],
			roots: [],
		},
		listAction(rows('a', 'b')),
	);

	test('letters, also those that are keys elsewhere, go to the query', () => {
		expect(press(listed, 'j', 'q', 'space', 'G', '/').query.text).toBe('jq G/');
	});

	test('Tab goes through the agents that have sessions and back to all', () => {
		const agents = [1, 2, 3].map(
			times => press(listed, ...Array.from({length: times}, () => 'tab')).agent,
		);
		expect(agents).toEqual(['claude-code', 'codex', null]);
		expect(press(listed, 'shift+tab').agent).toBe('codex');
	});

	test('Tab completes a filter word that is half typed', () => {
		expect(press(listed, ...'agent:co', 'tab').query.text).toBe('agent:codex ');
		expect(press(listed, ...'is:arch', 'tab').query.text).toBe('is:archived ');
	});

	test('Escape takes back one thing at a time, then leaves', () => {
		const full = press(listed, 'x', 'tab', 'ctrl+g');
		const noQuery = press(full, 'escape');
		expect([noQuery.query.text, noQuery.agent, noQuery.isHere]).toEqual(['', 'claude-code', true]);
		const noFilters = press(noQuery, 'escape');
		expect([noFilters.agent, noFilters.isHere, noFilters.outbox]).toEqual([null, false, []]);
		expect(press(noFilters, 'escape').outbox).toEqual([{type: 'quit'}]);
	});

	test('Ctrl-G searches here and everywhere', () => {
		expect(filtersOf(press(listed, 'ctrl+g')).here).toBe('/home/kim/orchard');
		expect(filtersOf(press(listed, 'ctrl+g', 'ctrl+g')).here).toBeUndefined();
	});

	test('another order or filter is another question, a move is not', () => {
		expect(listQuestion(press(listed, 'down'))).toBe(listQuestion(listed));
		expect(listQuestion(press(listed, 'ctrl+t'))).not.toBe(listQuestion(listed));
	});

	test('? is help while nothing is typed and a letter afterwards', () => {
		expect(press(listed, '?').dialog?.kind).toBe('help');
		expect(press(listed, 'a', '?').query.text).toBe('a?');
	});

	test('Right and Left unfold and fold a family at the end of the query, else they move the cursor', () => {
		const parent = session('p', {children: 1});
		const child = session('p/c', {kind: 'subagent'});
		const folded = given(beginning(), listAction([row(parent)]));
		const asked = press(folded, 'right');
		expect(asked.outbox).toEqual([{type: 'children', session: parent.ref}]);
		const unfolded = given(asked, {type: 'children', session: parent.ref, sessions: [child]});
		expect(listItems(unfolded.list).map(item => item.session.id)).toEqual(['p', 'p/c']);
		const onChild = press(unfolded, 'down');
		const closed = press(onChild, 'left');
		expect(listItems(closed.list).map(item => item.session.id)).toEqual(['p']);
		expect(selected(closed)).toBe('p');
		expect(press(folded, 'a', 'b', 'left').query.cursor).toBe(1);
	});

	test('the end of the list is asked for when it is not there yet', () => {
		const some = given(
			beginning(),
			listAction(rows('a', 'b'), {
				answer: {total: 5, rows: rows('a', 'b'), nextCursor: 'c1', note: null},
			}),
		);
		const asked = press(some, 'end');
		expect(asked.outbox[0]).toMatchObject({type: 'more-rows', cursor: 'c1'});
		const all = given(asked, {
			type: 'more-rows',
			cursor: 'c1',
			answer: {total: 5, rows: rows('c', 'd', 'e'), nextCursor: null, note: null},
		});
		expect(selected(all)).toBe('e');
	});

	test('an answer to an older page is dropped', () => {
		const stale = given(listed, {
			type: 'more-rows',
			cursor: 'old',
			answer: {total: 9, rows: rows('z'), nextCursor: null, note: null},
		});
		expect(stale.list.rows).toHaveLength(2);
	});
});

describe('groups', () => {
	const many = [
		row(session('a', {project: 'orchard'})),
		row(session('b', {project: 'mill'})),
		row(session('c', {project: 'orchard'})),
	];

	test('by project: rows of a project stand together under its name', () => {
		const state = press(given(beginning(), listAction(many)), 'ctrl+o', 'ctrl+o');
		const items = listItems(state.list);
		expect(items.map(({session: {id}}) => id)).toEqual(['a', 'c', 'b']);
		expect(items.map(item => item.kind === 'session' && item.heading)).toEqual([
			{project: 'orchard'},
			null,
			{project: 'mill'},
		]);
	});

	test('by day: always in the order of time', () => {
		const state = press(given(press(beginning(), 'w'), listAction(many)), 'ctrl+o');
		expect(listRequest(state).sort).toBe('recent');
		expect(listRequest(press(state, 'ctrl+o', 'ctrl+o')).sort).toBe('relevance');
	});
});

describe('several rows', () => {
	const listed = given(beginning(), listAction(rows('a', 'b', 'c')));

	test('are chosen one after the other, and Esc lets go of them before anything else', () => {
		const chosen = press(listed, 'ctrl+space', 'ctrl+space');
		expect([...chosen.list.marked]).toEqual(['claude-code:a', 'claude-code:b']);
		expect(selected(chosen)).toBe('c');
		const freed = press(chosen, 'escape');
		expect(freed.list.marked.size).toBe(0);
		expect(freed.outbox).toEqual([]);
	});

	test('are starred together, and unstarred when all have a star', () => {
		const chosen = press(listed, 'ctrl+space', 'ctrl+space');
		expect(press(chosen, 'alt+s').outbox).toEqual([
			{
				type: 'mark',
				sessions: ['claude-code:a', 'claude-code:b'],
				change: {starred: true},
				said: 'starred · 2 sessions',
			},
		]);
		const starred = given(beginning(), listAction([row(session('a', {starred: true}))]));
		expect(press(starred, 'alt+s').outbox).toMatchObject([{change: {starred: false}}]);
	});

	test('are exported into one folder', () => {
		const dialog = press(listed, 'alt+a', 'ctrl+s');
		expect(dialog.dialog).toMatchObject({kind: 'export', path: {text: '/home/kim/orchard'}});
		expect(press(dialog, 'enter').outbox).toMatchObject([
			{type: 'export-many', sessions: ['claude-code:a', 'claude-code:b', 'claude-code:c']},
		]);
	});

	test('cannot share one title', () => {
		const state = press(listed, 'ctrl+space', 'ctrl+space', 'f2');
		expect(state.dialog).toBeNull();
		expect(state.notice?.text).toContain('one session');
	});
});

describe('marks', () => {
	const listed = given(
		beginning(),
		listAction([row(session('a', {title: 'Old', tags: ['slow', 'later']}))]),
	);

	test('a title is edited, and an empty one takes the own title back', () => {
		const field = press(listed, 'alt+r');
		expect(field.dialog).toMatchObject({kind: 'mark', field: {text: 'Old'}});
		expect(press(field, 'ctrl+u', ...'New one', 'enter').outbox).toMatchObject([
			{type: 'mark', sessions: ['claude-code:a'], change: {title: 'New one'}},
		]);
		expect(press(field, 'ctrl+u', 'enter').outbox).toMatchObject([{change: {title: null}}]);
	});

	test('of tags what was taken out of the line goes away', () => {
		const field = press(listed, 'alt+t');
		expect(press(field, 'ctrl+u', ...'#urgent later', 'enter').outbox).toMatchObject([
			{change: {addTags: ['urgent', 'later'], removeTags: ['slow']}},
		]);
	});
});

describe('answers to keystrokes', () => {
	const typed = press(given(beginning(), listAction(rows('a', 'b'))), 't');
	const draft = (state: ReturnType<typeof beginning>, ...ids: readonly string[]) =>
		given(state, listAction(rows(...ids), {isDraft: true}));

	test('are shown at once, but Enter waits for the best row', () => {
		const shown = draft(typed, 'c', 'd');
		expect(listItems(shown.list).map(({session: {id}}) => id)).toEqual(['c', 'd']);
		const waiting = press(shown, 'enter');
		expect(waiting.screen).toBe('list');
		expect(given(waiting, listAction(rows('d', 'c'))).reader?.ref).toBe('claude-code:d');
	});

	test('that found nothing leave the rows until the ranked answer is there', () => {
		expect(listItems(draft(typed).list)).toHaveLength(2);
		expect(listItems(given(draft(typed), listAction([])).list)).toHaveLength(0);
	});
});

describe('Tab', () => {
	const listed = given(beginning(), listAction(rows('a')), {
		type: 'overview',
		counts: {sessions: 3, agents: 2, lastSyncMs: null},
		agents: [
			{value: 'claude-code', label: 'Claude Code', count: 2},
			{value: 'codex', label: 'Codex', count: 1},
		],
		roots: [],
	});

	test('takes the next value that fits when it is pressed again', () => {
		const first = press(listed, ...'agent:', 'tab');
		expect(first.query.text).toBe('agent:claude-code ');
		expect(first.notice?.text).toBe('[claude-code 2]  codex 1');
		expect(press(first, 'tab').query.text).toBe('agent:codex ');
		expect(press(first, 'tab', 'tab').query.text).toBe('agent:claude-code ');
	});

	test('asks for values that have to be counted, and forgets them when one types on', () => {
		const asked = press(listed, ...'x branch:ma', 'tab');
		expect(asked.outbox).toMatchObject([{type: 'complete', name: 'branch'}]);
		const answer = {
			type: 'completion',
			name: 'branch',
			query: asked.query,
			values: [{value: 'main', label: 'main', count: 3}],
		} as const;
		expect(given(asked, answer).query.text).toBe('x branch:main ');
		expect(given(press(asked, 'i'), answer).query.text).toBe('x branch:mai');
	});
});

describe('a scan of the raw transcripts', () => {
	const typed = given(press(beginning(), ...'needle'), listAction([]));
	const hit = {
		session: session('deep'),
		event: 'claude-code:deep:e3',
		eventIndex: 3,
		kind: 'tool_result',
		role: null,
		atMs: null,
		snippet: 'a needle',
		matches: [[2, 8]],
		score: 0,
		more: 0,
	} as const;
	const found = (state: ReturnType<typeof beginning>, isDone: boolean) =>
		given(state, {
			type: 'deep',
			id: state.list.deep?.id ?? -1,
			hits: [hit],
			progress: null,
			note: null,
			isDone,
		});

	test('fills the list with what it finds, and a refresh leaves it alone', () => {
		const scanning = press(typed, 'ctrl+d');
		expect(scanning.outbox).toMatchObject([{type: 'deep-scan'}]);
		const shown = found(scanning, false);
		expect(selected(shown)).toBe('deep');
		expect(selected(given(shown, listAction([])))).toBe('deep');
		expect(press(shown, 'enter').reader).toMatchObject({ref: 'claude-code:deep'});
	});

	test('ends with Esc, and what still comes of it is not shown', () => {
		const scanning = press(typed, 'ctrl+d');
		const ended = press(found(scanning, true), 'escape');
		expect(ended.query.text).toBe('needle');
		expect(ended.list.deep).toBeNull();
		expect(found(ended, true).list).toBe(ended.list);
	});

	test('without a word says what is missing', () => {
		expect(press(beginning(), 'ctrl+d').notice?.text).toContain('what to look for');
	});
});

test('forgetting asks first', () => {
	const listed = given(beginning(), listAction(rows('a', 'b')));
	const asked = press(listed, 'alt+x');
	expect(asked.outbox).toEqual([]);
	expect(press(asked, 'n').dialog).toBeNull();
	expect(press(asked, 'enter').outbox).toEqual([]);
	expect(press(asked, 'y').outbox).toEqual([{type: 'forget', sessions: ['claude-code:a']}]);
});
