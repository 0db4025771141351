import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {directoriesInstead} from '../../../source/resume/other-directories.js';
import type {SessionView} from '../../../store/types.js';
import {sessionView} from '../../helpers/views.js';

let home: string;
beforeEach(() => {
	home = realpathSync(mkdtempSync(join(tmpdir(), 'instead-')));
});
afterEach(() => rmSync(home, {recursive: true}));

const write = (path: string, text: string): void => {
	const whole = join(home, path);
	mkdirSync(join(whole, '..'), {recursive: true});
	writeFileSync(whole, text);
};

const makeCheckout = (path: string, remote?: string): string => {
	write(`${path}/.git/HEAD`, 'ref: refs/heads/main\n');
	if (remote) write(`${path}/.git/config`, `[remote "origin"]\n\turl = ${remote}\n`);
	return join(home, path);
};

/** As git notes it in the main checkout; the directory itself is made only if it `exists`. */
const noteWorktree = (
	checkout: string,
	{name, path, exists = false}: {name: string; path: string; exists?: boolean},
): void => {
	write(`${checkout}/.git/worktrees/${name}/HEAD`, `ref: refs/heads/${name}\n`);
	write(`${checkout}/.git/worktrees/${name}/commondir`, '../..\n');
	write(`${checkout}/.git/worktrees/${name}/gitdir`, `${join(home, path)}/.git\n`);
	if (exists) write(`${path}/.git`, `gitdir: ${join(home, checkout)}/.git/worktrees/${name}\n`);
};

const instead = (
	path: string,
	part: Partial<SessionView> = {},
	knownDirectories: readonly string[] = [],
) =>
	directoriesInstead({
		path: join(home, path),
		session: sessionView({projectDir: null, branch: null, ...part}),
		knownDirectories,
	});

describe('of a worktree that is gone', () => {
	test('the checkout that was recorded comes first, then its other worktrees, the branch’s own first', () => {
		const app = makeCheckout('w/app');
		noteWorktree('w/app', {name: 'a', path: 'trees/a', exists: true});
		noteWorktree('w/app', {name: 'gone', path: 'trees/gone'});
		noteWorktree('w/app', {name: 'new', path: 'elsewhere/new', exists: true});
		expect(instead('trees/gone', {projectDir: app, branch: 'new'})).toEqual([
			{path: app, why: 'main checkout'},
			{path: join(home, 'elsewhere/new'), why: 'another worktree, on new'},
			{path: join(home, 'trees/a'), why: 'another worktree, on a'},
			{path: join(home, 'trees'), why: 'nearest directory that exists'},
		]);
	});

	test('nothing recorded: a known repository that lists it is its checkout', () => {
		const app = makeCheckout('w/app');
		const other = makeCheckout('w/other');
		noteWorktree('w/app', {name: 'gone', path: 'trees/gone'});
		expect(instead('trees/gone/src', {}, [other, app])[0]).toEqual({
			path: app,
			why: 'main checkout',
		});
	});
});

describe('of a repository that was moved', () => {
	test('the one with the recorded remote, and the same place in it', () => {
		const now = makeCheckout('src/service', 'git@host.example:team/app.git');
		const twin = makeCheckout('src/app', 'git@host.example:team/another.git');
		mkdirSync(join(now, 'packages/api'), {recursive: true});
		expect(
			instead(
				'w/app/packages/api',
				{
					projectDir: join(home, 'w/app'),
					resumeHint: {remote: 'https://host.example/team/app'},
				},
				[twin, now],
			),
		).toEqual([
			{path: join(now, 'packages/api'), why: 'the same repository'},
			{path: twin, why: 'a repository of the same name'},
			{path: home, why: 'nearest directory that exists'},
		]);
	});

	test('a folder of the same name that is no repository is not offered', () => {
		mkdirSync(join(home, 'notes/app'), {recursive: true});
		expect(instead('w/app', {projectDir: join(home, 'w/app')}, [join(home, 'notes/app')])).toEqual([
			{path: home, why: 'nearest directory that exists'},
		]);
	});
});

test('a hundred of the same name: a few are offered, and still the nearest', () => {
	const known = Array.from({length: 100}, (_, index) => makeCheckout(`src/${index}/app`));
	const offers = instead('w/app', {projectDir: join(home, 'w/app')}, known);
	expect(offers).toHaveLength(6);
	expect(offers.at(-1)).toEqual({path: home, why: 'nearest directory that exists'});
});

test('a path of another system leads nowhere', () => {
	expect(
		directoriesInstead({
			path: 'C:\\w\\app',
			session: sessionView({projectDir: 'C:\\w\\app'}),
			knownDirectories: [makeCheckout('w/app')],
		}),
	).toEqual([]);
});
