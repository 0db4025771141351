import '../../helpers/libraries.js';
import {render} from 'ink-testing-library';
import {afterEach, describe, expect, test, vi} from 'vitest';
import {App} from '../../../source/app/app.js';
import {createTheme} from '../../../source/terminal/theme.js';
import {widthOf} from '../../../source/terminal/width.js';
import type {ListAnswer, PageRequest} from '../../../store/library.js';
import {event, nowMs, row, session, testApp, toolCall, toolResult} from '../../helpers/app.js';

const theme = createTheme({name: 'default', isColour: false, isUnicode: true});

const refresh = session('a', {title: 'Fix token refresh', children: 2, starred: true});
const login = session('b', {
	title: 'Login loops\u001b[2J\u0007',
	agent: 'codex',
	ref: 'codex:b',
	sourceState: 'deleted',
	cwd: '/gone',
});

const events = [
	event(0, 'the refresh token is lost'),
	toolCall(1, 'c1', 'npm test -- auth'),
	toolResult(2, 'c1', 'first\nsecond'),
	event(3, 'The middleware keeps **the token** per request.', {role: 'assistant'}),
];

const transcript = {
	session: refresh,
	total: events.length,
	children: [],
	followers: [],
	parentTitle: null,
	parentIndex: null,
};

const prompts = [
	{
		index: 0,
		atMs: nowMs,
		text: 'the refresh token is lost',
		durationMs: null,
		toolCalls: 1,
		errors: 0,
		files: 0,
	},
];

const list = ({query}: PageRequest): ListAnswer => {
	if (query === '')
		return {total: 2, rows: [row(refresh), row(login)], nextCursor: null, note: null};
	if (query !== 'middleware')
		return {total: 0, rows: [], nextCursor: null, note: `no session holds “${query}”`};
	const match = {
		event: 'claude-code:a:e3',
		eventIndex: 3,
		snippet: 'The middleware keeps the token',
		matches: [[4, 14]] as const,
		more: 1,
		child: null,
	};
	return {total: 1, rows: [row(refresh, match)], nextCursor: null, note: null};
};

let open: (() => void)[] = [];
afterEach(() => {
	for (const close of open) close();
	open = [];
});

const start = async (answers: Parameters<typeof testApp>[0] = {}) => {
	const app = testApp({
		list,
		transcript: () => transcript,
		prompts: () => prompts,
		events: (_, {from, count}) => events.slice(from, from + count),
		missingDirectories: paths => paths.filter(path => path === '/gone'),
		...answers,
	});
	const {lastFrame, stdin, unmount} = render(<App store={app.store} theme={theme} />);
	open.push(app.stop, unmount);
	await app.settled();
	const frame = () => lastFrame() ?? '';
	return {
		...app,
		frame,
		until: (text: string | RegExp) =>
			vi.waitFor(() => expect(frame()).toMatch(text), {timeout: 3_000, interval: 5}),
		type: async (bytes: string) => {
			stdin.write(bytes);
			await app.settled();
		},
	};
};

const lineWith = (frame: string, text: string): string =>
	frame.split('\n').find(line => line.includes(text)) ?? '';

describe('the sessions screen', () => {
	test('shows what there is, what is selected and what can be pressed', async () => {
		const {frame, until} = await start();
		await until('2 sessions · 1 agent');
		expect(lineWith(frame(), 'Fix token refresh')).toMatch(
			/^ ▌Claude +Fix token refresh .*★ ⋯2 {2}orchard +4 +1 h/,
		);
		await until('⚠ ✗');
		expect(frame()).toMatch(/↵ read {2}\^R resume/);
	});

	test('lets nothing out of a title that a terminal would obey', async () => {
		const {frame, until} = await start();
		await until('Login loops');
		expect(frame()).not.toMatch(/[\u0007\u001b]/);
	});

	test('a typed query shows the best line of each session, marked as its words are found', async () => {
		const {frame, until, type} = await start();
		await until('Login loops');
		await type('middleware');
		await until('The middleware keeps the token');
		expect(frame()).toContain('› middleware▏');
		expect(frame()).toMatch(/by relevance · 1 session/);
		expect(frame()).not.toContain('Login loops');
	});

	test('says why nothing was found', async () => {
		const {type, until} = await start();
		await type('xyz');
		await until('Nothing found for xyz');
		await until('no session holds “xyz”');
	});

	test('without any history names the folders that were looked at and offers the demo', async () => {
		const {until, type, done, say} = await start({
			list: () => ({total: 0, rows: [], nextCursor: null, note: null}),
			counts: () => ({sessions: 0, agents: 0, lastSyncMs: null}),
			roots: () => [
				{
					agent: 'codex',
					path: '/home/kim/.codex',
					state: 'absent',
					sources: 0,
					shown: 0,
					hidden: {},
					problems: 0,
					firstProblem: null,
					agentVersion: null,
					lastSyncMs: null,
					isUnused: true,
				},
			],
		});
		say({type: 'done', summary: {agents: [], ms: 1, unreadable: 0, pending: 0}});
		await until(/Codex {2}~\/\.codex {2}not there/);
		await type('\r');
		expect(done).toContain('quit {"isDemo":true}');
	});

	test('rows come in while the sync runs, and the header says how far it is', async () => {
		let rows = [row(refresh)];
		const {until, say} = await start({
			list: () => ({total: rows.length, rows, nextCursor: null, note: null}),
		});
		say({
			type: 'progress',
			progress: {
				phase: 'reading',
				sourcesTotal: 1_596,
				sourcesDone: 312,
				bytesTotal: 120_000_000,
				bytesDone: 41_000_000,
			},
		});
		await until(/syncing █+░+ 312 of 1,596 · 41 of 120 MB/);
		rows = [row(login), row(refresh)];
		say({type: 'changed', sessions: ['codex:b']});
		await until('Login loops');
	});

	test('an answer that comes after a newer question is not shown', async () => {
		const {frame, type, until, asked} = await start();
		await until('Login loops');
		await type('xy');
		await type('\u0015middleware');
		await until('1 session');
		expect(asked.filter(({question}) => question === 'list').length).toBeGreaterThan(2);
		expect(frame()).not.toContain('Nothing found');
	});
});

describe('the reader', () => {
	const opened = async () => {
		const app = await start();
		await app.until('Login loops');
		await app.type('\r');
		await app.until('1 of 1');
		return app;
	};

	test('shows the conversation with prompts, calls and rendered replies', async () => {
		const {frame} = await opened();
		expect(frame()).toMatch(/❯ the refresh token is lost/);
		expect(frame()).toMatch(/▸ Bash {2}npm test -- auth +2 lines/);
		expect(frame()).toContain('│ The middleware keeps the token per request.');
		expect(frame()).toMatch(/100 %/);
	});

	test('opened from a search it stands at the match with its words marked', async () => {
		const app = await start();
		await app.type('middleware');
		await app.until('The middleware keeps');
		await app.type('\r');
		await app.until('per request');
		expect(app.store.getState().reader?.block).toBe(3);
		expect(lineWith(app.frame(), 'per request')).toMatch(/^▌/);
	});

	test('unfolds, finds, copies and goes back to the same row', async () => {
		const app = await opened();
		await app.type('}');
		await app.type('\r');
		await app.until('second');
		await app.type('y');
		expect(app.done).toEqual(['copy npm test -- auth\n\nfirst\nsecond']);
		await app.until('block copied · system clipboard');
		await app.type('q');
		await app.until(/▌Claude +Fix token refresh/);
	});

	test('a star is kept and shown', async () => {
		const marks: unknown[] = [];
		const app = await start({
			mark: (ref, change) => {
				marks.push(ref, change);
			},
		});
		await app.until('Login loops');
		await app.type('\r');
		await app.until('1 of 1');
		await app.type('*');
		await app.until('star taken away');
		expect(marks).toEqual([refresh.ref, {starred: false}]);
	});
});

describe('dialogs', () => {
	test('the resume sheet shows what would run, and runs it on Enter only', async () => {
		const {type, until, done} = await start();
		await until('Login loops');
		await type('\u0012');
		await until('claude --resume a');
		await until(/directory +✓ exists, on main/);
		expect(done).toEqual([]);
		await type('\r');
		expect(done).toEqual(['run claude --resume a · claude --resume a']);
		await until(/▌Claude/);
	});

	test('the export dialog writes to the path that is shown', async () => {
		const written: unknown[] = [];
		const app = await start({
			exportPath: (_, {format}, folder) => `${folder}/talk.${format === 'json' ? 'json' : 'md'}`,
			exportFile: (ref, choice, path) => {
				written.push(ref, choice, path);
				return {path, masked: 2};
			},
		});
		await app.until('Login loops');
		await app.type('\u0013');
		await app.until('talk.md');
		await app.type(' ');
		await app.until('talk.json');
		await app.type('\r');
		expect(written).toEqual([
			refresh.ref,
			{format: 'json', tools: 'short', hasReasoning: false},
			'/home/kim/orchard/talk.json',
		]);
		await app.until('written: /home/kim/orchard/talk.json · 2 secrets masked');
	});

	test('the palette finds an action by its name and does it', async () => {
		const {type, until} = await start();
		await until('Login loops');
		await type('\u000b');
		await until('All actions');
		await type('choose proj');
		await until(/▌Choose projects/);
		await type('\r');
		await until('every project');
	});

	test('several projects can be picked; they stand in the query then', async () => {
		const {type, until, asked} = await start({
			facet: name =>
				name === 'project'
					? [
							{value: '/w/orchard', label: 'orchard', count: 3},
							{value: '/w/mill', label: 'mill', count: 1},
						]
					: [],
		});
		await until('Login loops');
		await type('\u0006');
		await until(/orchard {2}\/w\/orchard +3 sessions/);
		await type('mil');
		await type('\t');
		await type('\u0015orch\t');
		await until(/✓ orchard/);
		await type('\r');
		await until('› project:mill,orchard');
		const last = asked.filter(({question}) => question === 'list').at(-1);
		expect(last?.parameters[0]).toMatchObject({query: 'project:mill,orchard '});
	});

	test('the help names every screen', async () => {
		const {type, until, frame} = await start();
		await until('Login loops');
		await type('?');
		await until('Keys');
		expect(frame()).toContain('Ctrl-R');
		await type('\u001b');
		await until('Login loops');
	});
});

test.each([
	{columns: 120, rows: 40},
	{columns: 58, rows: 16},
	{columns: 40, rows: 10},
	{columns: 20, rows: 6},
])('nothing is wider or higher than $columns×$rows', async size => {
	const {store, frame, press, settled} = await start();
	store.dispatch({type: 'resized', size});
	const fits = async () => {
		await settled();
		const lines = frame().split('\n');
		expect(lines.length).toBeLessThan(size.rows);
		for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(size.columns);
	};
	await fits();
	// Query, reader, its find line, help, palette, resume sheet, export dialog, project picker.
	const journey =
		'm i d d l e w a r e enter / t o k escape ? q ctrl+k escape r escape x escape i escape q ctrl+f escape';
	for (const key of journey.split(' ')) {
		press(key);
		await fits();
	}
	expect(store.getState().screen).toBe('list');
});
