import {spawnSync} from 'node:child_process';
import {mkdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {claudeTranscript, createWorld, rows, type World} from '../helpers/command-line.js';

let world: World;
const session = (digit: string) => `0a1b2c3d-${digit.repeat(4)}-4111-8111-111111111111`;
const names = {main: '1', seen: '2', gone: '3', other: '4'} as const;

/** A repository with worktrees beside it: one with a session, one that was removed, one that no agent was ever in. */
beforeAll(() => {
	world = createWorld();
	const git = (...words: string[]): void => {
		const {status, stderr} = spawnSync(
			'git',
			['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...words],
			{cwd: world.home, env: world.env, encoding: 'utf8'},
		);
		if (status !== 0) throw new Error(stderr);
	};
	for (const repository of ['w/app', 'w/other']) {
		git('init', '--quiet', '--initial-branch', 'main', repository);
		git('-C', repository, 'commit', '--quiet', '--allow-empty', '--message', 'first');
	}
	for (const name of ['seen', 'gone', 'new'])
		git('-C', 'w/app', 'worktree', 'add', '--quiet', '-b', name, `../../trees of app/${name}`);
	mkdirSync(join(world.home, 'trees of app/new/src/deep'), {recursive: true});
	const places = {
		main: 'w/app',
		seen: 'trees of app/seen',
		gone: 'trees of app/gone',
		other: 'w/other',
	};
	for (const [name, place] of Object.entries(places)) {
		const id = session(names[name as keyof typeof names]);
		world.write(
			`.claude/projects/-${name}/${id}.jsonl`,
			claudeTranscript({id, cwd: join(world.home, place)}, [{role: 'user', text: name}]),
		);
	}
	world.run(['sync']);
	rmSync(join(world.home, 'trees of app/gone'), {recursive: true});
	rmSync(join(world.home, 'w/other/.git'), {recursive: true});
});
afterAll(() => world.remove());

const titlesFrom = (place: string) =>
	rows(world.run(['list', '--here', '--json'], {cwd: join(world.home, place)}).json(), 'sessions')
		.map(({title}) => title)
		.toSorted();

describe('--here', () => {
	it.each([
		['the main checkout', 'w/app'],
		['a worktree that an agent was in', 'trees of app/seen'],
		['a worktree that no agent was ever in', 'trees of app/new'],
		['deep inside of such a worktree', 'trees of app/new/src/deep'],
	])('means the whole repository from %s', (_, place) => {
		expect(titlesFrom(place)).toEqual(['gone', 'main', 'seen']);
	});

	it('means a directory and what lies below where there is no repository', () => {
		expect(titlesFrom('w/other')).toEqual(['other']);
		expect(titlesFrom('trees of app')).toEqual(['gone', 'seen']);
	});
});
