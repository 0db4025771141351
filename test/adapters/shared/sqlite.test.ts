import {
	chmodSync,
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {afterEach, describe, expect, it} from 'vitest';
import type {ProblemCode} from '../../../adapters/model.js';
import {
	closeViews,
	columnsOf,
	type ForeignDatabase,
	setViewFolder,
	withDatabase,
} from '../../../adapters/shared/sqlite.js';
import {SourceUnreadable} from '../../../adapters/types.js';
import {scratchFolder} from './scratch.js';

const scratch = scratchFolder();
const views = join(scratch.folder, 'views');
setViewFolder(views);
afterEach(closeViews);

let count = 0;

const newFolder = (): string => {
	const folder = join(scratch.folder, `store${count++}`);
	mkdirSync(folder);
	return folder;
};

/** The connection of an agent that works on its database. */
const openAgent = (path: string, journal: 'wal' | 'delete'): Database.Database => {
	const agent = new Database(path);
	agent.pragma(`journal_mode = ${journal}`);
	agent.exec('CREATE TABLE IF NOT EXISTS session (id TEXT PRIMARY KEY, title TEXT)');
	agent.exec(`INSERT OR IGNORE INTO session VALUES ('s1', 'first')`);
	return agent;
};

const makeStore = (journal: 'wal' | 'delete'): string => {
	const path = join(newFolder(), 'store.db');
	openAgent(path, journal).close();
	return path;
};

/** A database whose agent was killed: the newest rows are only in the `-wal`. */
const makeKilledStore = (): string => {
	const path = join(newFolder(), 'live.db');
	const agent = openAgent(path, 'wal');
	const killed = join(newFolder(), 'store.db');
	copyFileSync(path, killed);
	copyFileSync(`${path}-wal`, `${killed}-wal`);
	agent.close();
	return killed;
};

/** Names, bytes and times of everything in the folder of a database. */
const traces = (path: string) => {
	const folder = join(path, '..');
	return readdirSync(folder).map(name => {
		const {size, mtimeMs, ino} = statSync(join(folder, name));
		// Readers of a running agent's database take turns by marks in the `-shm`.
		const isShared = name.endsWith('-shm');
		const bytes = isShared ? '' : readFileSync(join(folder, name)).toString('base64');
		return [name, size, isShared ? 0 : mtimeMs, ino, bytes];
	});
};

const titles = (db: ForeignDatabase): readonly unknown[] =>
	db.all('SELECT title FROM session ORDER BY id').map(row => row['title']);

const failure = (action: () => unknown): ProblemCode | undefined => {
	try {
		action();
		return undefined;
	} catch (error) {
		if (error instanceof SourceUnreadable) return error.code;
		throw error;
	}
};

describe('withDatabase leaves no trace', () => {
	it.each([
		['in rollback mode', () => makeStore('delete')],
		['in WAL mode and quiet', () => makeStore('wal')],
		['with a -wal that was left behind', makeKilledStore],
	])('%s', (_, make) => {
		for (const options of [{}, {bufferLimit: 0}]) {
			const path = make();
			const before = traces(path);
			expect(withDatabase(path, titles, options)).toEqual(['first']);
			expect(withDatabase(path, titles, options)).toEqual(['first']);
			expect(traces(path)).toEqual(before);
			closeViews();
			expect(traces(path)).toEqual(before);
			expect(existsSync(views) ? readdirSync(views) : []).toEqual([]);
		}
	});

	it('beside an agent that has it open and goes on writing', () => {
		const path = join(newFolder(), 'store.db');
		const agent = openAgent(path, 'wal');
		const before = traces(path);
		const seen = withDatabase(path, db => {
			const first = titles(db);
			agent.exec(`INSERT INTO session VALUES ('s2', 'second')`);
			return [first, titles(db)];
		});
		expect(seen).toEqual([['first'], ['first']]);
		expect(withDatabase(path, titles)).toEqual(['first', 'second']);
		expect(traces(path).map(([name]) => name)).toEqual(before.map(([name]) => name));
		agent.close();
		expect(readdirSync(join(path, '..'))).toEqual(['store.db']);
	});

	it('in a folder that may not be written', () => {
		for (const journal of ['wal', 'delete'] as const) {
			const path = makeStore(journal);
			chmodSync(path, 0o400);
			chmodSync(join(path, '..'), 0o500);
			const before = traces(path);
			expect(withDatabase(path, titles)).toEqual(['first']);
			expect(withDatabase(path, titles, {bufferLimit: 0})).toEqual(['first']);
			expect(traces(path)).toEqual(before);
			chmodSync(join(path, '..'), 0o700);
		}
	});

	it('when the -shm of a running agent may not be written', () => {
		const path = join(newFolder(), 'store.db');
		const agent = openAgent(path, 'wal');
		chmodSync(`${path}-shm`, 0o400);
		const before = traces(path);
		expect(withDatabase(path, titles)).toEqual(['first']);
		closeViews();
		expect(traces(path)).toEqual(before);
		agent.close();
	});

	it('through a link', () => {
		const path = makeStore('wal');
		const link = join(newFolder(), 'link.db');
		symlinkSync(path, link);
		const before = traces(path);
		expect(withDatabase(link, titles, {bufferLimit: 0})).toEqual(['first']);
		closeViews();
		expect(traces(path)).toEqual(before);
		expect(readdirSync(join(link, '..'))).toEqual(['link.db']);
	});

	it('and never writes, whatever the action tries', () => {
		const path = makeStore('delete');
		const before = traces(path);
		expect(
			failure(() => withDatabase(path, db => db.all('DELETE FROM session RETURNING id'))),
		).toBe('unreadable');
		expect(traces(path)).toEqual(before);
	});

	it('and removes the views of a process that was killed', () => {
		const left = join(views, 'backscroll-view-999999999-abcdef');
		const foreign = join(views, 'something-else');
		mkdirSync(left, {recursive: true});
		mkdirSync(foreign);
		setViewFolder(views);
		withDatabase(makeStore('wal'), titles, {bufferLimit: 0});
		expect(existsSync(left)).toBe(false);
		expect(existsSync(foreign)).toBe(true);
	});
});

describe('withDatabase reads one state', () => {
	it('and the new one when the agent has written', () => {
		const path = makeStore('wal');
		expect(withDatabase(path, titles)).toEqual(['first']);
		const agent = openAgent(path, 'wal');
		agent.exec(`INSERT INTO session VALUES ('s2', 'second')`);
		expect(withDatabase(path, titles)).toEqual(['first', 'second']);
		agent.close();
		expect(withDatabase(path, titles)).toEqual(['first', 'second']);
	});

	it('or throws away what was read while the agent started', () => {
		for (const options of [{}, {bufferLimit: 0}]) {
			const path = makeStore('wal');
			const read = () =>
				withDatabase(
					path,
					db => {
						openAgent(path, 'wal').close();
						return titles(db);
					},
					options,
				);
			// Opening and closing touches the file only if something was written.
			const change = () =>
				withDatabase(
					path,
					db => {
						const agent = openAgent(path, 'wal');
						agent.exec(`INSERT INTO session VALUES ('s2', 'second')`);
						agent.close();
						return titles(db);
					},
					options,
				);
			expect(read()).toEqual(['first']);
			expect(failure(change)).toBe('busy');
			expect(withDatabase(path, titles, options)).toEqual(['first', 'second']);
		}
	});

	it('of two databases at once', () => {
		const [outer, inner] = [makeStore('wal'), makeStore('wal')];
		const read = () => withDatabase(outer, db => [withDatabase(inner, titles), titles(db)]);
		expect(read()).toEqual([['first'], ['first']]);
		expect(read()).toEqual([['first'], ['first']]);
	});
});

describe('withDatabase tells why it cannot read', () => {
	it('when an agent holds the lock, as busy', () => {
		const path = makeStore('delete');
		const agent = new Database(path);
		agent.exec('BEGIN EXCLUSIVE');
		expect(failure(() => withDatabase(path, titles))).toBe('busy');
		agent.exec('ROLLBACK');
		agent.close();
		expect(withDatabase(path, titles)).toEqual(['first']);
	});

	it.each<[string, ProblemCode, () => string]>([
		['absent', 'unreadable', () => join(newFolder(), 'none.db')],
		['a folder', 'unreadable', newFolder],
		['no database', 'unreadable', () => scratch.write('x'.repeat(5000), 'text.db')],
		['empty', 'unsupported-schema', () => scratch.write('', 'empty.db')],
	])('when it is %s', (_, code, make) => {
		const path = make();
		expect(failure(() => withDatabase(path, titles))).toBe(code);
	});

	it('when a column is missing, as an unsupported schema', () => {
		const path = makeStore('delete');
		expect(failure(() => withDatabase(path, db => db.get('SELECT nope FROM session')))).toBe(
			'unsupported-schema',
		);
	});

	it('never as anything else, wherever the file is cut or damaged', () => {
		const bytes = readFileSync(makeStore('wal'));
		const path = join(newFolder(), 'damaged.db');
		for (let place = 0; place < bytes.length; place += 97) {
			const flipped = Buffer.from(bytes);
			flipped[place] = (flipped[place] ?? 0) ^ 0x41;
			for (const content of [flipped, bytes.subarray(0, place)]) {
				writeFileSync(path, content);
				failure(() => withDatabase(path, titles));
				expect(readFileSync(path).equals(content)).toBe(true);
				expect(readdirSync(join(path, '..'))).toEqual(['damaged.db']);
			}
		}
	});

	it('but lets an error of the action through', () => {
		const path = makeStore('wal');
		const mistake = new TypeError('a mistake');
		expect(() =>
			withDatabase(path, () => {
				throw mistake;
			}),
		).toThrow(mistake);
		expect(withDatabase(path, titles)).toEqual(['first']);
	});
});

describe('a foreign database', () => {
	it('is asked for what it has', () => {
		const path = makeStore('delete');
		withDatabase(path, db => {
			expect(db.hasTable('session')).toBe(true);
			expect(db.hasTable('message')).toBe(false);
			expect(columnsOf(db, 'session')).toEqual(new Set(['id', 'title']));
			expect(columnsOf(db, 'message')).toEqual(new Set());
			expect(db.get('SELECT title FROM session WHERE id = ?', 's1')).toEqual({title: 'first'});
			expect(db.get('SELECT title FROM session WHERE id = ?', 's9')).toBeUndefined();
			for (const row of db.iterate('SELECT id FROM session')) {
				expect(row).toEqual({id: 's1'});
				break;
			}
		});
	});
});
