import {describe, expect, it} from 'vitest';
import type {ListAnswer, PageRequest, SearchAnswer, SearchRequest} from '../../../store/library.js';
import type {Database} from '../../../store/open.js';
import {createLibrary} from '../../../store/read/library.js';
import {
	SEED_NOW_MS,
	type SeedSession,
	said,
	seedSession,
	temporaryStore,
} from '../../helpers/seed.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const request = (query: string, more: Partial<PageRequest> = {}): PageRequest => ({
	query,
	filters: {},
	limit: 50,
	nowMs: SEED_NOW_MS,
	...more,
});

/** A store with the given sessions, and what a query finds in it. */
const storeWith = (...sessions: readonly SeedSession[]) => {
	const {database} = temporaryStore();
	for (const session of sessions) seedSession(database, session);
	return finder(database);
};

const finder = (database: Database) => {
	const library = createLibrary(database);
	return {
		database,
		library,
		search: (query: string, more: Partial<SearchRequest> = {}) =>
			library.search({...request(query), ...more}).hits.map(({session}) => session.id),
		list: (query: string, more: Partial<PageRequest> = {}) =>
			library.list(request(query, more)).rows.map(({session}) => session.id),
	};
};

/** One session per text, named by its place: `s0`, `s1`, … */
const texts = (...list: readonly string[]): readonly SeedSession[] =>
	list.map((text, index) => ({
		id: `s${index}`,
		title: 'untitled',
		events: [said(text), said('yes', 'assistant')],
	}));

describe('words', () => {
	it.each([
		'multi-agent setup',
		'TODO: fix',
		"it's broken",
		'src/a.ts:12',
		'v1.2.3',
		'@scope/pkg',
		'C++',
		'a_b',
		'foo(bar)',
	])('%s is found by itself', text => {
		const {search, list} = storeWith(
			{id: 'with', title: 'untitled', events: [said(`${text} please`)]},
			{id: 'without', title: 'untitled', events: [said('something else')]},
		);
		expect(search(text)).toEqual(['with']);
		expect(list(text)).toEqual(['with']);
	});

	it.each([
		'getUserById',
		'userbyid',
		'UserBy',
		'parse_http',
		'http_header',
		'bar.baz',
		'getuser',
		'PARSE',
	])('%s is found by its parts', query => {
		const {search} = storeWith(...texts('call getUserById and parse_http_header in foo.bar.baz'));
		expect(search(query)).toEqual(['s0']);
	});

	it('an exact phrase is exact', () => {
		const {search} = storeWith(...texts('call getUserById', 'call get_user now', 'get the user'));
		expect(search('"get_user"')).toEqual(['s1']);
		expect(search('"get_user_x"')).toEqual([]);
		expect(search('"call get_us"')).toEqual([]);
	});

	it('all of the words have to be there, each as the beginning of a word', () => {
		const {search} = storeWith(
			...texts('retry budget of the queue', 'the retry loop', 'budgets retried'),
		);
		expect(new Set(search('retr budget'))).toEqual(new Set(['s0', 's2']));
	});

	it('case and accents do not matter', () => {
		const {search} = storeWith(...texts('Das Café in Zürich'));
		for (const query of ['cafe zurich', 'CAFÉ', 'cafe\u0301', 'zürich'])
			expect(search(query)).toEqual(['s0']);
	});

	it.each(['東', '東京', '京タ', 'タワー', '設定', '세션', '션 검'])(
		'%s inside of a run of CJK',
		query => {
			const {search} = storeWith(...texts('昨日東京タワーの設定を見た。', '세션 검색', 'nothing'));
			expect(search(query)).toHaveLength(1);
			expect(search('東大')).toEqual([]);
		},
	);

	it('short words are found too', () => {
		const {search} = storeWith(...texts('use go here', 'good'));
		expect(search('go ')).toEqual(['s0']);
		expect(new Set(search('go'))).toEqual(new Set(['s0', 's1']));
	});

	it('OR and exclusion', () => {
		const {search, list} = storeWith(...texts('apple banana', 'apple cherry', 'durian fruit'), {
			id: 'later',
			title: 'untitled',
			events: [said('apple pie'), said('or banana?', 'assistant')],
		});
		expect(new Set(search('cherry OR durian'))).toEqual(new Set(['s1', 's2']));
		expect(search('apple -banana')).toEqual(['s1']);
		expect(new Set(list('-banana'))).toEqual(new Set(['s1', 's2']));
		expect(search('apple -"apple banana" -pie')).toEqual(['s1']);
	});

	it.each(['"', '*', '^', '-', ':', '{}', '\\', '""', '( )', '\0', '\ud800', '😀'])(
		'%j is no error: the list stays, the search finds nothing',
		query => {
			const {library} = storeWith(...texts('one', 'two'));
			const list = library.list(request(query));
			expect(list.rows).toHaveLength(2);
			expect(library.search(request(query))).toMatchObject({total: 0, hits: []});
			expect(list.note).toContain('Nothing to search for');
		},
	);

	it.each(['"abc', 'AND', 'NEAR(', 'a OR', 'x'.repeat(5000), 'w '.repeat(5000), 'a-'.repeat(5000)])(
		'%j is no error',
		query => {
			const {library} = storeWith(...texts('abc and nearby'));
			expect(library.list(request(query)).rows).toBeInstanceOf(Array);
			expect(library.search(request(query)).hits).toBeInstanceOf(Array);
		},
	);
});

describe('places', () => {
	const everywhere: SeedSession = {
		id: 's',
		title: 'titleword',
		events: [
			said('promptword'),
			said('replyword', 'assistant'),
			{kind: 'tool_use', toolName: 'Bash', subject: 'subjectword', text: 'toolword'},
			{kind: 'tool_result', text: 'outputword'},
			{kind: 'reasoning', text: 'thoughtword'},
			{kind: 'meta', text: 'metaword'},
		],
	};
	const words = ['prompt', 'reply', 'tool', 'subject', 'output', 'thought', 'title', 'meta'];
	it.each([
		['', ['prompt', 'reply', 'tool', 'subject', 'output', 'thought', 'title']],
		['in:prompts', ['prompt']],
		['in:replies', ['reply']],
		['in:tools', ['tool', 'subject']],
		['in:outputs', ['output']],
		['in:reasoning', ['thought']],
		['in:title', ['title']],
		['in:meta', ['meta']],
		['in:prompts,replies', ['prompt', 'reply']],
		['-in:outputs,tools', ['prompt', 'reply', 'thought', 'title']],
	])('%j looks there', (filter, expected) => {
		const {search, list} = storeWith(everywhere);
		const found = words.filter(word => search(`${word}word ${filter}`).length > 0);
		expect(found).toEqual(words.filter(word => expected.includes(word)));
		expect(words.filter(word => list(`${word}word ${filter}`).length > 0)).toEqual(found);
	});

	it('the scope of the command line is the same', () => {
		const {search} = storeWith(everywhere);
		expect(search('promptword', {scope: 'prompts'})).toEqual(['s']);
		expect(search('replyword', {scope: 'prompts'})).toEqual([]);
		expect(search('titleword', {scope: 'prompts'})).toEqual([]);
	});

	it('copied events are not found, undone and gone ones are', () => {
		const {search} = storeWith({
			id: 's',
			title: 'untitled',
			events: [
				said('first'),
				{...said('copyword'), state: 'copied'},
				{...said('undoneword'), state: 'undone'},
				{...said('goneword'), state: 'gone'},
			],
		});
		expect(search('copyword')).toEqual([]);
		expect(search('undoneword goneword')).toEqual(['s']);
		expect(search('undoneword')).toEqual(['s']);
	});

	it('a list also finds by project, and by project and message together', () => {
		const {list} = storeWith(
			{id: 'a', project: '/w/api-server', events: [said('fix the limiter')]},
			{id: 'b', project: '/w/web', events: [said('fix the limiter')]},
		);
		expect(list('api-serv')).toEqual(['a']);
		expect(list('api-server limiter')).toEqual(['a']);
	});
});

describe('filters', () => {
	const at = (days: number): number => SEED_NOW_MS - days * DAY_MS;
	const sessions: readonly SeedSession[] = [
		{
			id: 'alpha',
			agent: 'claude-code',
			project: '/w/alpha',
			branch: 'main',
			model: 'claude-example-1',
			updatedAtMs: at(0.1),
			events: [
				said('word one\n```ts\n```'),
				{
					kind: 'tool_use',
					toolName: 'Bash',
					text: 'ls',
					isError: true,
					files: [{path: '/w/alpha/src/app/a.ts', change: 'edit'}],
				},
			],
		},
		{
			id: 'beta',
			agent: 'codex',
			project: '/w/beta app',
			branch: 'feature/main-menu',
			model: 'gpt-example',
			updatedAtMs: at(3),
			sourceState: 'deleted',
			events: [said('word two [image png, 2 KB]')],
		},
		{
			id: 'gamma',
			agent: 'pi',
			project: '/w/gamma',
			updatedAtMs: at(29),
			sourceState: 'archived',
			isRunning: true,
			cwd: '/definitely/not/there',
			directories: ['/w/alpha/tools'],
			events: [said('word three')],
		},
		{id: 'delta', agent: 'pixie', kind: 'imported', updatedAtMs: at(40), events: [said('word')]},
	];
	it.each([
		['agent:claude', ['alpha']],
		['agent:claude,codex', ['alpha', 'beta']],
		['agent:pi', ['gamma']],
		['agent:claude agent:codex', ['alpha', 'beta']],
		['-agent:codex', ['alpha', 'gamma', 'delta']],
		['agent:nobody', []],
		['project:alpha', ['alpha', 'delta']],
		['project:"beta app"', ['beta']],
		['project:GAM', ['gamma']],
		['project:/w/alpha', ['alpha', 'gamma', 'delta']],
		['project:/w', ['alpha', 'beta', 'gamma', 'delta']],
		['branch:main', ['alpha']],
		['branch:menu', ['beta']],
		['model:gpt', ['beta']],
		['tool:bash', ['alpha']],
		['file:src/app/a.ts', ['alpha']],
		['file:a.ts', ['alpha']],
		['file:app', ['alpha']],
		['file:.ts', ['alpha']],
		['file:/w/alpha/src', ['alpha']],
		['file:src\\app', ['alpha']],
		['file:pp/a.ts', []],
		['after:2d', ['alpha']],
		['after:1w', ['alpha', 'beta']],
		['after:today', ['alpha']],
		['after:2026-11-27', ['alpha', 'beta']],
		['before:2026-11-27', ['gamma', 'delta']],
		['date:2026-11-27', ['beta']],
		['date:2026-11', ['alpha', 'beta', 'gamma']],
		['is:deleted', ['beta']],
		['is:archived', ['gamma']],
		['is:imported', ['delta']],
		['is:live', ['gamma']],
		['is:missing-dir', ['alpha', 'beta', 'gamma', 'delta']],
		['has:error', ['alpha']],
		['has:image', ['beta']],
		['has:code', ['alpha']],
		['id:gam', ['gamma']],
		['id:codex:be', ['beta']],
		['is:deleted OR is:archived', ['beta', 'gamma']],
		['is:deleted is:archived', []],
	])('%s', (query, expected) => {
		const {list, search} = storeWith(...sessions);
		expect(list(query)).toEqual(expected);
		expect(new Set(search(`word ${query}`))).toEqual(new Set(expected));
		expect(new Set(list(`word ${query}`, {isTyping: true}))).toEqual(new Set(expected));
	});

	it.each(['is:sta', 'has:', 'after:20', 'in:pro', 'foo:bar'])(
		'%s, half typed or unknown, hides nothing by itself',
		query => {
			const {list} = storeWith(...sessions);
			if (query === 'foo:bar') expect(list(query)).toEqual([]);
			else expect(list(query)).toHaveLength(4);
		},
	);

	it('says what is no filter', () => {
		const {library} = storeWith(...sessions);
		expect(library.list(request('is:sta')).note).toMatch(/^is:sta is no filter: starred, /);
		expect(library.list(request('in:pro')).note).toMatch(/^in:pro is no filter: prompts, /);
	});

	it('flags of the command line do the same', () => {
		const {list} = storeWith(...sessions);
		const by = (filters: PageRequest['filters']) => list('', {filters});
		expect(by({agents: ['claude', 'codex']})).toEqual(['alpha', 'beta']);
		expect(by({project: 'beta'})).toEqual(['beta']);
		expect(by({since: '1w'})).toEqual(['alpha', 'beta']);
		expect(by({until: '2026-11-27'})).toEqual(['beta', 'gamma', 'delta']);
	});

	it('here: the project with its worktrees, and what worked in or below the directory', () => {
		const {list} = storeWith(
			{id: 'main', project: '/w/repo', cwd: '/w/repo', updatedAtMs: at(1), events: [said('x')]},
			{
				id: 'tree',
				project: '/w/repo',
				cwd: '/w/repo.wt/feat',
				updatedAtMs: at(2),
				events: [said('x')],
			},
			{
				id: 'guest',
				project: '/w/other',
				directories: ['/w/repo/docs'],
				updatedAtMs: at(3),
				events: [said('x')],
			},
			{id: 'other', project: '/w/other', updatedAtMs: at(4), events: [said('x')]},
			{id: 'home', project: '/w', updatedAtMs: at(5), events: [said('x')]},
		);
		const here = (directory: string) => list('', {filters: {here: directory}});
		expect(here('/w/repo')).toEqual(['main', 'tree', 'guest']);
		expect(here('/w/repo/docs')).toEqual(['main', 'tree', 'guest']);
		expect(here('/w/repo.wt/feat')).toEqual(['main', 'tree']);
		expect(here('/w/new')).toEqual([]);
		expect(here('/w')).toEqual(['main', 'tree', 'guest', 'other', 'home']);
		expect(here('/w/rep')).toEqual([]);
	});
});

describe('sub-agents and automated sessions', () => {
	const family = (): readonly SeedSession[] => [
		{id: 'root', title: 'the parent', events: [said('parent words')]},
		{
			id: 'root/agent-1',
			kind: 'subagent',
			title: 'find the puffins',
			parent: {id: 'root', relation: 'subagent'},
			events: [{kind: 'meta', text: 'task'}, said('the puffin colony', 'assistant')],
		},
		{
			id: 'root/agent-2',
			kind: 'subagent',
			title: 'nested',
			parent: {id: 'root/agent-1', relation: 'subagent'},
			events: [said('a nested walrus', 'assistant')],
		},
		{id: 'robot', kind: 'automated', title: 'nightly', events: [said('automatic words')]},
		{id: 'ghost', hiddenBy: 'guardian', title: 'ghost', events: [said('ghostly words')]},
	];

	it('are not listed unless asked for', () => {
		const {list} = storeWith(...family());
		expect(list('')).toEqual(['root']);
		expect(new Set(list('', {filters: {isAll: true}}))).toEqual(
			new Set(['root', 'root/agent-1', 'root/agent-2', 'robot']),
		);
		expect(new Set(list('is:subagent'))).toEqual(new Set(['root/agent-1', 'root/agent-2']));
		expect(list('is:automated')).toEqual(['robot']);
	});

	it('a hit in a sub-agent shows its parent and names the child', () => {
		const {library} = storeWith(...family());
		const [row, ...others] = library.list(request('puffin')).rows;
		expect(others).toEqual([]);
		expect(row?.session.id).toBe('root');
		expect(row?.match).toMatchObject({
			event: 'claude-code:root/agent-1:e1',
			eventIndex: 1,
			child: 'claude-code:root/agent-1',
			snippet: 'the puffin colony',
			matches: [[4, 10]],
		});
		expect(library.list(request('walrus')).rows[0]?.session.id).toBe('root');
		expect(library.list(request('nested')).rows[0]?.match?.child).toBe('claude-code:root/agent-2');
	});

	it('asked for by kind they are rows of their own', () => {
		const {list} = storeWith(...family());
		expect(list('is:subagent puffin')).toEqual(['root/agent-1']);
		expect(list('puffin', {filters: {isAll: true}})).toEqual(['root/agent-1']);
	});

	it('search names the session that has the words', () => {
		const {search} = storeWith(...family());
		expect(search('puffin')).toEqual(['root/agent-1']);
		expect(search('automatic')).toEqual(['robot']);
	});

	it('automated sessions are found by their words', () => {
		const {list} = storeWith(...family());
		expect(list('automatic')).toEqual(['robot']);
		expect(list('automatic -is:automated')).toEqual([]);
	});

	it('an orphan is its own row, a hidden session none', () => {
		const {list, search} = storeWith(
			{
				id: 'gone/agent-1',
				kind: 'subagent',
				title: 'orphan',
				parent: {id: 'gone', relation: 'subagent'},
				events: [said('lonely words', 'assistant')],
			},
			...family(),
		);
		expect(list('lonely')).toEqual(['gone/agent-1']);
		expect(list('ghostly')).toEqual([]);
		expect(search('ghostly')).toEqual([]);
	});

	it('a filter on the parent lets its sub-agents answer', () => {
		const {list, database} = storeWith(...family());
		database
			.prepare(
				"INSERT INTO mark(agent, native_id, starred, updated_at) VALUES ('claude-code', 'root', 1, 0)",
			)
			.run();
		expect(list('is:starred puffin')).toEqual(['root']);
	});
});

describe('order', () => {
	it('prompts before replies before outputs, titles first', () => {
		const filler = Array.from({length: 30}, (_, index) => ({
			id: `filler${index}`,
			title: 'untitled',
			events: [said('something else entirely')],
		}));
		const {search, list} = storeWith(
			...filler,
			{
				id: 'output',
				title: 'untitled',
				events: [said('a b'), {kind: 'tool_result', text: 'about the needle here'}],
			},
			{
				id: 'reply',
				title: 'untitled',
				events: [said('a b'), said('about the needle here', 'assistant')],
			},
			{
				id: 'prompt',
				title: 'untitled',
				events: [said('about the needle here'), said('yes', 'assistant')],
			},
			{
				id: 'title',
				title: 'the needle',
				events: [said('about the needle here'), said('yes', 'assistant')],
			},
		);
		expect(search('needle')).toEqual(['title', 'prompt', 'reply', 'output']);
		expect(list('needle')).toEqual(['title', 'prompt', 'reply', 'output']);
	});

	it('of equal matches the newer first', () => {
		const session = (id: string, days: number): SeedSession => ({
			id,
			title: 'untitled',
			updatedAtMs: SEED_NOW_MS - days * DAY_MS,
			events: [said('the same words')],
		});
		const {search, list} = storeWith(session('new', 1), session('old', 300), session('mid', 20));
		expect(search('words')).toEqual(['new', 'mid', 'old']);
		expect(list('')).toEqual(['new', 'mid', 'old']);
		expect(list('words', {sort: 'recent'})).toEqual(['new', 'mid', 'old']);
		expect(list('words', {isTyping: true})).toEqual(['new', 'mid', 'old']);
	});

	it('by messages', () => {
		const {list} = storeWith(
			{id: 'short', events: [said('words')]},
			{id: 'long', events: [said('words'), said('words', 'assistant'), said('words')]},
		);
		expect(list('', {sort: 'messages'})).toEqual(['long', 'short']);
		expect(list('words', {sort: 'messages'})).toEqual(['long', 'short']);
	});

	it('one row a session with its best event and the number of others', () => {
		const {library} = storeWith({
			id: 's',
			title: 'untitled',
			events: [
				{kind: 'tool_result', text: 'the needle is printed'},
				said('where is the needle'),
				said('no idea', 'assistant'),
				said('the needle again', 'assistant'),
			],
		});
		expect(library.search(request('needle')).hits).toMatchObject([
			{event: 'claude-code:s:e1', eventIndex: 1, kind: 'message', role: 'user', more: 2},
		]);
	});
});

describe('pages', () => {
	const many = (count: number): readonly SeedSession[] =>
		Array.from({length: count}, (_, index) => ({
			id: `s${index}`,
			title: index % 3 === 0 ? 'the words' : 'untitled',
			updatedAtMs: SEED_NOW_MS - Math.floor(index / 2) * HOUR_MS,
			events: [
				said(index % 2 === 0 ? 'some words' : 'other words, more words'),
				said('ok', 'assistant'),
			],
		}));

	it.each([
		['words', 'relevance'],
		['words', 'recent'],
		['words', 'messages'],
		['', 'recent'],
		['', 'messages'],
		['agent:claude', 'recent'],
	] as const)('%j by %s: every row once, in the order of one big page', (query, sort) => {
		const {library} = storeWith(...many(23));
		const whole = library.list(request(query, {sort}));
		expect(whole.rows).toHaveLength(23);
		expect(whole.nextCursor).toBeNull();
		const pages: string[] = [];
		let cursor: string | null = null;
		do {
			const page = library.list(
				request(query, {
					sort,
					limit: 5,
					...(cursor ? {cursor} : {}),
					nowMs: SEED_NOW_MS + pages.length,
				}),
			);
			expect(page.total).toBe(23);
			pages.push(...page.rows.map(({session}) => session.id));
			cursor = page.nextCursor;
		} while (cursor !== null);
		expect(pages).toEqual(whole.rows.map(({session}) => session.id));
	});

	it('what a sync brings meanwhile shifts nothing', () => {
		const {library, database} = storeWith(...many(12));
		for (const query of ['', 'words']) {
			const first = library.list(request(query, {limit: 6, sort: 'recent'}));
			seedSession(database, {
				id: `new${query}`,
				updatedAtMs: SEED_NOW_MS + HOUR_MS,
				events: [said('new words')],
			});
			const second = library.list(
				request(query, {limit: 20, sort: 'recent', cursor: first.nextCursor as string}),
			);
			const ids = [...first.rows, ...second.rows].map(({session}) => session.id);
			expect(new Set(ids).size).toBe(ids.length);
			expect(ids).not.toContain(`new${query}`);
		}
	});

	it.each(['', 'words', 'words other', 'agent:claude'])(
		'%j: however a sync moves rows between two pages, none comes twice and none is passed over',
		query => {
			const sessions = many(24);
			const {library, database} = storeWith(...sessions);
			for (const ask of ['list', 'search'] as const) {
				const pages: string[] = [];
				const all = library[ask](request(query));
				const before = 'rows' in all ? all.rows : all.hits;
				let cursor: string | null = null;
				for (let turn = 0; turn === 0 || cursor !== null; turn++) {
					const page: ListAnswer | SearchAnswer = library[ask](
						request(query, {limit: 5, ...(cursor ? {cursor} : {})}),
					);
					const rows = 'rows' in page ? page.rows : page.hits;
					pages.push(...rows.map(({session}) => session.id));
					cursor = page.nextCursor;
					// One comes, one that was far behind is gone on with, one that was given sinks.
					seedSession(database, {
						id: `new-${ask}-${turn}`,
						updatedAtMs: SEED_NOW_MS + HOUR_MS,
						events: [said('words words, other words')],
					});
					const touch = database.prepare('UPDATE session SET updated_at = ? WHERE native_id = ?');
					touch.run(SEED_NOW_MS + turn, `s${23 - turn}`);
					touch.run(SEED_NOW_MS - 90 * DAY_MS, `s${turn}`);
				}
				expect(pages.toSorted()).toEqual(before.map(({session}) => session.id).toSorted());
			}
		},
	);

	it('a cursor that is not ours begins at the beginning', () => {
		const {library} = storeWith(...many(4));
		for (const cursor of ['', 'nonsense', Buffer.from('[1,"2",3]').toString('base64url')])
			expect(library.list(request('', {cursor})).rows).toHaveLength(4);
	});

	it('sessions beyond the ranked window are found all the same', () => {
		const {database} = temporaryStore();
		seedSession(database, {
			id: 'old',
			title: 'untitled',
			updatedAtMs: SEED_NOW_MS - 9 * DAY_MS,
			events: [said('common')],
		});
		seedSession(database, {
			id: 'big',
			title: 'untitled',
			events: Array.from({length: 5200}, () => said('common', 'assistant')),
		});
		const {library} = finder(database);
		const answer = library.search(request('common'));
		expect(answer.hits.map(({session, more}) => [session.id, more])).toEqual([
			['big', 5199],
			['old', 0],
		]);
		expect(answer.total).toBe(2);
	});
});

describe('while typing', () => {
	it('a last word of one or two characters is looked for in titles only', () => {
		const {list} = storeWith(
			{id: 'title', title: 'middleware', events: [said('token one')]},
			{
				id: 'text',
				title: 'untitled',
				events: [said('hello'), said('token two middleware', 'assistant')],
			},
		);
		expect(list('mi', {isTyping: true})).toEqual(['title']);
		expect(new Set(list('mid', {isTyping: true}))).toEqual(new Set(['title', 'text']));
		expect(list('token mi', {isTyping: true})).toContain('text');
	});
});

describe('a query that may go on', () => {
	const sessions = [
		{id: 'title', title: 'going on', events: [said('token one', 'assistant')]},
		{id: 'word', title: 'untitled', events: [said('token: go on', 'assistant')]},
		{id: 'beginning', title: 'untitled', events: [said('token: gone', 'assistant')]},
	];

	it('takes a last word of one or two characters as a whole one in messages', () => {
		const {list, search} = storeWith(...sessions);
		expect(new Set(list('go', {isUnfinished: true}))).toEqual(new Set(['title', 'word']));
		expect(new Set(list('gon', {isUnfinished: true}))).toEqual(new Set(['beginning']));
		expect(list('token go', {isUnfinished: true})).not.toContain('beginning');
		expect(new Set(search('go'))).toEqual(new Set(['title', 'word', 'beginning']));
	});

	it('looks for all beginnings when there is no such word', () => {
		const {list} = storeWith(...sessions);
		expect(list('tok', {isUnfinished: true})).toHaveLength(3);
		expect(new Set(list('to', {isUnfinished: true}))).toEqual(
			new Set(['title', 'word', 'beginning']),
		);
	});

	it('counts facets as the list finds', () => {
		const {library} = storeWith(...sessions);
		const counts = library.facet('agent', request('go', {isUnfinished: true}));
		expect(counts.map(({count}) => count)).toEqual([2]);
	});
});

describe('snippets', () => {
	it('mark the words in line and title', () => {
		const {library} = storeWith({
			id: 's',
			title: 'Fix the Middleware',
			events: [said('the auth middleware\nis lost')],
		});
		const [row] = library.list(request('middlew')).rows;
		expect(row?.titleMatches).toEqual([[8, 15]]);
		expect(row?.match).toMatchObject({snippet: 'the auth middleware is lost', matches: [[9, 16]]});
	});

	it('take the subject of a tool call, and the whole text of what is cut off in the row', () => {
		const {database} = temporaryStore();
		seedSession(database, {
			id: 's',
			title: 'untitled',
			events: [
				{kind: 'tool_use', toolName: 'Bash', subject: 'npm run needle', text: '{}'},
				{kind: 'tool_result', text: `${'x '.repeat(50)}haystack`, shownText: 'x x x'},
			],
		});
		const library = createLibrary(database, {
			readWhole: event => (event.truncated ? `${'x '.repeat(50)}haystack` : undefined),
		});
		expect(library.search(request('needle')).hits[0]?.snippet).toBe('npm run needle');
		expect(library.search(request('haystack')).hits[0]?.snippet).toContain('haystack');
		expect(createLibrary(database).search(request('haystack')).hits[0]).toMatchObject({
			snippet: 'x x x',
			matches: [],
		});
	});

	it('a search that only the title answers shows the first prompt', () => {
		const {library} = storeWith({
			id: 's',
			title: 'Generated name',
			events: [{kind: 'meta', text: 'env'}, said('what is asked')],
		});
		expect(library.search(request('generated')).hits).toMatchObject([
			{event: 'claude-code:s:e1', snippet: 'what is asked', matches: [], more: 0},
		]);
		expect(library.search(request('agent:claude')).hits).toMatchObject([
			{snippet: 'what is asked'},
		]);
	});
});

describe('facets', () => {
	it('count the rows under query and filters but for their own', () => {
		const {library} = storeWith(
			{id: 'a', agent: 'claude-code', project: '/w/api', events: [said('word')]},
			{id: 'b', agent: 'codex', project: '/w/api', events: [said('word')]},
			{id: 'c', agent: 'codex', project: '/w/web', events: [said('other')]},
			{id: 'd', agent: 'codex', kind: 'automated', project: '/w/web', events: [said('hidden')]},
		);
		const counts = (...args: Parameters<typeof library.facet>) =>
			library.facet(...args).map(({label, count}) => `${label} ${count}`);
		expect(counts('agent', request(''))).toEqual(['codex 2', 'claude-code 1']);
		expect(counts('agent', request('word'))).toEqual(['claude-code 1', 'codex 1']);
		expect(counts('agent', request('agent:codex project:api'))).toEqual([
			'claude-code 1',
			'codex 1',
		]);
		expect(counts('agent', request('', {filters: {agents: ['codex']}}))).toEqual([
			'codex 2',
			'claude-code 1',
		]);
		expect(counts('project', request('agent:codex'))).toEqual(['api 1', 'web 1']);
		expect(library.facet('project', request('word'))).toEqual([
			{value: '/w/api', label: 'api', count: 2},
		]);
	});

	it('of branches and models, several at once', () => {
		const {library} = storeWith(
			{id: 'a', branch: 'main', model: 'm-1', events: [said('word')]},
			{id: 'b', branch: 'main', model: 'm-2', events: [said('word')]},
			{id: 'c', branch: 'fix/login', model: 'm-2', events: [said('word')]},
			{id: 'd', events: [said('word')]},
		);
		const counts = (...args: Parameters<typeof library.facet>) =>
			library.facet(...args).map(({value, count}) => `${value} ${count}`);
		expect(counts('branch', request('word branch:fix/login'))).toEqual(['main 2', 'fix/login 1']);
		expect(counts('branch', request('model:m-2'))).toEqual(['fix/login 1', 'main 1']);
		expect(counts('model', request('branch:main,fix/login'))).toEqual(['m-2 2', 'm-1 1']);
	});

	it('of what a near miss shows', () => {
		const {library} = storeWith(
			{id: 'a', branch: 'main', events: [said('the middleware')]},
			{id: 'b', branch: 'main', events: [said('other')]},
		);
		expect(library.facet('branch', request('midleware'))).toEqual([
			{value: 'main', label: 'main', count: 1},
		]);
	});

	it('of dates: spans up to now and months, whatever dates the query asks for', () => {
		const at = (id: string, text: string): SeedSession => ({
			id,
			updatedAtMs: Date.parse(text),
			events: [said('word')],
		});
		const {library, list} = storeWith(
			at('a', '2026-11-30T10:00:00Z'),
			at('b', '2026-11-29T10:00:00Z'),
			at('c', '2026-11-02T10:00:00Z'),
			at('d', '2026-09-15T10:00:00Z'),
			at('e', '2025-01-15T10:00:00Z'),
		);
		const facet = library.facet('date', request('word after:2d'));
		expect(facet.map(({value, count}) => `${value} ${count}`)).toEqual([
			'today 1',
			'yesterday 1',
			'7d 2',
			'30d 3',
			'90d 4',
			'365d 4',
			'2026-11 3',
			'2026-09 1',
			'2025-01 1',
		]);
		for (const {value, count} of facet) expect(list(`date:${value}`)).toHaveLength(count);
		expect(list('date:today,2026-09')).toHaveLength(2);
	});
});
