import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {
	claudeTranscript,
	createWorld,
	FIRST,
	fill,
	type Row,
	rows,
	SECOND,
	transcriptFile,
	type World,
} from '../helpers/command-line.js';

let world: World;
beforeEach(() => {
	world = createWorld();
	fill(world);
});
afterEach(() => world.remove());

const listed = (query = ''): Row[] =>
	rows(world.run(['list', ...(query ? [query] : []), '--json']).json(), 'sessions');
const transcript = (id: string): string => join(world.home, transcriptFile(id));

describe('restore', () => {
	it('brings a cleaned-up transcript back, so that it can be resumed', () => {
		const before = readFileSync(transcript(FIRST));
		world.run(['sync']);
		rmSync(transcript(FIRST));
		const {stderr} = world.run(['resume', FIRST, '--print']);
		expect(stderr).toContain('backscroll restore');
		expect(world.run(['restore', FIRST])).toMatchObject({
			code: 0,
			stdout: `${transcript(FIRST)}\n`,
		});
		expect(readFileSync(transcript(FIRST))).toEqual(before);
		expect(statSync(transcript(FIRST)).mode & 0o777).toBe(0o600);
		expect(world.run(['resume', FIRST, '--yes']).code).toBe(0);
		expect(world.agentCalls().at(-1)?.argv).toEqual(['claude', '--resume', FIRST]);
		const again = world.run(['restore', FIRST]);
		expect(again.code).toBe(1);
		expect(again.stderr).toContain('present');
	});

	it('says when there is nothing to bring back', () => {
		mkdirSync(world.data, {recursive: true});
		writeFileSync(join(world.data, 'config.json'), '{"mirror": false}');
		world.run(['sync']);
		rmSync(transcript(FIRST));
		const {code, stderr} = world.run(['restore', FIRST]);
		expect(code).toBe(1);
		expect(stderr).toContain('not mirrored');
		expect(existsSync(join(world.data, 'mirror'))).toBe(false);
		expect(world.run(['doctor']).stdout).toContain('turned off');
	});
});

describe('forget', () => {
	it('asks, shows, and then keeps a session out', () => {
		world.run(['sync']);
		expect(world.run(['forget', FIRST])).toMatchObject({code: 2});
		const dry = world.run(['forget', '--older-than', '2026-12-01', '--dry-run']);
		expect(dry.stdout).toContain(FIRST);
		expect(dry.stdout).toContain(SECOND);
		expect(listed()).toHaveLength(2);
		expect(world.run(['forget', FIRST, '--yes']).code).toBe(0);
		expect(listed().map(({id}) => id)).toEqual([SECOND]);
		expect(world.run(['search', 'puffins', '--json']).code).toBe(3);
		expect(existsSync(transcript(FIRST))).toBe(true);
		expect(world.run(['forget', FIRST, '--yes']).code).toBe(3);
		expect(world.run(['forget', '--older-than', 'soon', '--dry-run']).code).toBe(2);
	});
});

describe('archive, import, fork', () => {
	it('takes a session out and in again, once', () => {
		world.run(['sync']);
		const out = join(world.home, 'a.json');
		expect(world.run(['export', SECOND, '--format', 'archive', '--output', out])).toMatchObject({
			code: 0,
			stderr: expect.stringContaining('1 secret masked'),
		});
		const first = world.run(['import', out, '--json']).json();
		expect(first).toMatchObject({imported: true, format: 'archive'});
		expect(world.run(['import', out, '--json']).json()).toMatchObject({imported: false});
		const [imported] = listed('is:imported');
		expect(imported).toMatchObject({kind: 'imported', messages: 2});
		expect(imported?.['resume']).toHaveProperty('reason');
		rmSync(out);
		expect(world.run(['show', String(imported?.['ref']), '--raw']).stdout).toContain('gannets');
	});

	it('takes all sessions of an exchange file, with what they are to each other', () => {
		world.run(['sync']);
		const file = resolve('fixtures/custom-history/home/plugins/heron/lineage.jsonl');
		expect(world.run(['import', file, '--json']).json()).toMatchObject({
			format: 'custom-history',
			sessions: [{agent: 'stork'}, {agent: 'stork'}],
		});
		const [fork, parent] = listed('is:imported barn OR is:imported roof');
		expect(fork).toMatchObject({
			title: 'Build on the barn',
			parent: {ref: parent?.['ref'], relation: 'fork', certainty: 'exact'},
		});
		expect(parent).toMatchObject({title: 'Build on the roof', parent: null});
	});

	it('forks up to an event, and leaves the original as it is', () => {
		world.run(['sync']);
		const {events} = world.run(['show', FIRST, '--json']).json() as {events: {ref: string}[]};
		const made = world.run(['fork', FIRST, '--at', String(events[1]?.ref), '--json']).json();
		expect(made).toMatchObject({session: {kind: 'imported', messages: 2}});
		expect(listed('is:imported')).toHaveLength(1);
		expect(listed().find(({id}) => id === FIRST)).toMatchObject({messages: 4});
		expect(world.run(['fork', FIRST, '--at', 'nothing']).code).toBe(2);
	});
});

describe('a damaged history', () => {
	it('is set aside and said, and what only the mirror has comes back', () => {
		world.run(['sync']);
		rmSync(transcript(FIRST));
		world.run(['sync']);
		const path = join(world.data, 'history.db');
		rmSync(`${path}-wal`, {force: true});
		writeFileSync(path, 'no database '.repeat(1000));
		const {stderr} = world.run(['list']);
		expect(stderr).toContain('history.db.damaged-');
		expect(listed().map(({id, sourceState}) => [id, sourceState])).toEqual([
			[SECOND, 'present'],
			[FIRST, 'deleted'],
		]);
		expect(world.run(['restore', FIRST]).code).toBe(0);
		expect(world.run(['doctor']).stdout).toContain('set aside');
	});
});

/** `npm run test:kill` takes a long look. */
const KILL_RUNS = 2;

describe('a sync that is killed', () => {
	it('leaves a store that goes on, with every record once and a mirror in order', async () => {
		const many = Array.from({length: 40}, (_, n) => `${FIRST.slice(0, -2)}${10 + n}`);
		const turns = (n: number) =>
			Array.from({length: n}, (_, index) => ({
				role: index % 2 ? ('assistant' as const) : ('user' as const),
				text: `${index} ${'some words about seabirds '.repeat(40)}`,
			}));
		for (let run = 0; run < KILL_RUNS; run++) {
			for (const [index, id] of many.entries())
				world.write(
					transcriptFile(id),
					claudeTranscript({id, cwd: '/w'}, turns(10 + ((index * 7 + run * 3) % 30))),
				);
			const child = spawn(process.execPath, [resolve('dist/cli.js'), 'sync'], {
				env: {...process.env, HOME: world.home, BACKSCROLL_HOME: world.data},
				stdio: 'ignore',
			});
			await sleep(150 + ((run * 89) % 900));
			child.kill('SIGKILL');
			if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
			expect(world.run(['sync']).code).toBe(0);
			expect(world.run(['mirror', 'verify']).code).toBe(0);
			expect(world.run(['doctor', '--json']).json()).toMatchObject({database: {damage: []}});
			expect(listed('seabirds')).toHaveLength(many.length);
		}
		const [id = ''] = many;
		const before = readFileSync(transcript(id));
		rmSync(transcript(id));
		expect(world.run(['restore', id]).code).toBe(0);
		expect(readFileSync(transcript(id))).toEqual(before);
	}, 1_000_000);
});
