import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {
	claudeTranscript,
	createWorld,
	rows,
	transcriptFile,
	type World,
} from '../helpers/command-line.js';

const idOf = (number: number): string =>
	`0a1b2c3d-${String(number).repeat(4)}-4111-8111-111111111111`;
const DEEP = idOf(1);
/** More than the index keeps of one message. */
const filler = 'gravel '.repeat(60_000);

let world: World;
beforeAll(() => {
	world = createWorld();
	const texts = [
		`${filler} the hidden puffin ${filler}`,
		'puffins dive',
		'puffins and razorbills',
		'a puffin',
	];
	for (const [index, text] of texts.entries()) {
		const id = idOf(index + 1);
		world.write(
			transcriptFile(id),
			claudeTranscript(
				{id, cwd: join(world.home, 'work'), from: `2026-11-0${index + 1}T10:00:00Z`},
				[
					{role: 'user', text: index === 0 ? 'a long paste follows' : text},
					{role: 'assistant', text: index === 0 ? text : 'yes'},
				],
			),
		);
	}
});
afterAll(() => world.remove());

const sessionsOf = (document: Record<string, unknown>): unknown[] =>
	rows(document, 'hits').map(({session}) => String(session).slice('claude-code:'.length));

describe('search --deep', () => {
	it('finds in the raw records what the index does not keep', () => {
		const indexed = world.run(['search', 'hidden', 'puffin', '--json']).json();
		expect(sessionsOf(indexed)).not.toContain(DEEP);
		expect(indexed['note']).toContain('“hidden” occurs nowhere.');
		const {code, json, stderr} = world.run(['search', '--deep', 'HIDDEN', 'puffin', '--json']);
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
		expect(document).toMatchObject({
			query: 'HIDDEN puffin',
			total: 1,
			note: null,
			nextCursor: null,
		});
		expect(sessionsOf(document)).toEqual([DEEP]);
		const [hit = {}] = rows(document, 'hits');
		const [[start, end] = [0, 0]] = hit['matches'] as [number, number][];
		expect(String(hit['snippet']).slice(start, end)).toBe('hidden puffin');
		expect(stderr).toMatch(/scanned 4 of 4 files, [\d.]+ MB at \d+ MB\/s/);
	});

	it('prints each hit when it is found, and stops at the limit', () => {
		const plain = world.run(['search', '--deep', 'puffin', '--limit', '2']);
		expect(plain.stdout).toContain('a puffin');
		expect(plain.stdout.trimEnd().split('\n')).toHaveLength(4);
		expect(plain.stderr).toContain('stopped after 2 sessions: --limit gives more');
		const lines = world.run(['search', '--deep', 'puffin', '--jsonl']).stdout.trimEnd().split('\n');
		expect(lines.map(line => (JSON.parse(line) as {event: string}).event)).toHaveLength(4);
	});

	it('goes on where it stopped', () => {
		const first = world.run(['search', '--deep', 'puffin', '--limit', '3', '--json']).json();
		const cursor = String(first['nextCursor']);
		const next = world.run(['search', '--deep', 'puffin', '--cursor', cursor, '--json']).json();
		expect([...sessionsOf(first), ...sessionsOf(next)]).toEqual([idOf(4), idOf(3), idOf(2), DEEP]);
		expect(next['nextCursor']).toBeNull();
	});

	it('without a text to look for, or without a hit, is exit 3', () => {
		expect(world.run(['search', '--deep', 'walrus'])).toMatchObject({code: 3, stdout: ''});
		const nothing = world.run(['search', '--deep', 'agent:claude-code']);
		expect(nothing).toMatchObject({code: 3});
		expect(nothing.stderr).toContain('Nothing to look for.');
	});
});

describe('a match in what the history does not store of a long output', () => {
	it('is shown in its place, read back from the transcript', () => {
		const id = idOf(9);
		const record = (index: number, message: Record<string, unknown>) =>
			`${JSON.stringify({
				type: message['role'],
				uuid: `${id.slice(0, 24)}${String(index).padStart(12, '0')}`,
				parentUuid: index === 0 ? null : `${id.slice(0, 24)}${String(index - 1).padStart(12, '0')}`,
				sessionId: id,
				timestamp: `2026-11-05T10:0${index}:00Z`,
				cwd: join(world.home, 'work'),
				version: '2.1.300',
				message,
			})}\n`;
		const output = `${'ok '.repeat(2000)}the guillemot failed ${'ok '.repeat(2000)}`;
		world.write(
			transcriptFile(id),
			record(0, {role: 'user', content: 'run it'}) +
				record(1, {
					id: 'msg_1',
					role: 'assistant',
					content: [{type: 'tool_use', id: 'call_1', name: 'Bash', input: {command: 'npm test'}}],
				}) +
				record(2, {
					role: 'user',
					content: [{type: 'tool_result', tool_use_id: 'call_1', content: output}],
				}),
		);
		for (const [command, list] of [
			['search', 'hits'],
			['list', 'sessions'],
		] as const) {
			const [row = {}] = rows(world.run([command, 'guillemot', '--json']).json(), list);
			const shown = command === 'search' ? row : (row['match'] as Record<string, unknown>);
			expect(String(shown['snippet'])).toContain('the guillemot failed');
		}
		rmSync(join(world.home, transcriptFile(id)));
	});
});

describe('pages of search --json', () => {
	it('stay what they were while sessions come, go on and are cleaned up', () => {
		const page = (...more: string[]) =>
			world.run(['search', 'puffin', '--limit', '2', '--json', ...more]).json();
		const whole = sessionsOf(world.run(['search', 'puffin', '--json']).json());
		const first = page();
		world.write(
			transcriptFile(idOf(7)),
			claudeTranscript({id: idOf(7), cwd: join(world.home, 'work'), from: '2026-11-20T10:00:00Z'}, [
				{role: 'user', text: 'puffin puffin'},
			]),
		);
		const moved = String(whole[0]);
		rmSync(join(world.home, transcriptFile(moved)));
		const next = page('--cursor', String(first['nextCursor']));
		expect([...sessionsOf(first), ...sessionsOf(next)].toSorted()).toEqual(whole.toSorted());
	});
});

describe('whatever is asked for', () => {
	const queries = [
		'"abc',
		'NEAR(',
		'a OR',
		'{}',
		'\\',
		'\ud800',
		'x'.repeat(5000),
		'paste of words '.repeat(6900),
	];

	it.each(queries.map(query => [query.length > 40 ? `${query.slice(0, 12)}…` : query, query]))(
		'%j is answered by list, search and a scan alike',
		(_, query) => {
			for (const argv of [['list'], ['search'], ['search', '--deep']]) {
				const {code, stdout, stderr} = world.run([...argv, '--no-sync', '--json', '--', query]);
				expect([0, 3]).toContain(code);
				expect(() => JSON.parse(stdout)).not.toThrow();
				expect(stderr).not.toMatch(/SQLITE|fts5|syntax error|no such column|went wrong/);
			}
		},
	);

	it.each([
		'puffin',
		'puffin after:2026-11-03',
		'puf OR razorbills',
		'project:work',
		'-razorbills dive',
	])('list and search find the same: %s', query => {
		const ids = (command: string, name: string, field: string) =>
			rows(world.run([command, '--no-sync', '--json', '--', query]).json(), name)
				.map(row => String(row[field]))
				.toSorted();
		const listed = ids('list', 'sessions', 'ref');
		expect(listed.length).toBeGreaterThan(0);
		expect(ids('search', 'hits', 'session')).toEqual(listed);
	});
});
