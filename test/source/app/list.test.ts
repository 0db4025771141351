import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {endOfWindow, scrollTo} from '../../../source/app/list-window.js';
import {
	filtersOf,
	listItems,
	listLayout,
	listQuestion,
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
