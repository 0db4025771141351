import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {claudeTranscript, createWorld, type World} from '../helpers/command-line.js';
import {openTerminal, type Terminal} from './terminal.js';

const ID = '0a1b2c3d-1111-4111-8111-111111111111';
/** In pieces: no file of ours holds a whole token-shaped string. */
const TOKEN = ['ghp', 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY2zA4'].join('_');

let world: World;
let terminal: Terminal | undefined;
beforeEach(() => {
	terminal = undefined;
	world = createWorld();
	world.write(
		`.claude/projects/-work/${ID}.jsonl`,
		claudeTranscript({id: ID, cwd: world.home}, [
			{role: 'user', text: 'how do puffins dive'},
			{role: 'assistant', text: `set GH=${TOKEN} first, and postgres://app:hunter2@db/app`},
			{role: 'user', text: `so ${TOKEN} it is`},
		]),
	);
});
afterEach(() => {
	terminal?.dispose();
	world.remove();
});

describe('the list to review', () => {
	it('names what an export would mask, each with the line around it, and writes nothing', () => {
		const {code, stdout} = world.run(['export', ID, '--review', '--output', 'out.md']);
		expect(code).toBe(0);
		expect(stdout.split('\n')).toEqual([
			'masked in: how do puffins dive',
			expect.stringMatching(/^ {2}GitHub token ×2 {9}set GH=ghp_…\[masked\] first, and/),
			expect.stringMatching(
				/^ {2}password in an address {2}.*postgres:\/\/app:\[masked\]@db\/app$/,
			),
			'',
		]);
		expect(existsSync(join(world.home, 'out.md'))).toBe(false);
		const {stdout: json} = world.run(['export', ID, '--review', '--format', 'json']);
		expect(json).toContain('GitHub token');
		expect(world.run(['export', ID, '--review', '--no-redact']).code).toBe(2);
		const {stderr} = world.run(['export', ID, '--output', 'out.md']);
		expect(stderr).toContain('2 secrets masked: --review lists them');
	});

	it('is a key away in the export dialog, and what is copied is masked as well', async () => {
		const app = openTerminal({
			argv: [process.execPath, world.program],
			columns: 100,
			rows: 24,
			cwd: world.home,
			env: {...world.env, SSH_TTY: '/dev/pts/1'},
		});
		terminal = app;
		await app.untilText('how do puffins dive');
		await app.press('ctrl+s');
		await app.untilText(/file +.*\.md/);
		await app.press('ctrl+r');
		await app.untilText('2 secrets will be masked');
		await app.untilText('GitHub token ×2');
		expect(app.shown().text).not.toContain(TOKEN.slice(8));
		await app.press('escape');
		await app.untilText(/file +.*\.md/);
		await app.press('escape');
		await app.untilText('^R resume');
		await app.press('enter');
		await app.untilText('so ghp_');
		await app.press('G', 'y');
		await app.untilText('1 secret masked');
		expect(app.clipboard()).toBe('so ghp_…[masked] it is');
	});
});
