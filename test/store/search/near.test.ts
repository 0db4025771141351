import {describe, expect, it} from 'vitest';
import {createLibrary} from '../../../store/read/library.js';
import {slipsBetween} from '../../../store/search/slips.js';
import {
	SEED_NOW_MS,
	type SeedSession,
	said,
	seedSession,
	temporaryStore,
} from '../../helpers/seed.js';

const answerOf = (query: string, ...sessions: readonly SeedSession[]) => {
	const {database} = temporaryStore();
	for (const session of sessions) seedSession(database, session);
	const {rows, note} = createLibrary(database).list({
		query,
		filters: {},
		limit: 20,
		nowMs: SEED_NOW_MS,
	});
	return {ids: rows.map(({session}) => session.id), note, rows};
};

const session = (id: string, ...texts: readonly string[]): SeedSession => ({
	id,
	title: 'untitled',
	events: texts.map(text => said(text, 'assistant')),
});

describe('when nothing is found', () => {
	it('says which word kills the query', () => {
		const {ids, note} = answerOf('"no such phrase" apple', session('a', 'apple pie'));
		expect(ids).toEqual([]);
		expect(note).toBe('"no such phrase" occurs nowhere.');
	});

	it('first looks for the words in different messages', () => {
		const {ids, note} = answerOf(
			'apple banana',
			session('a', 'apple', 'banana'),
			session('b', 'apple'),
		);
		expect(ids).toEqual(['a']);
		expect(note).toContain('different messages');
	});

	it('then for the text inside of words', () => {
		const {ids, note, rows} = answerOf('sqlserver ostgr', session('a', 'sqlserver or postgresql'));
		expect(ids).toEqual(['a']);
		expect(note).toBe('No word begins with “ostgr”; showing words that contain it: “postgresql”.');
		expect(rows[0]?.match?.matches).toHaveLength(2);
	});

	it.each([
		['midleware', 'middleware'],
		['middlewaer', 'middleware'],
		['resovle', 'resolve'],
		['ersolve', 'resolve'],
		['conect', 'connection'],
		['zerver', 'server'],
	])('then for slips: %s', (typed, meant) => {
		const {ids, note} = answerOf(
			typed,
			session('a', `the ${meant} is here`),
			session('b', 'unrelated'),
		);
		expect(ids).toEqual(typed === 'zerver' ? [] : ['a']);
		expect(note).toContain(
			typed === 'zerver'
				? '“zerver” occurs nowhere.'
				: `“${typed}” occurs nowhere; showing “${meant}”`,
		);
	});

	it('then for similar titles', () => {
		const {ids, note} = answerOf('authmidleware', {
			id: 'a',
			title: 'Auth middleware',
			events: [said('x')],
		});
		expect(ids).toEqual(['a']);
		expect(note).toContain('similar titles');
	});

	it('at last for any of the words', () => {
		const {ids, note} = answerOf('apple qqzzqq', session('a', 'apple pie'));
		expect(ids).toEqual(['a']);
		expect(note).toBe('“qqzzqq” occurs nowhere. Showing sessions with the other words.');
	});

	it.each([
		['midleware', '"middleware"'],
		['the midleware', 'the "middleware"'],
		['iddlew', '"middleware" OR "middlewares"'],
		['midleware qqzzqq', undefined],
		['token qqzzqq', 'token'],
	])(
		'what was shown for %s is a query that finds the same words in the session',
		(typed, instead) => {
			const {database} = temporaryStore();
			seedSession(database, session('a', 'the middleware', 'middlewares', 'a token'));
			const library = createLibrary(database);
			const answer = library.list({query: typed, filters: {}, limit: 20, nowMs: SEED_NOW_MS});
			expect(answer.instead).toBe(instead);
			if (instead === undefined) return;
			const found = library.findInSession('claude-code:a', instead);
			const {index} = library.event(answer.rows[0]?.match?.event ?? '') ?? {};
			expect(found).toContain(index);
		},
	);

	it('names what only meta records have', () => {
		const {note} = answerOf('reminder', {
			id: 'a',
			title: 'untitled',
			events: [said('x'), {kind: 'meta', text: 'a reminder'}],
		});
		expect(note).toBe('“reminder” occurs only in records that nobody typed (in:meta).');
	});

	it('a quoted phrase is never replaced', () => {
		const {ids} = answerOf('"midleware"', session('a', 'middleware'));
		expect(ids).toEqual([]);
	});

	it('words that only the filters exclude are not replaced', () => {
		const {ids, note} = answerOf('context in:prompts', {
			id: 'a',
			title: 'untitled',
			events: [said('the content'), said('context', 'assistant')],
		});
		expect(ids).toEqual([]);
		expect(note).toBe('The words occur, but not where the filters look.');
	});
});

describe('slipsBetween', () => {
	it.each([
		['middleware', 'middleware', 0],
		['midleware', 'middleware', 1],
		['middlewaer', 'middleware', 1],
		['conect', 'connection', 1],
		['abc', 'xyz', 3],
	])('%s and %s', (text, word, expected) => {
		expect(slipsBetween(text, word, 3)).toBe(expected);
	});
});
