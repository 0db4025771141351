import {existsSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {
	claudeTranscript,
	createWorld,
	FIRST,
	fill,
	rows,
	SECOND,
	transcriptFile,
	type World,
} from '../helpers/command-line.js';

let world: World;
beforeAll(() => {
	world = createWorld();
	fill(world);
	world.run(['sync']);
});
afterAll(() => world.remove());

describe('resume', () => {
	it('runs the agent where the session was, and ends as it ends', () => {
		const {code} = world.run(['resume', FIRST, '--yes', '--', '--verbose'], {
			env: {FAKE_AGENT_CODE: '7'},
		});
		expect(code).toBe(7);
		expect(world.agentCalls().at(-1)).toEqual({
			argv: ['claude', '--resume', FIRST, '--verbose'],
			cwd: join(world.home, 'work'),
		});
	});

	it('prints a command that a shell understands', () => {
		const before = world.agentCalls().length;
		const {stdout} = world.run(['resume', FIRST, '--print']);
		expect(world.agentCalls()).toHaveLength(before);
		world.run([], {shell: stdout, cwd: '/'});
		expect(world.agentCalls().at(-1)).toEqual({
			argv: ['claude', '--resume', FIRST],
			cwd: join(world.home, 'work'),
		});
	});

	it('asks nobody who is not there', () => {
		const before = world.agentCalls().length;
		const {code, stderr} = world.run(['resume', FIRST]);
		expect(code).not.toBe(0);
		expect(stderr).toContain('--yes');
		expect(world.agentCalls()).toHaveLength(before);
	});

	it('starts nothing in a wrong place: names the directory and the nearest one', () => {
		const before = world.agentCalls().length;
		const {code, stderr} = world.run(['resume', SECOND, '--yes']);
		expect(code).toBe(1);
		expect(stderr).toContain(join(world.home, 'work', 'gone', 'deep'));
		expect(stderr).toMatch(/\/work(?!\/gone)/);
		expect(world.agentCalls()).toHaveLength(before);
	});

	it('takes another directory', () => {
		expect(world.run(['resume', SECOND, '--dir', world.home, '--yes']).code).toBe(0);
		expect(world.agentCalls().at(-1)?.cwd).toBe(world.home);
	});
});

describe('mark', () => {
	it('sets stars, title, tags and a note, and takes them back', () => {
		expect(
			world.run([
				'mark',
				FIRST,
				'--star',
				'--title',
				'Auks',
				'--tag',
				'birds',
				'--tag',
				'sea',
				'--note',
				'n',
			]).code,
		).toBe(0);
		const session = () => world.run(['show', FIRST, '--json', '--no-sync']).json()['session'];
		expect(session()).toMatchObject({
			starred: true,
			title: 'Auks',
			titleFrom: 'own',
			tags: ['birds', 'sea'],
			note: 'n',
		});
		world.run(['mark', FIRST, '--unstar', '--title', '', '--untag', 'sea', '--note', '']);
		expect(session()).toMatchObject({
			starred: false,
			title: 'how do puffins dive',
			tags: ['birds'],
			note: null,
		});
	});

	it('needs something to do', () => {
		expect(world.run(['mark', FIRST]).code).toBe(2);
		expect(world.run(['mark', FIRST, '--star', '--unstar']).code).toBe(2);
	});
});

describe('sync, sources, doctor, config', () => {
	it('has nothing to do the second time', () => {
		const {code, json} = world.run(['sync', '--json']);
		expect(code).toBe(0);
		const document = json();
		expect(Object.keys(document)).toEqual(['schemaVersion', 'agents', 'ms']);
		for (const counts of rows(document, 'agents'))
			expect(counts).toMatchObject({read: 0, added: 0, updated: 0, problems: 0});
	});

	it('counts what it has read', () => {
		const {stdout} = world.run(['sync', '--full']);
		expect(stdout).toMatch(/^claude-code +2 +2 +0/m);
	});

	it('says what was found where', () => {
		const roots = rows(world.run(['sources', '--json']).json(), 'roots');
		expect(roots).toContainEqual(
			expect.objectContaining({
				agent: 'claude-code',
				path: join(world.home, '.claude'),
				state: 'present',
				sources: 2,
				shown: 2,
			}),
		);
		const {stdout} = world.run(['sources']);
		expect(stdout).toContain('~/.claude');
		expect(stdout).not.toContain('~/.codex');
		expect(stdout).toMatch(
			/^\d+ agents not found here, \d+ places without a store; --all lists them$/m,
		);
		expect(world.run(['sources', '--all']).stdout).toContain('~/.codex');
	});

	it('lists the files that it would read', () => {
		const files = rows(
			world.run(['sources', '--files', '--agent', 'claude-code', '--json']).json(),
			'files',
		);
		expect(files.map(({path}) => path).sort()).toEqual(
			[FIRST, SECOND].map(id => join(world.home, transcriptFile(id))),
		);
		expect(
			rows(world.run(['sources', '--files', '--root', '/elsewhere', '--json']).json(), 'files'),
		).toEqual([]);
	});

	it('examines itself', () => {
		const {code, json} = world.run(['doctor', '--json']);
		expect(code).toBe(0);
		expect(json()).toMatchObject({schemaVersion: 1, sessions: 2, database: {damage: []}});
		expect(world.run(['doctor']).stdout).toContain('in order');
	});

	it('names a wrong setting and works all the same', () => {
		const file = join(world.data, 'config.json');
		writeFileSync(file, '{"theme": "neon", "enter": "resume"}');
		const {code, json, stderr} = world.run(['config', '--json']);
		expect(code).toBe(0);
		expect(stderr).toContain('theme');
		expect(json()).toMatchObject({path: file, config: {theme: 'default', enter: 'resume'}});
		rmSync(file);
	});
});

describe('settings', () => {
	const other = () => join(world.data, '..', 'other');
	const configured = (config: unknown) => {
		mkdirSync(other(), {recursive: true});
		writeFileSync(join(other(), 'config.json'), JSON.stringify(config));
	};
	const ids = (...argv: string[]) =>
		rows(world.run(['list', '--json', '--data-dir', other(), ...argv]).json(), 'sessions').map(
			({id}) => id,
		);

	it('reads further roots, and only lists hidden agents when they are asked for', () => {
		const third = '0a1b2c3d-3333-4333-8333-333333333333';
		const file = world.write(
			`laptop/.claude/projects/-x/${third}.jsonl`,
			claudeTranscript({id: third, cwd: '/x', from: '2026-11-03T10:00:00Z'}, [
				{role: 'user', text: 'and the auks'},
				{role: 'assistant', text: 'All of them dive.'},
			]),
		);
		configured({roots: [{agent: 'claude-code', path: '~/laptop/.claude', label: 'laptop'}]});
		expect(ids()).toEqual([third, SECOND, FIRST]);
		configured({hiddenAgents: ['claude-code']});
		expect(ids()).toEqual([]);
		expect(ids('--agent', 'claude-code')).toContain(FIRST);
		rmSync(file);
	});

	it('adds flags to the resume command', () => {
		configured({flags: {'claude-code': ['--model', 'big one']}});
		const {stdout} = world.run(['resume', FIRST, '--print', '--data-dir', other()]);
		expect(stdout).toContain(`claude --resume ${FIRST} --model 'big one'`);
	});
});

describe('usage and failures', () => {
	it.each([
		[['--version'], /^\d+\.\d+\.\d+/],
		[['--help'], /Commands/],
		[['list', '--help'], /backscroll list/],
	] as const)('%j answers', (argv, text) => {
		const {code, stdout} = world.run(argv);
		expect(code).toBe(0);
		expect(stdout).toMatch(text);
	});

	it.each([
		[['list', '--nope']],
		[['show']],
		[['export']],
		[['list', '--agent', 'nobody']],
		[['list', '--cursor', 'x']],
	])('%j is wrong usage: exit 2, one line', argv => {
		const {code, stdout, stderr} = world.run(argv);
		expect(code).toBe(2);
		expect(stdout).toBe('');
		expect(stderr.trimEnd()).not.toContain('\n');
	});

	it('a closed pipe is no error', () => {
		const {code, stderr} = world.run([], {
			shell: `(PROGRAM show ${FIRST} --json; echo "code $?" >&2) | head -c 5 >/dev/null`,
		});
		expect(code).toBe(0);
		expect(stderr).toBe('code 0\n');
	});

	it('a history that cannot be opened is one line', () => {
		const data = join(world.data, 'broken');
		mkdirSync(data, {recursive: true});
		writeFileSync(join(data, 'history.db'), 'not a database at all, far from it'.repeat(40));
		const {code, stderr} = world.run(['list', '--no-sync', '--data-dir', data]);
		expect(code).toBe(1);
		expect(stderr.trimEnd()).not.toContain('\n');
		expect(stderr).toContain('damaged');
		expect(world.run(['doctor', '--data-dir', data]).code).toBe(1);
		expect(existsSync(join(data, 'log'))).toBe(false);
	});

	it('a data folder that is none is one line', () => {
		const file = world.write('file', '');
		const {code, stderr} = world.run(['list', '--no-sync', '--data-dir', join(file, 'x')]);
		rmSync(file);
		expect(code).toBe(1);
		expect(stderr).toContain('cannot hold the history');
	});

	it('a lock that another holds: the list answers from what is there', () => {
		const lock = join(world.data, 'sync.lock');
		writeFileSync(lock, JSON.stringify({pid: process.ppid, host: 'elsewhere'}));
		const {code, json, stderr} = world.run(['list', '--json']);
		rmSync(lock);
		expect(code).toBe(0);
		expect(json()['total']).toBe(2);
		expect(stderr).toContain('another backscroll');
	});
});
