import {expect, test} from 'vitest';
import type {SourceRoot} from '../../../source/app/backend.js';
import {sourceLines} from '../../../source/app/source-lines.js';
import {beginning} from '../../helpers/app.js';
import {rowText} from '../../helpers/rows.js';

const root = (agent: string, path: string, change: Partial<SourceRoot> = {}): SourceRoot => ({
	agent,
	path,
	state: 'present',
	sources: 2,
	shown: 2,
	hidden: {},
	problems: 0,
	firstProblem: null,
	agentVersion: null,
	lastSyncMs: null,
	isUnused: false,
	retention: null,
	...change,
});

const absent = (agent: string, path: string, isUnused: boolean): SourceRoot =>
	root(agent, path, {state: 'absent', isUnused, sources: 0, shown: 0});

const linesOf = (...roots: readonly SourceRoot[]): readonly string[] =>
	sourceLines(beginning(), {kind: 'sources', roots, top: 0}).map(line => rowText(line).trim());

test('what was there or asked for is named; of agents that are not in use the names are enough', () => {
	const lines = linesOf(
		root('claude-code', '/data/claude'),
		absent('claude-code', '/data/other', true),
		absent('codex', '/mnt/laptop/codex', false),
		absent('amp', '/data/amp', true),
		absent('goose', '/data/goose', true),
		absent('goose', '/data/goose-2', true),
	);
	const text = lines.join('\n');
	expect(text).toContain('Claude Code  /data/claude');
	expect(text).toContain('Not there\nCodex /mnt/laptop/codex');
	expect(text).toContain('2 agents not found here, 4 places without a store\namp, goose');
	for (const path of ['/data/other', '/data/amp', '/data/goose']) expect(text).not.toContain(path);
});

test('nothing is summed up where every place is known', () => {
	const lines = linesOf(root('claude-code', '/data/claude'));
	expect(lines.join('\n')).not.toContain('without a store');
	expect(linesOf(root('pi', '/a'), absent('pi', '/b', true))).toContain('1 place without a store');
});
