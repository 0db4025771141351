import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';
import type {AdapterEvent, EventKind, SessionFacts} from '../../adapters/model.js';
import {createBatch} from '../../adapters/shared/batch.js';
import {readJsonLines} from '../../adapters/shared/jsonl.js';
import {numberOf, recordOf, stringOf} from '../../adapters/shared/narrow.js';
import {walkFiles} from '../../adapters/shared/walk.js';
import type {Adapter} from '../../adapters/types.js';
import {type Database, openStore} from '../../store/open.js';
import {type SyncOptions, syncPass} from '../../store/sync/engine.js';
import type {AgentSyncCounts} from '../../store/types.js';

const TRANSCRIPT = /^(.+)\.jsonl(?:\.zst)?$/;

/**
 * The smallest agent that has everything the engine can meet. A session is a file `<root>/<id>.jsonl` of lines
 * `{k: key, t: text, kind?, role?, at?, call?, undo?, facts?, usage?}`; `facts` patches the facts, `undo` names the first event
 * that is taken back. Events are batched one by one. Old sessions may be compressed to `<id>.jsonl.zst`.
 */
export const toyAdapter = (
	change: Partial<Adapter> & {readonly roots?: Adapter['roots']} = {},
): Adapter => ({
	id: 'toy',
	label: 'Toy agent',
	shortLabel: 'Toy',
	parserVersion: 1,
	checked: ['1.0'],
	hasGlobalKeys: true,
	roots: ({home}) => [{path: join(home, 'toy'), from: 'default', resumeEnv: {}}],
	*discover(root) {
		for (const item of walkFiles(root.path, {
			depth: 3,
			accept: (_, name) => TRANSCRIPT.test(name),
		})) {
			if (item.problem) yield {problem: item.problem};
			else
				yield {
					source: {
						key: item.path,
						path: item.path,
						files: [item.stamp],
						mode: 'append',
						sessionId: TRANSCRIPT.exec(basename(item.path))?.[1] ?? '',
						preference: item.path.endsWith('.zst') ? 1 : 0,
					},
				};
		}
	},
	*read(source, from) {
		const batch = createBatch(source.sessionId ?? '');
		batch.patch((from?.state ?? {}) as SessionFacts);
		const lines = readJsonLines(source.path, from ?? {offset: 0, lineNumber: 0});
		let end = from ?? {offset: 0, lineNumber: 0};
		for (;;) {
			const {done, value} = lines.next();
			if (done) {
				end = value;
				break;
			}
			if (value.problem) batch.problem(value.problem);
			else {
				const {record} = value;
				batch.patch(recordOf(record['facts']));
				if (stringOf(record['k'])) batch.event(eventOf(record, value));
				const undo = stringOf(record['undo']);
				if (undo) batch.undo(undo);
				if (record['usage']) batch.usage(recordOf(record['usage']) as never);
				if (record['type']) batch.unknown(String(record['type']));
			}
			yield batch.take({
				offset: value.offset + value.length + 1,
				lineNumber: value.number,
				state: batch.facts(),
			});
		}
		yield batch.take({...end, state: batch.facts()});
	},
	resume: ({id, cwd}) => ({argv: ['toy', 'resume', id], cwd, env: {}}),
	...change,
});

const eventOf = (
	record: Record<string, unknown>,
	{offset, length}: {readonly offset: number; readonly length: number},
): AdapterEvent => {
	const kind = (stringOf(record['kind']) ?? 'message') as EventKind;
	return {
		key: stringOf(record['k']) ?? '',
		kind,
		...(kind === 'message' ? {role: record['role'] === 'assistant' ? 'assistant' : 'user'} : {}),
		atMs: numberOf(record['at']) ?? 0,
		text: stringOf(record['t']) ?? '',
		...(record['call'] ? {tool: {name: 'Run', callId: String(record['call'])}} : {}),
		locator: {offset, length},
	};
};

/** One line of a toy session. */
export const line = (k: string, t: string, more: Readonly<Record<string, unknown>> = {}): string =>
	`${JSON.stringify({k, t, at: 1_000_000 + t.length, ...more})}\n`;

/** A home with toy sessions, a data folder, and a sync that can be run again and again. */
export const createToyWorld = (adapters: readonly Adapter[] = [toyAdapter()]) => {
	const folder = mkdtempSync(join(tmpdir(), 'backscroll-sync-'));
	const home = join(folder, 'home');
	const data = join(folder, 'data');
	mkdirSync(join(home, 'toy'), {recursive: true});
	const database: Database = openStore(data);
	let clock = 1_700_000_000_000;
	const all = <T>(sql: string, ...values: unknown[]): readonly T[] =>
		database.prepare(sql).all(...values) as T[];
	return {
		home,
		data,
		database,
		write(name: string, ...lines: readonly string[]): string {
			const path = join(home, 'toy', name);
			mkdirSync(dirname(path), {recursive: true});
			writeFileSync(path, lines.join(''));
			return path;
		},
		async sync(options: Partial<SyncOptions> = {}): Promise<AgentSyncCounts> {
			const summary = await syncPass(database, {
				adapters,
				surroundings: () => ({home, platform: 'linux', env: {}, extraRoots: [], projectDirs: []}),
				now: () => clock++,
				...options,
			});
			return summary.agents[0] as AgentSyncCounts;
		},
		all,
		/** Texts of a session in order, with the state where it is not live. */
		texts: (id: string): readonly string[] =>
			all<{text: string; state: string}>(
				'SELECT text, event.state FROM event JOIN session ON session.id = session_id WHERE native_id = ? ORDER BY position',
				id,
			).map(({text, state}) => (state === 'live' ? text : `${text} (${state})`)),
		session: (id: string): Readonly<Record<string, unknown>> =>
			all<Record<string, unknown>>('SELECT * FROM session WHERE native_id = ?', id)[0] ?? {},
		/** Sessions with an indexed event that has the word. */
		found: (word: string): readonly string[] =>
			all<{id: string}>(
				`SELECT DISTINCT native_id AS id FROM event_fts JOIN event ON event.id = event_fts.rowid JOIN session ON session.id = session_id
				WHERE event_fts MATCH ? ORDER BY 1`,
				word,
			).map(({id}) => id),
		close(): void {
			database.close();
			rmSync(folder, {recursive: true, force: true});
		},
	};
};

export type ToyWorld = ReturnType<typeof createToyWorld>;
