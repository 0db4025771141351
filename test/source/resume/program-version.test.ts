import {spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {programVersion} from '../../../source/resume/program-version.js';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'version-'));
});
afterEach(() => rmSync(folder, {recursive: true}));

const program = (script: string): string => {
	const path = join(folder, 'agent');
	writeFileSync(path, `#!/bin/sh\n${script}\n`, {mode: 0o755});
	return path;
};
const env = {PATH: '/usr/bin:/bin'};

test('is found in what agents say', async () => {
	for (const [said, version] of [
		['2.1.197 (Claude Code)', '2.1.197'],
		['codex-cli 0.171.0', '0.171.0'],
		['v1.2.3-beta.4+5', '1.2.3-beta.4+5'],
		['no number', null],
	])
		expect(await programVersion(program(`echo '${said}'`), {env})).toBe(version);
});

test('the program is asked for its version only, and not in a project', async () => {
	const path = program(`echo "$*|$(pwd)" > '${join(folder, 'call')}'; echo 1.0`);
	await programVersion(path, {env});
	expect(readFileSync(join(folder, 'call'), 'utf8')).toBe('--version|/\n');
});

test('what cannot be started has none', async () => {
	expect(await programVersion(join(folder, 'absent'), {env})).toBeNull();
});

/** Starts a child that would outlive it. The pipe is open for as long as one of them lives. */
const slowProgram = () => {
	const pipe = join(folder, 'pipe');
	spawnSync('mkfifo', [pipe]);
	const path = program(`exec 3> '${pipe}'; echo started >&3; sleep 600 & wait`);
	const reader = createReadStream(pipe);
	return {path, started: once(reader, 'data'), ended: once(reader, 'end')};
};

test('a slow one is ended, with all that it started', async () => {
	const {path, started, ended} = slowProgram();
	const answer = programVersion(path, {env, limitMs: 400});
	await started;
	expect(await answer).toBeNull();
	await ended;
});

test('a sheet that is closed waits no longer', async () => {
	const {path, started, ended} = slowProgram();
	const closing = new AbortController();
	const answer = programVersion(path, {env, limitMs: 600_000, signal: closing.signal});
	await started;
	closing.abort();
	expect(await answer).toBeNull();
	await ended;
	expect(await programVersion(program('echo 1.0'), {env, signal: closing.signal})).toBeNull();
});
