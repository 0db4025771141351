import {describe, expect, it} from 'vitest';
import {createLibrary} from '../../../store/read/library.js';
import {SEED_NOW_MS, said, seedSession, temporaryStore} from '../../helpers/seed.js';

const store = () => {
	const {database} = temporaryStore();
	return {database, library: createLibrary(database)};
};

describe('sessions', () => {
	it('a session as scripts see it', () => {
		const {database, library} = store();
		seedSession(database, {
			id: 's1',
			agent: 'codex',
			project: '/w/alpha',
			branch: 'main',
			model: 'example',
			updatedAtMs: SEED_NOW_MS,
			events: [said('hello'), said('hi', 'assistant')],
		});
		expect(library.session('codex:s1')).toMatchObject({
			ref: 'codex:s1',
			agent: 'codex',
			id: 's1',
			title: 'hello',
			project: 'alpha',
			projectDir: '/w/alpha',
			cwd: '/w/alpha',
			branch: 'main',
			model: 'example',
			kind: 'main',
			updatedAtMs: SEED_NOW_MS,
			prompts: 1,
			replies: 1,
			messages: 2,
			tokens: null,
			parent: null,
			starred: false,
			tags: [],
			note: null,
			resumeEnv: {},
			isRunning: false,
		});
		expect(library.session('codex:none')).toBeUndefined();
		expect(library.session('nonsense')).toBeUndefined();
	});

	it('tokens are there as soon as any were counted', () => {
		const {database, library} = store();
		seedSession(database, {id: 's1'});
		database.exec('UPDATE session SET input_tokens = 70, output_tokens = 7');
		expect(library.session('claude-code:s1')?.tokens).toEqual({
			input: 70,
			output: 7,
			cacheRead: 0,
			cacheWrite: 0,
			reasoning: 0,
		});
	});

	it('families: sub-agents below, forks and continuations behind', () => {
		const {database, library} = store();
		seedSession(database, {
			id: 'root',
			events: [{kind: 'tool_use', toolName: 'Agent', text: 'look', key: 'k7', childAgent: 'a1'}],
		});
		seedSession(database, {
			id: 'root/a1',
			kind: 'subagent',
			parent: {id: 'root', relation: 'subagent', event: 'k7'},
		});
		seedSession(database, {id: 'fork', parent: {id: 'root', relation: 'fork'}});
		seedSession(database, {id: 'orphan', parent: {id: 'forgotten', relation: 'continuation'}});
		expect(library.children('claude-code:root').map(({id}) => id)).toEqual(['root/a1']);
		expect(library.followers('claude-code:root').map(({id}) => id)).toEqual(['fork']);
		expect(library.session('claude-code:root')?.children).toBe(1);
		expect(library.session('claude-code:root/a1')?.parent).toEqual({
			ref: 'claude-code:root',
			relation: 'subagent',
			certainty: 'exact',
			event: 'claude-code:root:k7',
			isKnown: true,
		});
		expect(library.session('claude-code:orphan')?.parent).toMatchObject({
			ref: 'claude-code:forgotten',
			event: null,
			isKnown: false,
		});
		expect(library.event('claude-code:root:k7')?.tool?.child).toBe('claude-code:root/a1');
	});

	it('counts what the list holds', () => {
		const {database, library} = store();
		expect(library.counts()).toEqual({sessions: 0, agents: 0, lastSyncMs: null});
		seedSession(database, {id: 'a'});
		seedSession(database, {id: 'b', agent: 'codex'});
		seedSession(database, {id: 'c', kind: 'subagent'});
		seedSession(database, {id: 'd', hiddenBy: 'empty'});
		database.exec(
			"INSERT INTO root(agent, path, origin, last_sync) VALUES ('codex', '/r', 'default', 42)",
		);
		expect(library.counts()).toEqual({sessions: 2, agents: 2, lastSyncMs: 42});
	});
});

describe('events', () => {
	it('by index, of every state', () => {
		const {database, library} = store();
		seedSession(database, {
			id: 's',
			events: [
				said('one'),
				{...said('two'), state: 'undone'},
				{...said('three'), state: 'copied'},
				{
					kind: 'tool_use',
					toolName: 'Edit',
					subject: 'a.ts',
					text: 'edit',
					isError: true,
					files: [{path: '/w/a.ts', change: 'edit'}],
				},
				{kind: 'tool_result', text: 'x'.repeat(9000), shownText: 'x…x'},
			],
		});
		const events = library.events('claude-code:s', {from: 1, count: 3});
		expect(events.map(({index, state, key}) => [index, state, key])).toEqual([
			[1, 'undone', 'e1'],
			[2, 'copied', 'e2'],
			[3, 'live', 'e3'],
		]);
		expect(events[2]?.tool).toMatchObject({
			name: 'Edit',
			subject: 'a.ts',
			isError: true,
			files: [{path: '/w/a.ts', change: 'edit'}],
			child: null,
		});
		expect(events[0]).toMatchObject({role: 'user', input: 'typed', tool: null, truncated: false});
		expect(library.events('claude-code:s', {from: 4, count: 10})).toMatchObject([
			{truncated: true, fullLength: 9000, text: 'x…x'},
		]);
		expect(library.events('claude-code:none', {from: 0, count: 10})).toEqual([]);
	});

	it('find inside of a session', () => {
		const {database, library} = store();
		for (const id of ['other', 's', 'third'])
			seedSession(database, {
				id,
				events: [said('the needle'), said('no', 'assistant'), {kind: 'meta', text: 'needles'}],
			});
		expect(library.findInSession('claude-code:s', 'needle')).toEqual([0, 2]);
		expect(library.findInSession('claude-code:s', '"the needle" agent:codex')).toEqual([0]);
		expect(library.findInSession('claude-code:s', '***')).toEqual([]);
		expect(library.findInSession('claude-code:s', 'absent')).toEqual([]);
	});

	it('find words that stand in different events of a session', () => {
		const {database, library} = store();
		seedSession(database, {
			id: 's',
			title: 'needle',
			events: [said('hay'), said('thread', 'assistant'), said('hay and thread'), said('pins')],
		});
		expect(library.findInSession('claude-code:s', 'hay thread')).toEqual([2]);
		expect(library.findInSession('claude-code:s', 'hay pins')).toEqual([0, 2, 3]);
		expect(library.findInSession('claude-code:s', 'needle pins')).toEqual([3]);
	});
});

describe('outline', () => {
	it('has the prompts with what came of each', () => {
		const {database, library} = store();
		const MINUTE_MS = 60_000;
		const at = (minute: number) => ({atMs: SEED_NOW_MS + minute * MINUTE_MS});
		const edit = {path: '/w/a.ts', change: 'edit'} as const;
		seedSession(database, {
			id: 's',
			events: [
				{kind: 'meta', text: 'env'},
				{...said('first'), ...at(0)},
				{kind: 'tool_use', toolName: 'Edit', text: 'e', files: [edit], ...at(1)},
				{kind: 'tool_result', text: 'failed', isError: true, files: [edit], ...at(2)},
				{...said('/clear'), input: 'local', ...at(3)},
				{...said('second'), ...at(5)},
				{...said('undone'), state: 'undone', ...at(6)},
				{...said('done', 'assistant'), ...at(9)},
			],
		});
		expect(library.outline('claude-code:s')).toEqual([
			{
				index: 1,
				atMs: SEED_NOW_MS,
				text: 'first',
				durationMs: 5 * MINUTE_MS,
				toolCalls: 1,
				errors: 1,
				files: 1,
			},
			{
				index: 5,
				atMs: SEED_NOW_MS + 5 * MINUTE_MS,
				text: 'second',
				durationMs: 4 * MINUTE_MS,
				toolCalls: 0,
				errors: 0,
				files: 0,
			},
		]);
	});
});

describe('sources', () => {
	it('why something is not in the list', () => {
		const {database, library} = store();
		const shown = seedSession(database, {id: 'shown'});
		const hidden = seedSession(database, {id: 'hidden', hiddenBy: 'guardian'});
		database.exec(`INSERT INTO root(id, agent, path, origin, state, sources, last_sync)
			VALUES (1, 'claude-code', '/r', 'default', 'present', 4, 42), (2, 'codex', '/absent', 'default', 'absent', 0, 42)`);
		database.exec("UPDATE session SET agent_version = '2.1.0'");
		const source = database.prepare(
			`INSERT INTO source(agent, key, path, root_id, session_id, mode, stamps, unknown, problems, error)
			VALUES ('claude-code', ?, ?, 1, ?, 'append', '[]', ?, ?, ?)`,
		);
		source.run('a', '/r/a', shown.rowId, '{"new-kind":2}', 2, null);
		source.run('b', '/r/b', hidden.rowId, '{"new-kind":1,"other":1}', 0, null);
		source.run('c', '/r/c', null, '{}', 0, null);
		source.run('d', '/r/d', null, '{}', 1, 'permission denied');
		database.exec(
			"INSERT INTO problem VALUES (1, 'malformed-line', 2, 'line 3', 'not JSON'), (4, 'unreadable', 1, NULL, 'permission denied')",
		);
		expect(library.roots()).toEqual([
			{
				agent: 'claude-code',
				path: '/r',
				state: 'present',
				sources: 4,
				shown: 1,
				hidden: {empty: 1, guardian: 1},
				problems: 3,
				firstProblem: 'not JSON',
				agentVersion: '2.1.0',
				lastSyncMs: 42,
				isUnused: false,
			},
			{
				agent: 'codex',
				path: '/absent',
				state: 'absent',
				sources: 0,
				shown: 0,
				hidden: {},
				problems: 0,
				firstProblem: null,
				agentVersion: null,
				lastSyncMs: 42,
				isUnused: true,
			},
		]);
		expect(library.problems()).toEqual([
			{
				agent: 'claude-code',
				source: '/r/a',
				code: 'malformed-line',
				count: 2,
				where: 'line 3',
				detail: 'not JSON',
			},
			{
				agent: 'claude-code',
				source: '/r/d',
				code: 'unreadable',
				count: 1,
				where: null,
				detail: 'permission denied',
			},
		]);
		expect(library.problems('codex')).toEqual([]);
		expect(library.unknownKinds()).toEqual({'claude-code': {'new-kind': 3, other: 1}});
	});

	it('a place is unused that is not there, never had a source, and that nobody asked for', () => {
		const {database, library} = store();
		database.exec(`INSERT INTO root(id, agent, path, origin, state) VALUES
			(1, 'codex', '/never', 'default', 'absent'), (2, 'codex', '/empty', 'default', 'present'),
			(3, 'codex', '/unmounted', 'default', 'absent'), (4, 'codex', '/variable', 'environment', 'absent'),
			(5, 'codex', '/wanted', 'config', 'absent');
			INSERT INTO source(agent, key, path, root_id, mode, stamps, state) VALUES
			('codex', 'a', '/unmounted/a', 3, 'append', '[]', 'present')`);
		const unused = library.roots().filter(({isUnused}) => isUnused);
		expect(unused.map(({path}) => path)).toEqual(['/never']);
	});
});
