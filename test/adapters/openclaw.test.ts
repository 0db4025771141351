/** What is particular to OpenClaw; the common promises are in contract.test.ts. */
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {openclaw} from '../../adapters/openclaw/index.js';
import type {ResumeRequest, Source} from '../../adapters/types.js';
import {
	copyFixture,
	discoverAll,
	type FixtureHome,
	readFolded,
	surroundingsOf,
} from '../helpers/fixtures.js';

const DATABASE = '.openclaw/agents/cook/agent/openclaw-agent.sqlite';
const idOf = (n: number): string => `0d1b000${n}-1111-4222-8333-444455556666`;

let fixture: FixtureHome;
beforeEach(() => {
	fixture = copyFixture('openclaw');
});
afterEach(() => fixture.dispose());

const change = (sql: string): void => {
	const database = new Database(join(fixture.home, DATABASE));
	try {
		database.exec(sql);
	} finally {
		database.close();
	}
};

const sources = (): readonly Source[] => discoverAll(openclaw, fixture.around).sources;
const source = (n: number): Source => {
	const found = sources().find(({sessionId}) => sessionId === idOf(n));
	if (found === undefined) throw new Error(`no session ${n}`);
	return found;
};
const marks = (): Readonly<Record<string, string | undefined>> =>
	Object.fromEntries(sources().map(({key, mark}) => [key, mark]));

const changedKeys = (sql: string): readonly string[] => {
	const before = marks();
	change(sql);
	return Object.entries(marks())
		.filter(([key, mark]) => before[key] !== mark)
		.map(([key]) => key.slice(key.indexOf('#') + 1));
};

describe('the mark', () => {
	test.each([
		['a new event', `INSERT INTO transcript_events VALUES ('${idOf(6)}', 9, '{}', 1, NULL, 2)`, 6],
		[
			'a rewritten history',
			`INSERT INTO transcript_rewrite_watermarks VALUES ('${idOf(3)}', 2, 1)`,
			3,
		],
		[
			'a new name',
			"UPDATE session_nodes SET label = 'Fence' WHERE session_key = 'cron:nightly'",
			4,
		],
	])('%s changes that of one session only', (_, sql, n) => {
		expect(changedKeys(sql)).toEqual([idOf(n)]);
	});
});

test('the table of active events is not asked while it waits for a rebuild', () => {
	const undone = () =>
		readFolded(openclaw, source(2)).events.flatMap(({text, state}) => (state ? [text] : []));
	expect(undone()).toEqual(['Deeper']);
	change('UPDATE session_transcript_index_state SET needs_rebuild = 1');
	expect(undone()).toEqual([]);
});

test('in a run of the scheduler only what is marked as such was typed', () => {
	const message = (content: string, provenance?: object): string =>
		JSON.stringify({
			type: 'message',
			id: content,
			timestamp: '2026-03-02T02:00:20Z',
			message: {role: 'user', content, ...(provenance && {provenance})},
		});
	const added = [
		message('by itself', {kind: 'internal_system'}),
		message('by hand', {kind: 'external_user'}),
		message('by whom'),
	];
	for (const [index, json] of added.entries())
		change(
			`INSERT INTO transcript_events VALUES ('${idOf(4)}', ${index + 20}, '${json}', 1, NULL, 2)`,
		);
	change(`DELETE FROM session_transcript_active_events WHERE session_id = '${idOf(4)}'`);
	const {facts, events} = readFolded(openclaw, source(4));
	expect(facts.isAutomated).toBe(true);
	expect(
		events.flatMap(({kind, text, input}) => (text.startsWith('by') ? [[kind, text, input]] : [])),
	).toEqual([
		['meta', 'by itself', undefined],
		['message', 'by hand', undefined],
		['message', 'by whom', 'headless'],
	]);
});

test('one bad packed event costs that event', () => {
	change(
		`UPDATE transcript_events SET event_zstd = X'28b52ffd00' WHERE session_id = '${idOf(1)}' AND seq = 1`,
	);
	const {events, problems} = readFolded(openclaw, source(1));
	expect(problems).toHaveLength(2);
	expect(events.map(({text}) => text)).toContain('Planted.');
	expect(events.map(({text}) => text)).not.toContain('Plant the beans');
});

test('logs are found when the database is of another kind', () => {
	change('DROP TABLE session_windows');
	const found = discoverAll(openclaw, fixture.around);
	expect(found.problems.map(({code}) => code)).toEqual(['unsupported-schema']);
	expect(found.sources.map(({path}) => path)).toContain(
		join(fixture.home, `.openclaw/agents/cook/sessions/${idOf(1)}.jsonl`),
	);
});

test('roots follow state folder, own home and profile', () => {
	const first = (env: Record<string, string>) => {
		const [root] = openclaw.roots(surroundingsOf('/h', env));
		return [root?.path, root?.resumeEnv];
	};
	expect(first({})).toEqual(['/h/.openclaw', {}]);
	const work = '/h/.openclaw-work';
	expect(first({OPENCLAW_PROFILE: 'work'})).toEqual([work, {OPENCLAW_STATE_DIR: work}]);
	expect(first({OPENCLAW_HOME: '/o'})).toEqual([
		'/o/.openclaw',
		{OPENCLAW_STATE_DIR: '/o/.openclaw'},
	]);
	expect(first({OPENCLAW_STATE_DIR: '/s', OPENCLAW_PROFILE: 'x'})[0]).toBe('/s');
});

describe('resume', () => {
	const request: ResumeRequest = {
		id: idOf(1),
		cwd: '/home/ada',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/x',
		resumeEnv: {},
		hint: {key: 'agent:main:main'},
	};

	test('takes the key of the conversation, in any directory', () => {
		expect(openclaw.resume(request)).toEqual({
			argv: ['openclaw', 'resume', 'agent:main:main'],
			cwd: null,
			env: {},
		});
	});

	test.each([
		['an earlier transcript', {hint: {earlier: 'agent:main:main'}}],
		['an archived one', {hint: {}, archived: true}],
		['one without a key', {hint: {}}],
		['a key that would be an option', {hint: {key: '--local'}}],
		['a sub-agent', {isSubagent: true}],
	])('refuses %s', (_, other) => {
		expect(openclaw.resume({...request, ...other})).toHaveProperty('reason');
	});
});
