import {mkdtempSync, readFileSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {ChildError} from '../../../source/errors.js';
import {childEnvironment, runResume} from '../../../source/resume/run.js';

let folder: string;
beforeEach(() => {
	folder = realpathSync(mkdtempSync(join(tmpdir(), 'run-')));
});
afterEach(() => rmSync(folder, {recursive: true}));

const run = (script: string, env: Readonly<Record<string, string>> = {}) =>
	runResume({argv: ['sh', '-c', script, 'agent', "it's; $HOME"], cwd: folder, env}, process.env);

test('the agent runs in its directory, with its environment, and its words as they are', async () => {
	expect(await run('printf "%s|" "$(pwd)" "$PWD" "$X" "$1" > out', {X: 'a b'})).toBe(0);
	expect(readFileSync(join(folder, 'out'), 'utf8')).toBe(`${folder}|${folder}|a b|it's; $HOME|`);
});

test('its exit code is ours, a signal counts from 128', async () => {
	expect(await run('exit 7')).toBe(7);
	expect(await run('kill -TERM $$')).toBe(143);
});

test('what cannot be started is an error of its own', async () => {
	const plan = {argv: [join(folder, 'no-such-agent')], cwd: null, env: {}};
	await expect(runResume(plan, process.env)).rejects.toThrow(ChildError);
});

test('the environment of the plan wins', () => {
	expect(
		childEnvironment({argv: [], cwd: '/w', env: {A: '2'}}, {A: '1', PWD: '/old', B: '3'}),
	).toEqual({
		A: '2',
		PWD: '/w',
		B: '3',
	});
});
