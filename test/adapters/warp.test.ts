/** What the fixture home cannot show: roots, secrets, conversations that are written anew. */
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {warp} from '../../adapters/warp/index.js';
import {
	copyFixture,
	discoverAll,
	type FixtureHome,
	readFolded,
	surroundingsOf,
} from '../helpers/fixtures.js';

let fixture: FixtureHome;
beforeEach(() => {
	fixture = copyFixture('warp');
});
afterEach(() => fixture.dispose());

const sources = () => discoverAll(warp, fixture.around).sources;

test('roots: each channel, by platform', () => {
	const pathsOf = (more: Partial<ReturnType<typeof surroundingsOf>>) =>
		warp.roots({...surroundingsOf('/home/me'), ...more}).map(({path}) => path);
	expect(pathsOf({})).toEqual([
		'/home/me/.local/state/warp-terminal',
		'/home/me/.local/state/warp-terminal-preview',
	]);
	expect(pathsOf({env: {XDG_STATE_HOME: '/state'}})[0]).toBe('/state/warp-terminal');
	expect(pathsOf({env: {XDG_STATE_HOME: 'state'}})[0]).toBe('/home/me/.local/state/warp-terminal');
	expect(pathsOf({platform: 'darwin'})).toContain(
		'/home/me/Library/Application Support/dev.warp.Warp-Stable',
	);
	expect(pathsOf({platform: 'win32', env: {LOCALAPPDATA: '/local'}})).toEqual([
		'/local/warp/Warp/data',
		'/local/warp/WarpPreview/data',
	]);
	expect(pathsOf({extraRoots: [{path: '/copy'}]}).at(-1)).toBe('/copy');
});

test('what the database keeps secret is neither read nor mirrored', () => {
	const all = sources().map(source => [readFolded(warp, source), [...(warp.rows?.(source) ?? [])]]);
	expect(JSON.stringify(all)).not.toContain('not-read');
	expect(JSON.stringify(all)).not.toContain('not read');
});

test('a prompt that no task holds may be a bare text, and a conversation may have a title', () => {
	const database = new Database(join(fixture.home, '.local/state/warp-terminal/warp.sqlite'));
	// 1: "b", 5: {1: "m", 3: {1: "The thick one."}}
	database.exec(`INSERT INTO agent_conversations(conversation_id, conversation_data, last_modified_at)
		VALUES ('bare', '{"title": "Ropes"}', '2026-08-03 12:00:00');
		INSERT INTO ai_queries(exchange_id, conversation_id, start_ts, input, output_status, model_id)
		VALUES ('e', 'bare', '2026-08-03 12:00:00', 'Which rope holds?', 'ok', 'm');
		INSERT INTO agent_tasks(conversation_id, task_id, task, last_modified_at)
		VALUES ('bare', 'b', x'0a01622a150a016d1a100a0e54686520746869636b206f6e652e', '2026-08-03 12:00:01')`);
	database.close();
	const bare = sources().find(({sessionId}) => sessionId === 'bare');
	if (bare === undefined) throw new Error('no source');
	const {facts, events} = readFolded(warp, bare);
	expect(facts.generatedTitle).toBe('Ropes');
	expect(events.map(({role, text}) => [role, text])).toEqual([
		['user', 'Which rope holds?'],
		['assistant', 'The thick one.'],
	]);
});

test('a task that is written anew changes the mark of its conversation only', () => {
	const before = sources().map(({mark}) => mark);
	const database = new Database(join(fixture.home, '.local/state/warp-terminal/warp.sqlite'));
	database.exec(`UPDATE agent_tasks SET task = x'0a0274337a00' WHERE task_id = 't3'`);
	database.close();
	const changed = sources().filter(({mark}, index) => mark !== before[index]);
	expect(changed.map(({sessionId}) => sessionId?.at(-1))).toEqual(['3']);
});

test('the raw record of a message is its fields by number', () => {
	const [source] = sources().filter(({sessionId}) => sessionId?.endsWith('1'));
	if (source === undefined) throw new Error('no source');
	const raw = warp.raw?.(source, {table: 'agent_tasks', row: 't1-a#2'});
	expect(JSON.parse(raw ?? '')).toMatchObject({1: ['m3'], 3: [{1: ['I look at the rope.']}]});
});
