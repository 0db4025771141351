import type {Problem} from '../../adapters/model.js';
import type {Batch, Cursor, FileStamp, Source} from '../../adapters/types.js';
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import {extraOf, type KnownSource, outsideOf, stampsOf} from './plan.js';
import {prefixHash} from './prefix.js';

export const knownSources = (database: Database, agent: string): readonly KnownSource[] =>
	prepared(database)(`SELECT ${KNOWN_COLUMNS} FROM source WHERE agent = ?`).all(
		agent,
	) as KnownSource[];

/** Without facts and cursor state, which are large and only needed of what changed. */
const KNOWN_COLUMNS = `id, key, path, root_id, session_id, native_id, mode, rank, preference, stamps, mark, extra, outside,
	offset, line_number, prefix_hash, is_complete, parser, state, error`;

/** Creates or updates the row of a source as it is found; what was read of it stays. Returns its id. */
export const writeSource = (
	database: Database,
	place: {
		readonly agent: string;
		readonly rootId: number;
		readonly known?: KnownSource | undefined;
	},
	source: Source,
): number => {
	const sql = prepared(database);
	const [primary] = source.files;
	const row = {
		agent: place.agent,
		key: source.key,
		path: source.path,
		root_id: place.rootId,
		native_id: source.sessionId ?? null,
		mode: source.mode,
		rank: source.rank ?? 0,
		preference: source.preference ?? 0,
		mark: source.mark ?? null,
		extra: extraOf(source),
		outside: outsideOf(source),
		size: source.files.reduce((sum, file) => sum + file.sizeBytes, 0),
		mtime: primary?.mtimeMs ?? 0,
	};
	if (place.known) {
		sql(
			`UPDATE source SET key = @key, path = @path, root_id = @root_id, native_id = coalesce(@native_id, native_id), mode = @mode,
			rank = @rank, preference = @preference, mark = @mark, extra = @extra, outside = @outside, size = @size, mtime = @mtime,
			state = 'present', missing_since = NULL, error = NULL WHERE id = @id`,
		).run({...row, id: place.known.id});
		// What kept the last pass from reading it is over, or will be said again.
		if (place.known.error !== null)
			sql('DELETE FROM problem WHERE source_id = ? AND detail = ?').run(
				place.known.id,
				place.known.error,
			);
		return place.known.id;
	}
	const {lastInsertRowid} = sql(
		`INSERT INTO source(agent, key, path, root_id, native_id, mode, rank, preference, stamps, mark, extra, outside, size, mtime)
		VALUES (@agent, @key, @path, @root_id, @native_id, @mode, @rank, @preference, '', @mark, @extra, @outside, @size, @mtime)`,
	).run(row);
	return Number(lastInsertRowid);
};

/** Where reading went: belongs into the transaction of the rows before it. */
export const writeCursor = (
	database: Database,
	id: number,
	cursor: Cursor,
	{path, parserVersion}: {readonly path: string; readonly parserVersion: number},
): void => {
	prepared(database)(
		'UPDATE source SET offset = ?, line_number = ?, cursor_state = ?, prefix_hash = ?, parser = ?, is_complete = 0 WHERE id = ?',
	).run(
		cursor.offset,
		cursor.lineNumber,
		JSON.stringify(cursor.state ?? null),
		prefixHash(path, cursor.offset) ?? null,
		parserVersion,
		id,
	);
};

/** All of the source is stored, as it was when `source` was found. */
export const writeComplete = (
	database: Database,
	id: number,
	source: Source,
	parserVersion: number,
): void => {
	prepared(database)('UPDATE source SET stamps = ?, is_complete = 1, parser = ? WHERE id = ?').run(
		stampsOf(source),
		parserVersion,
		id,
	);
};

/** The cursor to go on from, or undefined when the source has to be read from its start. */
export const cursorOf = (
	database: Database,
	known: KnownSource,
	source: Source,
): Cursor | undefined => {
	if (
		source.mode !== 'append' ||
		known.mode !== 'append' ||
		known.prefix_hash === null ||
		known.offset === 0
	)
		return undefined;
	if (prefixHash(source.path, known.offset) !== known.prefix_hash) return undefined;
	const state = prepared(database)('SELECT cursor_state FROM source WHERE id = ?').get(
		known.id,
	) as {
		cursor_state: string | null;
	};
	return {
		offset: known.offset,
		lineNumber: known.line_number,
		state: JSON.parse(state.cursor_state ?? 'null') as unknown,
	};
};

/** Adds what a batch says of problems and unknown kinds; `isFirst` starts anew. */
export const writeFindings = (
	database: Database,
	id: number,
	batch: Batch,
	isFirst: boolean,
): void => {
	const sql = prepared(database);
	if (isFirst) {
		sql('DELETE FROM problem WHERE source_id = ?').run(id);
		sql("UPDATE source SET unknown = '{}' WHERE id = ?").run(id);
	}
	writeProblems(database, id, batch.problems);
	if (Object.keys(batch.unknown).length > 0) {
		const {unknown} = sql('SELECT unknown FROM source WHERE id = ?').get(id) as {unknown: string};
		const counts = JSON.parse(unknown) as Record<string, number>;
		for (const [kind, count] of Object.entries(batch.unknown))
			counts[kind] = (counts[kind] ?? 0) + count;
		sql('UPDATE source SET unknown = ? WHERE id = ?').run(JSON.stringify(counts), id);
	}
	sql(
		'UPDATE source SET facts = ?, problems = (SELECT coalesce(sum(count), 0) FROM problem WHERE source_id = source.id) WHERE id = ?',
	).run(JSON.stringify(batch.facts), id);
};

export const removeSource = (database: Database, id: number): void => {
	const sql = prepared(database);
	sql('DELETE FROM problem WHERE source_id = ?').run(id);
	sql('DELETE FROM source WHERE id = ?').run(id);
};

/** Problems of a root lie under its negative id. */
export const writeProblems = (
	database: Database,
	sourceId: number,
	problems: readonly Problem[],
): void => {
	for (const problem of problems)
		prepared(database)(
			'INSERT INTO problem VALUES (?, ?, 1, ?, ?) ON CONFLICT(source_id, code) DO UPDATE SET count = count + 1',
		).run(sourceId, problem.code, problem.where ?? null, problem.detail);
};

/** A stored row as the source it was found as. */
export const storedSource = (known: KnownSource): Source => {
	const files: FileStamp[] = (
		JSON.parse(known.stamps || '[]') as [string, number, number, number, number][]
	).map(([path, sizeBytes, mtimeMs, inode, device]) => ({path, sizeBytes, mtimeMs, inode, device}));
	return {
		key: known.key,
		path: known.path,
		files,
		mode: known.mode === 'append' ? 'append' : 'replace',
		rank: known.rank,
		preference: known.preference,
		...(known.mark === null ? {} : {mark: known.mark}),
		...(known.native_id === null ? {} : {sessionId: known.native_id}),
		...(known.extra === null ? {} : {extra: JSON.parse(known.extra) as unknown}),
		...(known.outside === null
			? {}
			: {outside: JSON.parse(known.outside) as NonNullable<Source['outside']>}),
	};
};
