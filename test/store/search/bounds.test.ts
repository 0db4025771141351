import {describe, expect, it} from 'vitest';
import {createLibrary} from '../../../store/read/library.js';
import {planSearch} from '../../../store/search/plan.js';
import {SEED_NOW_MS, said, seedSession, temporaryStore} from '../../helpers/seed.js';

const PASTE_CHARS = 100_000;
const filled = (text: string): string =>
	text.repeat(Math.ceil(PASTE_CHARS / text.length)).slice(0, PASTE_CHARS);
const numbered = (prefix: string): string =>
	Array.from({length: 12_000}, (_, index) => `${prefix}w${index.toString(36)}`).join(' ');

const ABSURD: readonly (readonly [name: string, query: string])[] = [
	['one long word', filled('x')],
	['one word again and again', filled('middleware ')],
	['many words', numbered('')],
	['many words to leave out', numbered('-')],
	['many alternatives', numbered('').replaceAll(' ', ' OR ')],
	['one alternative again and again', filled('error OR test OR ')],
	['a path without an end', filled('src/')],
	['a run of CJK', filled('中文字符')],
	['one filter again and again', filled('agent:x ')],
	['filters that cost a look at the disk', filled('is:missing-dir ')],
	['many filters', numbered('project:')],
	['many filters to leave out', numbered('-branch:')],
	['many values of a filter', `agent:${numbered('').replaceAll(' ', ',')}`],
	['dates', numbered('after:').replaceAll('w', '2026-11-')],
	['quotes', filled('"')],
	['minus signs', filled('-')],
	['colons', filled(':')],
	['brackets', filled('{NEAR(')],
];

const store = () => {
	const {database} = temporaryStore();
	seedSession(database, {
		id: 's',
		title: 'untitled',
		events: [said('the middleware of src/app, a test of 中文字符')],
	});
	return database;
};

const request = (query: string, isTyping: boolean) => ({
	query,
	filters: {},
	limit: 50,
	nowMs: SEED_NOW_MS,
	...(isTyping ? {isTyping} : {}),
});

describe('a pasted text', () => {
	it.each(ABSURD)('%s asks the database for a bounded number of things', (_, query) => {
		const plan = planSearch(store(), request(query, false), {heads: ['title'], isFolded: true});
		const terms = [...plan.groups.flat(), ...plan.excluded];
		const words = terms.reduce((sum, term) => sum + term.words.length, 0);
		expect(words).toBeLessThanOrEqual(20);
		expect(plan.conditions.flatMap(({values}) => values).length).toBeLessThanOrEqual(34);
	});

	it.each(ABSURD)('%s gives an answer that says what was left out', (_, query) => {
		const library = createLibrary(store());
		for (const isTyping of [true, false]) {
			const {note} = library.list(request(query, isTyping));
			expect(note).toMatch(/Only the first [\d,]+ (words|filters|characters)/);
		}
		expect(library.search(request(query, false)).hits.length).toBeLessThanOrEqual(1);
		expect(library.findInSession('claude-code:s', query).length).toBeLessThanOrEqual(1);
	});

	it('is found where it stands, by its beginning', () => {
		const {note, rows} = createLibrary(store()).list(request(filled('middleware '), false));
		expect(rows.map(({session}) => session.id)).toEqual(['s']);
		expect(note).toBe('Only the first 2,000 characters of the query are read.');
	});

	it('that ends inside of a word at the bound is not read as that piece of a word', () => {
		const words = `${'middleware '.repeat(181)}unrelated`.padEnd(3000, 'x');
		expect(createLibrary(store()).list(request(words, false)).total).toBe(1);
	});
});

describe('what was typed twice', () => {
	it.each([
		['a word', 'middleware middleware', 1],
		['an alternative', 'middleware OR middleware OR test', 1],
		['a word to leave out', '-absent -absent middleware', 2],
	])('%s is looked for once', (_, query, count) => {
		const plan = planSearch(store(), request(query, false), {heads: ['title'], isFolded: true});
		expect(plan.groups.length + plan.excluded.length).toBe(count);
	});

	it('filters to leave out are one condition', () => {
		const plan = planSearch(store(), request('-agent:a -agent:b -agent:a', false), {
			heads: ['title'],
			isFolded: true,
		});
		expect(plan.conditions).toHaveLength(1);
	});
});
