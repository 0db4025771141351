import '../../helpers/libraries.js';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Transcript} from '../../../source/app/backend.js';
import {markedQuery, readerView} from '../../../source/app/selectors.js';
import type {AppState} from '../../../source/app/state.js';
import {awaitedTexts, HEAD, PAGE_EVENTS} from '../../../source/app/transcript-events.js';
import {linesOf, missingPage, windowRows} from '../../../source/app/transcript-window.js';
import {lineWidth} from '../../../source/terminal/width.js';
import type {EventView} from '../../../store/types.js';
import {
	beginning,
	event,
	given,
	listAction,
	press,
	row,
	session,
	toolCall,
	toolResult,
} from '../../helpers/app.js';

const outlineOf = (events: readonly EventView[]) =>
	events
		.filter(({role}) => role === 'user')
		.map(({index, text}) => ({
			index,
			atMs: null,
			text,
			durationMs: null,
			toolCalls: 0,
			errors: 0,
			files: 0,
		}));

/** The reader over events, with all pages loaded or only those that are asked for. */
const reading = (
	events: readonly EventView[],
	{
		size = {columns: 80, rows: 24},
		transcript = {},
		pages,
	}: {
		readonly size?: AppState['size'];
		readonly transcript?: Partial<Transcript>;
		readonly pages?: readonly number[];
	} = {},
): AppState => {
	const of = session('a', {events: events.length});
	const opened = press(given(beginning(size), listAction([row(of), row(session('b'))])), 'enter');
	const known = given(opened, {
		type: 'transcript',
		session: of.ref,
		transcript: {
			session: of,
			total: events.length,
			children: [],
			followers: [],
			parentTitle: null,
			parentIndex: null,
			...transcript,
		},
	});
	const outlined = given(known, {
		type: 'outline',
		session: of.ref,
		outline: outlineOf(events),
		landmarks: {errors: [], code: []},
	});
	const all = Array.from({length: Math.ceil(events.length / PAGE_EVENTS)}, (_, page) => page);
	return (pages ?? all).reduce((state, page) => withPage(state, events, page), outlined);
};

const withPage = (state: AppState, events: readonly EventView[], page: number): AppState =>
	given(state, {
		type: 'page',
		session: 'claude-code:a',
		page,
		events: events.slice(page * PAGE_EVENTS, (page + 1) * PAGE_EVENTS),
		revision: 0,
	});

/** Loads what is missing, as the effects do. */
const load = (before: AppState, events: readonly EventView[]): AppState => {
	let state = before;
	for (let guard = 0; guard < 500; guard++) {
		const page = state.reader ? missingPage(state.reader, readerView(state)) : undefined;
		if (page === undefined) return state;
		state = withPage(state, events, page);
	}
	throw new Error('pages without end');
};

const texts = (state: AppState): readonly string[] =>
	state.reader
		? windowRows(state.reader, readerView(state)).map(({content}) =>
				content
					.map(({text}) => text)
					.join('')
					.trim(),
			)
		: [];

const talk = (count: number): readonly EventView[] =>
	Array.from({length: count}, (_, index) =>
		event(index, index % 2 === 0 ? `question ${index}` : `answer ${index}`),
	);

describe('scrolling', () => {
	const events = talk(60);
	const top = reading(events);

	test('goes line by line, by pages and to both ends', () => {
		expect(texts(top)[0]).toBe('❯ question 0');
		expect(texts(press(top, 'j', 'j'))[0]).toBe('│ answer 1');
		expect(texts(press(top, 'G')).at(-1)).toBe('│ answer 59');
		expect(texts(press(top, 'G', 'g'))[0]).toBe('❯ question 0');
		expect(press(top, 'space', 'b').reader?.position).toEqual(top.reader?.position);
	});

	test('never goes beyond the ends', () => {
		expect(texts(press(top, 'k', 'u', 'b'))[0]).toBe('❯ question 0');
		const end = press(top, 'G');
		expect(texts(press(end, 'j', 'd', 'space'))).toEqual(texts(end));
	});

	test('a short session fills the screen from its top, and j marks the next block there', () => {
		const short = reading(talk(4));
		expect(short.reader?.block).toBe(0);
		expect(press(short, 'j').reader).toMatchObject({block: 1, position: {index: 0, line: 0}});
	});

	test('] and [ stand at prompts', () => {
		expect(texts(press(top, ']'))[0]).toBe('❯ question 2');
		expect(texts(press(top, ']', ']', '['))[0]).toBe('❯ question 2');
	});

	test('every row fits, wherever one goes and whatever is switched', () => {
		const mixed = talk(30).flatMap((each, index) => [
			event(index * 3, '日本語のとても長い質問です。'.repeat(index % 7), {role: 'user'}),
			toolCall(index * 3 + 1, `c${index}`, `run 👨‍👩‍👧 ${each.text} `.repeat(9)),
			toolResult(index * 3 + 2, `c${index}`, 'line\n'.repeat(index)),
		]);
		const key = fc.constantFrom(...'jkdubgG][}{tTmn', 'enter', 'space');
		fc.assert(
			fc.property(
				fc.array(key, {maxLength: 25}),
				fc.record({columns: fc.integer({min: 20, max: 120}), rows: fc.integer({min: 6, max: 40})}),
				(keys, size) => {
					const state = press(reading(mixed, {size}), ...keys);
					const view = readerView(state);
					const {reader} = state;
					if (!reader) throw new Error('left the reader');
					const rows = windowRows(reader, view);
					expect(rows.length).toBeLessThanOrEqual(view.rows);
					for (const {content} of rows)
						expect(lineWidth(content)).toBeLessThanOrEqual(view.columns);
				},
			),
			{numRuns: 60},
		);
	}, 30_000);
});

describe('a session of 100,000 events', () => {
	const events = talk(100_000);

	test('opens with the pages around the first row only', () => {
		const state = load(reading(events, {pages: []}), events);
		expect(Object.keys(state.reader?.pages ?? {})).toEqual(['0']);
		expect(texts(state)[0]).toBe('❯ question 0');
	});

	test('jumps to its end and back without what lies between', () => {
		const end = load(press(reading(events, {pages: [0]}), 'G'), events);
		expect(texts(end).at(-1)).toBe('│ answer 99999');
		expect(Object.keys(end.reader?.pages ?? {}).length).toBeLessThan(5);
	});

	test('keys that run ahead of what is loaded are not lost', () => {
		const start = reading(events, {pages: [0]});
		const ahead = load(press(start, ...Array.from({length: 60}, () => 'space')), events);
		const slow = Array.from({length: 60}).reduce<AppState>(
			state => load(press(state, 'space'), events),
			start,
		);
		expect(ahead.reader?.position).toEqual(slow.reader?.position);
	});

	test('walks over a long run of hidden events', () => {
		const hidden = events.map((each, index) =>
			index > 100 && index < 2_000 ? {...each, kind: 'meta' as const} : each,
		);
		const state = load(press(reading(hidden, {pages: [0]}), 'd', 'd', 'd', 'd', 'd'), hidden);
		let moved = state;
		for (let step = 0; step < 12; step++) moved = load(press(moved, 'space'), hidden);
		expect(texts(moved).join()).toMatch(/question 20\d\d/);
	});
});

describe('blocks', () => {
	const events = [
		event(0, 'run the tests'),
		toolCall(1, 'c1', 'npm test'),
		toolResult(2, 'c1', 'first line\nsecond line'),
		event(3, 'All green.', {role: 'assistant'}),
	];

	test('Enter unfolds the marked call with its result and folds it again', () => {
		const marked = press(reading(events), '}');
		expect(marked.reader?.block).toBe(1);
		expect(texts(marked).join('\n')).not.toContain('second line');
		const open = press(marked, 'enter');
		expect(texts(open).join('\n')).toContain('second line');
		expect(texts(press(open, 'enter'))).toEqual(texts(marked));
	});

	test('Enter asks once more for the whole of a cut output', () => {
		const cut = events.map(each => (each.index === 2 ? {...each, truncated: true} : each));
		const whole = press(reading(cut), '}', 'enter', 'enter');
		expect(whole.reader && awaitedTexts(whole.reader, 1)).toEqual(['claude-code:a:e2']);
		const there = given(whole, {type: 'full-text', event: 'claude-code:a:e2', text: 'all of it'});
		expect(texts(there).join('\n')).toContain('all of it');
	});

	test('y copies the marked block', () => {
		expect(press(reading(events), 'y').outbox).toEqual([
			{type: 'copy', text: 'run the tests', what: 'block'},
		]);
	});

	test('t hides tool calls and shows them in full', () => {
		const full = press(reading(events), 't');
		expect(texts(full).join('\n')).toContain('second line');
		expect(texts(press(full, 't')).join('\n')).not.toContain('npm test');
	});

	test('a call opens the sub-agent that it started', () => {
		const child = events.map(each =>
			each.index === 2 && each.tool
				? {...each, tool: {...each.tool, child: 'claude-code:a/x'}}
				: each,
		);
		const inside = press(reading(child), '}', 'c');
		expect(inside.reader?.ref).toBe('claude-code:a/x');
		expect(press(inside, 'q').reader?.ref).toBe('claude-code:a');
		expect(press(inside, 'q', 'q').screen).toBe('list');
	});
});

describe('a fork', () => {
	const parent = {
		ref: 'claude-code:p',
		relation: 'fork',
		certainty: 'exact',
		event: null,
		isKnown: true,
	} as const;
	const state = reading(talk(4), {
		transcript: {session: session('a', {parent}), parentTitle: 'The first talk'},
	});

	test('says at its top what it comes from, and Enter leads there', () => {
		expect(state.reader?.position.index).toBe(HEAD);
		expect(texts(state)[0]).toContain('The first talk');
		expect(press(state, 'enter').reader?.ref).toBe('claude-code:p');
		expect(press(state, 'p').reader?.ref).toBe('claude-code:p');
	});
});

describe('finding', () => {
	const events = talk(600).map(each =>
		[401, 5, 77].includes(each.index) ? {...each, text: `${each.text} needle`} : each,
	);
	const found = (state: AppState) =>
		load(
			given(state, {
				type: 'found',
				session: 'claude-code:a',
				query: 'needle',
				matches: [5, 77, 401],
			}),
			events,
		);
	const first = found(press(reading(events, {pages: [0]}), '/', ...'needle', 'enter'));

	test('goes to the first match, then on and around, over pages that are not loaded', () => {
		expect(first.reader?.find?.current?.index).toBe(5);
		const second = load(press(first, 'n'), events);
		expect(second.reader?.find?.current?.index).toBe(77);
		const third = load(press(second, 'n'), events);
		expect(third.reader?.find?.current?.index).toBe(401);
		expect(texts(third).join('\n')).toContain('answer 401 needle');
		expect(load(press(third, 'n'), events).reader?.find?.current?.index).toBe(5);
		expect(load(press(third, 'N'), events).reader?.find?.current?.index).toBe(77);
	});

	test('steps that run ahead of what is loaded are not lost', () => {
		const many = talk(5_000).map(each =>
			each.index % 500 === 1 ? {...each, text: `${each.text} needle`} : each,
		);
		const asked = press(reading(many, {pages: [0]}), '/', ...'needle', 'enter');
		const matches = many.filter(({text}) => text.includes('needle')).map(({index}) => index);
		const state = given(asked, {
			type: 'found',
			session: 'claude-code:a',
			query: 'needle',
			matches,
		});
		const there = load(press(state, 'n', 'n', 'n'), many);
		expect(there.reader?.find?.current?.index).toBe(1501);
	});

	test('unfolds a call whose output holds the match', () => {
		const folded = [event(0, 'go'), toolCall(1, 'c1', 'ls'), toolResult(2, 'c1', 'a\nneedle\nb')];
		const asked = press(reading(folded), '/', ...'needle', 'enter');
		const state = given(asked, {
			type: 'found',
			session: 'claude-code:a',
			query: 'needle',
			matches: [2],
		});
		expect(state.reader?.folds).toEqual({1: 'open'});
		expect(state.reader?.block).toBe(1);
	});

	test('says when nothing is found, and Escape takes the search back before it leaves', () => {
		const none = given(press(reading(events, {pages: [0]}), '/', 'x', 'enter'), {
			type: 'found',
			session: 'claude-code:a',
			query: 'x',
			matches: [],
		});
		expect(none.notice?.text).toBe('not found: x');
		const cleared = press(none, 'escape');
		expect([cleared.screen, cleared.reader?.find]).toEqual(['reader', null]);
		expect(press(cleared, 'escape').screen).toBe('list');
	});

	test('an answer for words that are no longer looked for is dropped', () => {
		const other = given(press(reading(events, {pages: [0]}), '/', 'y', 'enter'), {
			type: 'found',
			session: 'claude-code:a',
			query: 'needle',
			matches: [5],
		});
		expect(other.reader?.find?.matches).toBeNull();
	});
});

test('a session that grows is followed at its end, and left alone further up', () => {
	const events = talk(30);
	const grown = talk(34);
	const of = session('a');
	const transcript = {
		session: of,
		total: 34,
		children: [],
		followers: [],
		parentTitle: null,
		parentIndex: null,
	};
	const grow = (state: AppState) =>
		load(given(state, {type: 'transcript', session: of.ref, transcript}), grown);
	expect(texts(grow(press(reading(events), 'G'))).at(-1)).toBe('│ answer 33');
	expect(texts(grow(reading(events)))[0]).toBe('❯ question 0');
});

test('an answer for a session that is no longer open changes nothing', () => {
	const state = reading(talk(4));
	const stale = given(state, {
		type: 'page',
		session: 'claude-code:other',
		page: 0,
		events: talk(9),
		revision: 0,
	});
	expect(stale.reader).toBe(state.reader);
});

test('rows of an event that is not loaded are unknown, not empty', () => {
	const state = reading(talk(500), {pages: [0]});
	if (!state.reader) throw new Error('no reader');
	expect(linesOf(state.reader, 499, readerView(state))).toBeUndefined();
});

describe('places that keys jump to', () => {
	const failed = (index: number, callId: string): EventView => {
		const result = toolResult(index, callId, 'boom');
		return {...result, tool: {...(result.tool as NonNullable<EventView['tool']>), isError: true}};
	};
	const events = [
		event(0, 'first'),
		toolCall(1, 'a', 'npm test'),
		failed(2, 'a'),
		event(3, 'look:\n\n```ts\nlet a = 1;\n```\n\nand\n\n```sh\nls\n```'),
		...Array.from({length: 30}, (_, at) => event(at + 4, `talk ${at + 4}`)),
		toolCall(34, 'b', 'npm run build'),
		failed(35, 'b'),
		event(36, 'last'),
	];
	const state = given(reading(events), {
		type: 'outline',
		session: 'claude-code:a',
		outline: outlineOf(events),
		landmarks: {errors: [2, 35], code: [3]},
	});

	test('> goes from error to error and round again, < back', () => {
		const first = press(state, '>');
		expect(first.reader?.block).toBe(1);
		expect(press(first, '>').reader?.block).toBe(34);
		expect(press(first, '>', '>').reader?.block).toBe(1);
		expect(press(first, '<').reader?.block).toBe(34);
	});

	test('an error comes into sight although tool calls are hidden', () => {
		const hidden = press(state, 't', 't');
		expect(hidden.reader?.tools).toBe('none');
		expect(press(hidden, '>').reader).toMatchObject({tools: 'short', block: 1});
	});

	test(') goes to code, and Y copies one piece of it after the other', () => {
		const at = press(state, ')');
		expect(at.reader?.block).toBe(3);
		const copied = (of: AppState) => of.outbox.map(each => each.type === 'copy' && each.text);
		expect(copied(press(at, 'Y'))).toEqual(['let a = 1;']);
		expect(copied(press(at, 'Y', 'Y'))).toEqual(['let a = 1;', 'ls']);
		expect(copied(press(press(at, 'Y', 'Y'), 'Y'))).toEqual(['let a = 1;']);
	});

	test('the outline jumps to the prompt that is chosen', () => {
		const outline = press(state, 'o');
		expect(outline.dialog).toMatchObject({kind: 'outline', selected: 0});
		const chosen = press(outline, ...'talk 20', 'enter');
		expect(chosen.dialog).toBeNull();
		expect(chosen.reader?.block).toBe(20);
	});

	test('the files jump to the change and unfold it', () => {
		const open = given(press(state, 'f'), {
			type: 'files',
			session: 'claude-code:a',
			files: [
				{path: '/w/src/a.ts', reads: 1, changes: 2, index: 34},
				{path: '/w/readme.md', reads: 1, changes: 0, index: 1},
			],
		});
		expect(press(open, 'enter').reader).toMatchObject({block: 34, folds: {34: 'open'}});
		expect(press(open, ...'readme', 'enter').reader?.block).toBe(1);
	});
});

describe('what was rewound', () => {
	const events = [
		event(0, 'a question'),
		event(1, 'an answer'),
		event(2, 'taken back', {state: 'undone'}),
		event(3, 'answered in vain', {state: 'undone'}),
		event(4, 'another question'),
	];

	test('is one row until w shows it', () => {
		const state = reading(events);
		expect(texts(state).join('\n')).toMatch(/── ▸ rewound · 2 steps/);
		expect(texts(state).join('\n')).not.toContain('taken back');
		const shown = press(state, 'w');
		expect(texts(shown).join('\n')).toMatch(/taken back[\s\S]*answered in vain/);
		expect(texts(press(shown, 'w')).join('\n')).not.toContain('taken back');
	});

	test('Enter on its row shows it too', () => {
		const state = press(reading(events), '}', '}');
		expect(state.reader?.block).toBe(2);
		expect(texts(press(state, 'enter')).join('\n')).toContain('taken back');
	});
});

test('images of the marked block are opened by Enter', () => {
	const state = reading([event(0, '[image png, 150 KB]\nlike this'), event(1, 'yes')]);
	expect(press(state, 'enter').outbox).toEqual([
		{type: 'attachments', events: ['claude-code:a:e0']},
	]);
	expect(press(state, '}', 'a').outbox).toEqual([]);
});

test('what comes while one reads further up is counted until the end is seen', () => {
	const grow = (state: AppState, total: number) =>
		load(
			given(state, {
				type: 'transcript',
				session: 'claude-code:a',
				transcript: {
					session: session('a'),
					total,
					children: [],
					followers: [],
					parentTitle: null,
					parentIndex: null,
				},
			}),
			talk(total),
		);
	const behind = grow(grow(reading(talk(30)), 32), 35);
	expect(behind.reader?.unread).toBe(5);
	expect(press(behind, 'G').reader?.unread).toBe(0);
});

describe('a search over several sessions', () => {
	const match = (index: number) => ({
		event: `e${index}`,
		eventIndex: index,
		snippet: 'token',
		matches: [],
		more: 0,
		child: null,
	});
	const rows = [row(session('a'), match(1)), row(session('b'), match(2))];

	test('n goes on into the next session of the list, at its first match', () => {
		const typed = given(press(beginning(), ...'token'), listAction(rows));
		const opened = given(
			press(typed, 'enter'),
			{
				type: 'transcript',
				session: 'claude-code:a',
				transcript: {
					session: session('a'),
					total: 2,
					children: [],
					followers: [],
					parentTitle: null,
					parentIndex: null,
				},
			},
			{
				type: 'page',
				session: 'claude-code:a',
				page: 0,
				events: [event(0, 'hi'), event(1, 'the token')],
				revision: 0,
			},
			{type: 'found', session: 'claude-code:a', query: 'token', matches: [1]},
		);
		const next = press(opened, 'n');
		expect(next.reader).toMatchObject({ref: 'claude-code:b', find: {start: 'first'}});
		expect(next.list.selected).toBe('claude-code:b');
	});

	describe('in the part of an output that is not stored', () => {
		const events = [
			event(0, 'run it'),
			toolCall(1, 'c1', 'make'),
			{...toolResult(2, 'c1', 'begin … end'), truncated: true},
			event(3, 'the token'),
		];
		const finding = (matches: readonly number[]) =>
			given(press(reading(events), '/', ...'token', 'enter'), {
				type: 'found',
				session: 'claude-code:a',
				query: 'token',
				matches,
			});
		const answered = (state: AppState, text: string | null) =>
			given(state, {type: 'full-text', event: 'claude-code:a:e2', text});
		const lines = Array.from({length: 60}, (_, at) => `line ${at}`);

		test('the whole text is asked for, and the match comes into sight with it', () => {
			const waiting = finding([2, 3]);
			expect(waiting.reader && awaitedTexts(waiting.reader, 1)).toEqual(['claude-code:a:e2']);
			const there = answered(waiting, [...lines, 'the token', ...lines].join('\n'));
			expect(there.reader?.find?.current?.index).toBe(1);
			expect(texts(there).join('\n')).toContain('the token');
			expect(press(there, 'n').reader?.find?.current?.index).toBe(3);
		});

		test('where it is gone, the next match follows', () => {
			expect(answered(finding([2, 3]), null).reader?.find?.current?.index).toBe(3);
		});

		test('a key pressed meanwhile counts, and the text comes all the same', () => {
			const there = answered(press(finding([2, 3]), 'G'), 'the token');
			expect(there.reader?.goal).toBeNull();
			expect(there.reader?.fullTexts['claude-code:a:e2']).toBe('the token');
		});
	});

	test('after a slip the words that were meant are looked for', () => {
		const answer = {total: 1, rows, nextCursor: null, note: 'showing “token”', instead: '"token"'};
		const typed = given(press(beginning(), ...'tokne'), listAction(rows, {answer}));
		expect(markedQuery(typed)).toBe('"token"');
		const opened = press(typed, 'enter');
		expect(opened.reader?.find?.query).toBe('"token"');
		expect(press(opened, 'q', 'x').query.text).toBe('toknex');
	});

	test('a search with / stays in its session', () => {
		const events = [event(0, 'token'), event(1, 'no'), event(2, 'token')];
		const find = given(press(reading(events), '/', ...'token', 'enter'), {
			type: 'found',
			session: 'claude-code:a',
			query: 'token',
			matches: [0, 2],
		});
		const round = press(find, 'n', 'n');
		expect(round.reader?.ref).toBe('claude-code:a');
		expect(round.reader?.find?.current?.index).toBe(0);
	});
});

test('a session that was opened from a query of filters only searches for nothing', () => {
	const filtered = given(press(beginning(), ...'id:abc'), listAction([row(session('a'))]));
	expect(press(filtered, 'enter').reader?.find).toBeNull();
});
