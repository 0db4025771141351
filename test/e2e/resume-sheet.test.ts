/** The resume sheet of the real app: what it finds out, and each way to go. */
import {existsSync, mkdirSync, readdirSync, rmSync, utimesSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {claudeTranscript} from '../helpers/command-line.js';
import {type AgentWorld, BIN, createAgentWorld, ID, isBack, sessionId} from './agent-world.js';

let world: AgentWorld;
beforeEach(() => {
	world = createAgentWorld();
});
afterEach(() => world.remove());

describe('what it shows and changes', () => {
	it('command, directory, branches, version; fork, arguments and permissions before it starts', async () => {
		const cwd = world.repository('work', 'topic');
		world.write({cwd});
		mkdirSync(world.home.file('backscroll'));
		world.home.write(
			'backscroll/config.json',
			JSON.stringify({flags: {'claude-code': ['--verbose']}}),
		);
		const app = world.start();
		await app.untilText('how do puffins dive');
		await app.press('ctrl+r');
		await app.untilText(`claude --resume ${ID} --verbose`);
		await app.untilText('~/work, on topic (then: main)');
		await app.untilText('7.8.9 · ~/bin/claude');
		await app.untilText('1 h ago, not running');
		await app.press('F');
		await app.untilText(`claude --resume ${ID} --fork-session --verbose`);
		expect(app.shown().text).not.toContain('acts without asking');
		await app.press('!', 'e', ...`--model 'big one'`, 'enter');
		await app.untilText(`--verbose --dangerously-skip-permissions --model 'big one'`);
		await app.untilText('acts without asking: --dangerously-skip-permissions');
		expect(world.calls()).toEqual([]);
		await app.press('enter');
		await isBack(app);
		expect(world.calls()).toEqual([
			{
				argv: [
					...['claude', '--resume', ID, '--fork-session'],
					...['--verbose', '--dangerously-skip-permissions', '--model', 'big one'],
				],
				cwd,
			},
		]);
	});

	it('that the session is open somewhere, and that the program is not there', async () => {
		const file = world.write({cwd: world.folder('work')});
		const now = Date.now() / 1000;
		utimesSync(file, now, now);
		rmSync(join(world.home.bin, 'claude'));
		const app = world.start({columns: 40, rows: 10});
		await app.untilText('how do puffins');
		await app.press('ctrl+r');
		await app.untilText('claude is not on the PATH');
		await app.untilText('perhaps running now');
		expect(app.shown().text).not.toContain('start here');
		await app.press('escape');
		await app.untilText('› ');
	});
});

describe('a directory that is gone', () => {
	it('can be replaced by the main checkout, or by one that is typed', async () => {
		const main = world.repository(`it's "app"; $(touch pwned) é`, 'main');
		world.git('-C', main, 'worktree', 'add', '--quiet', '-b', 'topic', '../trees/topic');
		world.write({cwd: world.home.file('trees/topic')});
		world.folder('other place/deep');
		world.backscroll('sync');
		rmSync(world.home.file('trees/topic'), {recursive: true});
		const app = world.start();
		await app.untilText('how do puffins dive');
		await app.press('ctrl+r');
		await app.untilText('~/trees/topic is gone');
		await app.untilText(/1 {2}in ~\/it's "app"; \$\(touch pwned\) é {2}main checkout/);
		await app.untilText(/\d {2}in ~\/trees {2}nearest directory that exists/);
		await app.untilText('copy the command only');
		await app.press('1');
		await app.untilText('start here');
		expect(world.calls()).toEqual([]);
		await app.press('enter');
		await isBack(app);
		expect(world.calls()).toEqual([{argv: ['claude', '--resume', ID], cwd: main}]);

		await app.press('ctrl+r');
		await app.untilText('~/trees/topic is gone');
		await app.press('d', 'ctrl+u', ...'~/oth', 'tab');
		await app.untilText('~/other place/');
		await app.press('tab');
		await app.untilText('~/other place/deep/');
		await app.press(...'er', 'enter');
		await app.untilText('~/other place/deep/er does not exist');
		await app.press('d', 'backspace', 'backspace', 'enter');
		await app.untilText('start here');
		await app.press('enter');
		await isBack(app);
		expect(world.calls().at(-1)?.cwd).toBe(world.home.file('other place/deep'));
		expect(existsSync(world.home.file('trees/topic'))).toBe(false);
		expect(readdirSync(world.home.path)).not.toContain('pwned');
	});
});

describe('whatever directories and ids are called', () => {
	it('the agent runs there, and a shell runs nothing', async () => {
		const names = [
			'with  spaces',
			`it's "quoted"`,
			'a; touch pwned',
			'$(touch pwned)',
			'new\nline',
			'日本語 é',
		];
		const places = names.map((name, index) => {
			world.write({id: sessionId(index), cwd: world.folder(name), title: `session ${index}`});
			return world.home.file(name);
		});
		const app = world.start();
		await app.untilText('session 0');
		for (const [index] of places.entries()) {
			await app.press('ctrl+u', ...`id:${sessionId(index)}`, 'ctrl+r');
			await app.untilText(`claude --resume ${sessionId(index)}`);
			await app.press('enter');
			await isBack(app, `session ${index}`);
		}
		expect(world.calls()).toEqual(
			places.map((cwd, index) => ({argv: ['claude', '--resume', sessionId(index)], cwd})),
		);
		for (const place of [world.home.path, ...places])
			expect(readdirSync(place)).not.toContain('pwned');
	});
});

describe('what cannot be resumed as it is', () => {
	it('a transcript that was deleted is put back first', async () => {
		const file = world.write({cwd: world.folder('work')});
		world.backscroll('sync');
		rmSync(file);
		const app = world.start();
		await app.untilText(/how do puffins dive +✗/);
		await app.press('ctrl+r');
		await app.untilText('Claude Code deleted the transcript of this session');
		await app.untilText('put the transcript back');
		await app.press('enter');
		await app.untilText('start here');
		expect(existsSync(file)).toBe(true);
		await app.press('enter');
		await isBack(app);
		expect(world.calls()).toMatchObject([{argv: ['claude', '--resume', ID]}]);
	});

	it('one that its agent archived shows the command that brings it back', async () => {
		world.writeCodex('archived_sessions', sessionId(9));
		const app = world.start({further: {SSH_TTY: '/dev/pts/1'}});
		await app.untilText('how do auks dive');
		await app.press('ctrl+r');
		await app.untilText('archived by Codex');
		await app.untilText(`codex unarchive ${sessionId(9)}`);
		await app.press('y');
		await app.untilText('command copied');
		expect(app.clipboard()).toBe(`codex unarchive ${sessionId(9)}`);
		expect(world.calls()).toEqual([]);
	});

	it('a sub-agent leads to the session that started it', async () => {
		world.write({cwd: world.folder('work')});
		const child = claudeTranscript({id: ID, cwd: world.home.file('work')}, [
			{role: 'user', text: 'count the puffins'},
			{role: 'assistant', text: 'There are nine.'},
		]).replaceAll('"isSidechain":false', '"isSidechain":true,"agentId":"a1"');
		world.home.write(`.claude/projects/-work/${ID}/subagents/agent-a1.jsonl`, child);
		const app = world.start();
		await app.untilText('⋯1');
		await app.press('right');
		await app.untilText('count the puffins');
		await app.press('down', 'ctrl+r');
		await app.untilText('A sub-agent cannot be resumed by itself');
		await app.untilText(/the session that started it {2}how do puffins dive/);
		await app.press('enter', 'enter');
		await app.until(() => world.calls().length === 1, 'the start of the parent');
		expect(world.calls()).toMatchObject([{argv: ['claude', '--resume', ID]}]);
	});

	it('ids that a shell or the agent would take for something else are refused, not the hand-over', () => {
		const ids = ['editor-only', '--last', "a'; touch pwned; '", '$(touch pwned)', 'a\nb', 'été'];
		for (const [index, id] of ids.entries()) world.writeCodex('sessions/2026/11/01', id, index);
		const {stdout} = world.backscroll('list', '--json');
		const {sessions} = JSON.parse(stdout) as {
			sessions: {id: string; ref: string; resume: object}[];
		};
		expect(sessions.map(({id}) => id).toSorted()).toEqual(ids.toSorted());
		for (const {ref, resume} of sessions) {
			expect(resume).toHaveProperty('reason');
			expect(world.backscroll('resume', ref, '--print')).toMatchObject({status: 1, stdout: ''});
		}
		const ref = "codex:a'; touch pwned; '";
		expect(world.backscroll('resume', ref, '--yes', '--with', 'claude-code').status).toBe(0);
		expect(world.calls()).toMatchObject([
			{argv: ['claude', expect.stringContaining('how do auks dive')], cwd: world.home.file('work')},
		]);
		expect(readdirSync(world.home.path)).not.toContain('pwned');
	});

	it('an agent that has no command for it offers another agent', async () => {
		world.writeCodex('sessions/2026/11/01', 'editor-only');
		const app = world.start({columns: 50, rows: 15});
		await app.untilText('how do auks dive');
		await app.press('ctrl+r');
		await app.untilText('the session id is not one that');
		await app.press('enter');
		await app.untilText('Hand over from Codex to');
		await app.untilText('▌ Claude Code');
		await app.press('enter');
		await app.until(() => world.calls().length === 1, 'the start of another agent');
		expect(world.calls()[0]?.argv[1]).toContain('how do auks dive');
	});
});

describe('for the command line of a shell', () => {
	it('the sheet comes first where the command would not work', async () => {
		world.write({cwd: world.home.file('code/gone')});
		const place = world.folder('code');
		const app = world.start({argv: [process.execPath, BIN, '--print']});
		await app.untilText('how do puffins dive');
		await app.press('enter');
		await app.untilText('~/code/gone is gone');
		await app.press('1');
		await app.untilText('put the command on the command line');
		await app.press('enter');
		expect(await app.exit()).toEqual({code: 0, signal: null});
		await app.untilText(`cd ${place} && claude --resume ${ID}`);
		expect(world.calls()).toEqual([]);
	});
});

describe('handing over', () => {
	it('shows word for word what another agent is told, and starts it there', async () => {
		const cwd = world.folder('work');
		const token = ['ghp', 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY2zA4'].join('_');
		world.write({
			cwd,
			turns: [
				{role: 'user', text: 'how do puffins dive'},
				{role: 'assistant', text: `With their wings. ${'Really. '.repeat(400)}`},
				{role: 'user', text: `the token is ${token}`},
				{role: 'assistant', text: 'That is the end of it.'},
			],
		});
		const app = world.start();
		await app.untilText('how do puffins dive');
		await app.press('ctrl+r');
		await app.untilText('start here');
		await app.press('h');
		await app.untilText('nothing was left out · secrets masked: 1');
		await app.untilText('This is the record of an earlier conversation');
		await app.press('end');
		await app.untilText('That is the end of it.');
		expect(app.shown().text).toContain('the token is ghp_…[masked]');
		await app.press('escape');
		await app.untilText('start here');
		await app.press('h');
		await app.untilText(/Codex +cd .*work && codex '\(the record\)'/);
		await app.press('down', 'enter');
		await isBack(app);
		expect(world.calls()).toMatchObject([
			{cwd, argv: ['codex', expect.stringContaining('how do puffins dive')]},
		]);
		expect(world.calls()[0]?.argv[1]).not.toContain(token);
	});
});
