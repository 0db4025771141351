import {readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {
	createWorld,
	FIRST,
	fill,
	type Row,
	rows,
	SECOND,
	transcriptFile,
	type World,
} from '../helpers/command-line.js';

const REF = `claude-code:${FIRST}`;
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

const filesBelow = (folder: string): readonly string[] =>
	readdirSync(folder, {recursive: true}).map(String).sort();

let world: World;
let filesBefore: readonly string[] = [];
beforeAll(() => {
	world = createWorld();
	fill(world);
	filesBefore = filesBelow(world.home);
});
afterAll(() => world.remove());

describe('list', () => {
	it('reads what is there before it answers, newest first', () => {
		const {code, json, stderr} = world.run(['list', '--json']);
		const document = json();
		expect(code).toBe(0);
		expect(stderr).toBe('');
		expect(Object.keys(document)).toEqual([
			'schemaVersion',
			'query',
			'total',
			'sessions',
			'nextCursor',
		]);
		expect(document).toMatchObject({schemaVersion: 1, query: '', total: 2, nextCursor: null});
		expect(rows(document, 'sessions').map(({id}) => id)).toEqual([SECOND, FIRST]);
		expect(rows(document, 'sessions')[1]).toMatchObject({
			ref: REF,
			title: 'how do puffins dive',
			titleFrom: 'prompt',
			messages: 4,
			prompts: 2,
			updatedAt: '2026-11-01T10:03:00.000Z',
			match: null,
			resume: {argv: ['claude', '--resume', FIRST], cwd: join(world.home, 'work'), env: {}},
		});
	});

	it('writes nothing below HOME', () => {
		expect(filesBelow(world.home)).toEqual(filesBefore);
		expect(statSync(world.data).mode & 0o777).toBe(0o700);
		expect(statSync(join(world.data, 'history.db')).mode & 0o777).toBe(0o600);
	});

	it('has one object a line with --jsonl', () => {
		const lines = world.run(['list', '--jsonl']).stdout.trimEnd().split('\n');
		expect(lines.map(line => (JSON.parse(line) as Row)['id'])).toEqual([SECOND, FIRST]);
	});

	it('goes on where a page ended', () => {
		const first = world.run(['list', '--limit', '1', '--json']).json();
		const next = world.run([
			'list',
			'--limit',
			'1',
			'--json',
			'--cursor',
			String(first['nextCursor']),
		]);
		expect(rows(next.json(), 'sessions').map(({id}) => id)).toEqual([FIRST]);
	});

	it('is plain text as wide as COLUMNS, without any control byte', () => {
		const {stdout} = world.run(['list'], {env: {COLUMNS: '64'}});
		expect(stdout).toContain('red alert about gannets');
		expect(stdout).not.toMatch(controls);
		for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(64);
	});

	it('may be empty, but a query without a hit is exit 3', () => {
		expect(world.run(['list', '--agent', 'codex', '--json'])).toMatchObject({code: 0});
		const missed = world.run(['list', 'walrus', '--json']);
		expect(missed.code).toBe(3);
		expect(rows(missed.json(), 'sessions')).toEqual([]);
	});

	it('filters by day and by directory', () => {
		const ids = (...argv: string[]) =>
			rows(world.run(['list', '--json', ...argv]).json(), 'sessions').map(({id}) => id);
		expect(ids('--since', '2026-11-02')).toEqual([SECOND]);
		expect(ids('--until', '2026-11-01')).toEqual([FIRST]);
		expect(ids('--project', join(world.home, 'work'))).toContain(FIRST);
		expect(ids('--project', '/elsewhere')).toEqual([]);
	});
});

describe('search', () => {
	it('gives the best event of each session', () => {
		const {code, json} = world.run(['search', 'razorbills', '--json']);
		const document = json();
		expect(code).toBe(0);
		expect(Object.keys(document)).toEqual([
			'schemaVersion',
			'query',
			'total',
			'note',
			'hits',
			'nextCursor',
		]);
		const [hit = {}] = rows(document, 'hits');
		expect(Object.keys(hit)).toEqual(
			'session event agent title project kind role at snippet matches score more'.split(' '),
		);
		expect(hit).toMatchObject({session: REF, kind: 'message', role: 'user'});
		const [[start, end] = [0, 0]] = hit['matches'] as [number, number][];
		expect(String(hit['snippet']).slice(start, end)).toBe('razorbills');
	});

	it('marks the match where it stands when control bytes were dropped before it', () => {
		const [hit = {}] = rows(world.run(['search', 'gannets', '--json']).json(), 'hits');
		expect(String(hit['snippet'])).not.toMatch(controls);
		const [[start, end] = [0, 0]] = hit['matches'] as [number, number][];
		expect(String(hit['snippet']).slice(start, end)).toBe('gannets');
	});

	it('takes what follows -- as words', () => {
		const {code, json} = world.run(['search', '--json', '--', 'razorbills', '-walrus']);
		expect(code).toBe(0);
		expect(json()['query']).toBe('razorbills -walrus');
	});

	it('prints its document without a hit, too', () => {
		const {code, json} = world.run(['search', 'walrus', '--json']);
		expect(code).toBe(3);
		expect(json()).toMatchObject({schemaVersion: 1, total: 0, hits: []});
	});

	it('needs a query', () => {
		expect(world.run(['search', '--json'])).toMatchObject({code: 2, stdout: ''});
	});
});

describe('show', () => {
	it('gives a session with its events', () => {
		const {code, json} = world.run(['show', REF, '--json']);
		const document = json();
		expect(code).toBe(0);
		expect(Object.keys(document)).toEqual(['schemaVersion', 'session', 'events']);
		expect(rows(document, 'events').map(({text}) => text)).toEqual([
			'how do puffins dive',
			'With their wings, down to sixty metres.',
			'and razorbills',
			'Deeper still.',
		]);
	});

	it('gives an event, and its neighbours when asked', () => {
		const events = rows(world.run(['show', REF, '--json']).json(), 'events');
		const third = String(events[2]?.['ref']);
		const texts = (...argv: string[]) =>
			rows(world.run(['show', third, '--json', ...argv]).json(), 'events').map(({text}) => text);
		expect(texts()).toEqual(['and razorbills']);
		expect(texts('--context', '1')).toEqual([
			'With their wings, down to sixty metres.',
			'and razorbills',
			'Deeper still.',
		]);
	});

	it('prints raw records as they are', () => {
		const {stdout} = world.run(['show', SECOND, '--raw']);
		expect(stdout).toBe(readFileSync(join(world.home, transcriptFile(SECOND)), 'utf8'));
	});

	it('takes the beginning of an id, and names the candidates when it is not clear', () => {
		expect(world.run(['show', FIRST.slice(0, 10), '--json']).json()).toMatchObject({
			session: {ref: REF},
		});
		const {code, stdout, stderr} = world.run(['show', '0a1b2c3d']);
		expect(code).toBe(2);
		expect(stdout).toBe('');
		expect(stderr).toContain(REF);
		expect(stderr).toContain(`claude-code:${SECOND}`);
	});

	it('answers an unknown name with one clean line', () => {
		const {code, stdout, stderr} = world.run(['show', 'nothing\u001b[2J']);
		expect(code).toBe(3);
		expect(stdout).toBe('');
		expect(stderr).toBe('backscroll: nothing is called nothing\n');
	});
});

describe('export', () => {
	it('prints Markdown, masked, and says how much was masked', () => {
		const {code, stdout, stderr} = world.run(['export', SECOND]);
		expect(code).toBe(0);
		expect(stdout).toContain('gannets');
		expect(stdout).not.toContain('aB3dE5');
		expect(stdout).not.toMatch(controls);
		expect(stderr).toMatch(/\b1\b/);
		expect(world.run(['export', SECOND, '--no-redact']).stdout).toContain('ghp_aB3dE5');
	});

	it('writes into a folder under a telling name, and not over a file', () => {
		const folder = join(world.data, '..', 'notes');
		expect(world.run(['export', FIRST, SECOND, '--output', folder]).code).toBe(0);
		const names = readdirSync(folder);
		expect(names).toHaveLength(2);
		expect(names.every(name => /^2026-11-0[12]-claude-code-.*\.md$/.test(name))).toBe(true);
		const again = world.run(['export', FIRST, '--output', `${folder}/`]);
		expect(again.code).toBe(1);
		expect(again.stderr).toContain('--force');
		expect(world.run(['export', FIRST, '--output', `${folder}/`, '--force']).code).toBe(0);
		expect(readdirSync(folder)).toHaveLength(2);
	});

	it('takes ~ as the home folder', () => {
		expect(world.run(['export', FIRST, '--output', '~/talk.md']).code).toBe(0);
		const file = join(world.home, 'talk.md');
		expect(readFileSync(file, 'utf8')).toContain('puffins');
		rmSync(file);
	});

	it('needs a folder for several', () => {
		expect(world.run(['export', FIRST, SECOND])).toMatchObject({code: 2, stdout: ''});
	});

	it('says which formats it does not have', () => {
		const {code, stderr} = world.run(['export', FIRST, '--format', 'html']);
		expect(code).toBe(2);
		expect(stderr).toContain('html');
	});

	it('is one document with --format json', () => {
		const document = world.run(['export', FIRST, '--format', 'json']).json();
		expect(Object.keys(document)).toEqual(['schemaVersion', 'session', 'events']);
	});
});
