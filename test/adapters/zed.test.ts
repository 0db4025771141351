/** What the fixture home cannot show: roots, older schemas, content that cannot be read. */
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {SourceUnreadable} from '../../adapters/types.js';
import {zed} from '../../adapters/zed/index.js';
import {
	buildDatabase,
	discoverAll,
	emptyHome,
	readFolded,
	removeHome,
	surroundingsOf,
} from '../helpers/fixtures.js';

let home: string;
beforeEach(() => {
	home = emptyHome();
});
afterEach(() => removeHome(home));

const build = (sql: string): void =>
	buildDatabase(join(home, '.local/share/zed/threads/threads.db'), sql);

const OLDEST =
	'CREATE TABLE threads (id TEXT PRIMARY KEY, summary TEXT, updated_at TEXT, data_type TEXT, data BLOB);';
const THREAD = `{"messages":[{"User":{"id":"u","content":[{"Text":"Ask"}]}}]}`;

test('roots: the data folder, what variables name, the folders of other platforms', () => {
	const pathOf = (more: Partial<ReturnType<typeof surroundingsOf>>) =>
		zed.roots({...surroundingsOf('/home/me'), ...more})[0]?.path;
	expect(pathOf({})).toBe('/home/me/.local/share/zed');
	expect(pathOf({env: {XDG_DATA_HOME: '/data'}})).toBe('/data/zed');
	expect(pathOf({env: {XDG_DATA_HOME: 'data'}})).toBe('/home/me/.local/share/zed');
	expect(pathOf({env: {XDG_DATA_HOME: '/data', FLATPAK_XDG_DATA_HOME: '/flat'}})).toBe('/flat/zed');
	expect(pathOf({platform: 'darwin', env: {XDG_DATA_HOME: '/data'}})).toBe(
		'/home/me/Library/Application Support/Zed',
	);
	expect(pathOf({platform: 'win32', env: {LOCALAPPDATA: '/local'}})).toBe('/local/Zed');
});

test('the first schema has neither folders nor parents', () => {
	build(
		`${OLDEST} INSERT INTO threads VALUES ('a', 'Ask', '2026-12-01T08:00:00Z', 'json', '${THREAD}');`,
	);
	const [source] = discoverAll(zed, surroundingsOf(home)).sources;
	if (source === undefined) throw new Error('no source');
	const {facts, events} = readFolded(zed, source);
	expect(facts).toEqual({
		generatedTitle: 'Ask',
		createdAtMs: 1796112000000,
		updatedAtMs: 1796112000000,
	});
	expect(events.map(event => event.text)).toEqual(['Ask']);
});

test('content that cannot be read costs its thread only', () => {
	build(`${OLDEST} INSERT INTO threads VALUES
		('a', '', '2026-12-01T08:00:00Z', 'zstd', x'28b52ffd6e6f6e73'),
		('b', '', '2026-12-01T08:00:00Z', 'json', '{"half":'),
		('c', '', '2026-12-01T08:00:00Z', 'brotli', x'00'),
		('d', '', '2026-12-01T08:00:00Z', 'json', '${THREAD}');`);
	const outcomes = discoverAll(zed, surroundingsOf(home)).sources.map(source => {
		try {
			return readFolded(zed, source).events.length;
		} catch (error) {
			return error instanceof SourceUnreadable ? error.code : error;
		}
	});
	expect(outcomes).toEqual(['bad-record', 'bad-record', 'unsupported-schema', 1]);
});

test('a database of another kind is a problem, not a failure', () => {
	build('CREATE TABLE workspaces (id TEXT);');
	const {sources, problems} = discoverAll(zed, surroundingsOf(home));
	expect(sources).toEqual([]);
	expect(problems.map(({code}) => code)).toEqual(['unsupported-schema']);
});
