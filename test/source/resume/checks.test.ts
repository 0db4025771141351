import {spawnSync} from 'node:child_process';
import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	realpathSync,
	rmSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {
	checkResume,
	findProgram,
	obstacle,
	otherDirectories,
} from '../../../source/resume/checks.js';
import type {SessionView} from '../../../store/types.js';
import {sessionView} from '../../helpers/views.js';

let home: string;
beforeEach(() => {
	home = realpathSync(mkdtempSync(join(tmpdir(), 'checks-')));
	write('bin/claude', '#!/bin/sh\n');
	chmodSync(join(home, 'bin/claude'), 0o755);
});
afterEach(() => rmSync(home, {recursive: true}));

const write = (path: string, text: string): string => {
	const whole = join(home, path);
	mkdirSync(join(whole, '..'), {recursive: true});
	writeFileSync(whole, text);
	return whole;
};

/** A checkout on `main`, and a worktree of it on `feat/x`. */
const makeRepository = () => {
	write('w/app/.git/HEAD', 'ref: refs/heads/main\n');
	write('w/app/.git/worktrees/x/HEAD', 'ref: refs/heads/feat/x\n');
	write('w/app/.git/worktrees/x/commondir', '../..\n');
	write('w/app.wt/x/.git', `gitdir: ${join(home, 'w/app/.git/worktrees/x')}\n`);
	return {main: join(home, 'w/app'), worktree: join(home, 'w/app.wt/x')};
};

const now = Date.UTC(2026, 10, 1, 12, 0, 0);

const check = (cwd: string | null, part: Partial<SessionView> = {}, pathEnv = join(home, 'bin')) =>
	checkResume(
		{argv: ['claude', '--resume', 'x'], cwd, env: {}},
		sessionView({projectDir: null, ...part}),
		{
			pathEnv,
			now,
		},
	);

describe('the program', () => {
	test('is looked up in the folders of the PATH only', () => {
		expect(findProgram('claude', `/nowhere:${join(home, 'bin')}`)).toBe(join(home, 'bin/claude'));
		expect(findProgram('claude', '/nowhere')).toBeNull();
		expect(findProgram('claude', ':.:relative')).toBeNull();
		write('bin/notes', 'text');
		expect(findProgram('notes', join(home, 'bin'))).toBeNull();
		mkdirSync(join(home, 'bin/folder'));
		expect(findProgram('folder', join(home, 'bin'))).toBeNull();
	});

	test('missing, it is what stands in the way', () => {
		expect(obstacle(check(home, {}, '/nowhere'))).toBe('claude is not on the PATH');
		expect(obstacle(check(home))).toBeNull();
	});
});

describe('the directory', () => {
	test('exists, with the branch of now and then', () => {
		const {worktree} = makeRepository();
		const checks = check(worktree, {branch: 'main'});
		expect(checks).toMatchObject({
			directory: {path: worktree, exists: true, instead: []},
			branchNow: 'feat/x',
			branchThen: 'main',
		});
		expect(otherDirectories(checks)).toEqual([]);
	});

	test('is a worktree that is gone: the main checkout first, then the nearest parent', () => {
		const {main} = makeRepository();
		const gone = join(home, 'w/app.wt/old/deep');
		const checks = check(gone, {projectDir: main});
		expect(otherDirectories(checks)).toEqual([main, join(home, 'w/app.wt')]);
		expect(obstacle(checks)).toBe(
			`${gone} is gone; there is still ${main} and ${join(home, 'w/app.wt')} (--dir ${main})`,
		);
	});

	test('inside of the checkout, the checkout is the nearest parent', () => {
		const {main} = makeRepository();
		const checks = check(join(main, '.worktrees/feat-x'), {projectDir: main});
		expect(otherDirectories(checks)).toEqual([main]);
	});

	test('of another system is named, and never taken as a relative one', () => {
		for (const path of ['C:\\Users\\dev\\my app', '\\\\server\\share\\proj', 'relative']) {
			const checks = check(path, {projectDir: path});
			expect(checks.directory).toEqual({path, exists: false, instead: []});
			expect(obstacle(checks)).toContain(`${path} is not a directory of this system`);
		}
	});

	test('the root of the file system is no offer', () => {
		expect(otherDirectories(check('/no-such-folder-here/x'))).toEqual([]);
	});

	test('a file of that name is none, and a hostile name does not fail', () => {
		expect(check(write('file', '')).directory?.exists).toBe(false);
		expect(check('/w/a\0b').directory?.exists).toBe(false);
		expect(obstacle(check('/w/a\x1b[2Jb'))).toContain('/w/ab is gone');
	});

	test('may be any', () => {
		expect(check(null)).toMatchObject({directory: null, branchNow: null});
		expect(obstacle(check(null))).toBeNull();
	});
});

describe('when it was written to', () => {
	test('by the file, else by the last message', () => {
		const location = write('s.jsonl', '');
		utimesSync(location, now / 1000 - 7200, now / 1000 - 7200);
		expect(check(home, {location})).toMatchObject({idleMs: 7_200_000, isPerhapsRunning: false});
		expect(check(home, {location: '/gone', updatedAtMs: now - 5000}).idleMs).toBe(5000);
		expect(check(home, {location: '/gone', updatedAtMs: null}).idleMs).toBeNull();
	});

	test('just now, or by the word of the agent, it is perhaps running', () => {
		expect(check(home, {location: '/gone', updatedAtMs: now - 5000}).isPerhapsRunning).toBe(true);
		expect(check(home, {location: '/gone', updatedAtMs: now + 9000}).idleMs).toBe(0);
		expect(check(home, {isRunning: true, updatedAtMs: null}).isPerhapsRunning).toBe(true);
	});

	test('a process that has it open is named while it lives', () => {
		const quiet = {location: '/gone', updatedAtMs: now - 7_200_000};
		const live = check(home, {...quiet, resumeHint: {pid: String(process.pid)}});
		expect(live).toMatchObject({runningPid: process.pid, isPerhapsRunning: true});
		const {pid: ended} = spawnSync('true');
		for (const pid of [String(ended), '0', '-1', '1; reboot', '99999999999'])
			expect(check(home, {...quiet, resumeHint: {pid}})).toMatchObject({
				runningPid: null,
				isPerhapsRunning: false,
			});
	});
});
