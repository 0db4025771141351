import {rmSync} from 'node:fs';
import {dirname} from 'node:path';
import {mirrorPath, siblingsOf} from '../archive/member-file.js';
import {mirrorRow} from '../archive/mirror-rows.js';
import {removeSession, type SessionName} from '../forget.js';
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import {giveBackCopies} from './give-back.js';
import type {KnownSource} from './plan.js';
import type {Writer} from './write-group.js';

/**
 * A place that holds another session now: a file was written anew under the same name, or a newer parser takes the id from
 * elsewhere. The row of the source stays with the old session, which keeps its facts by it and whose records are no longer looked
 * for in that place; the new session gets a row of its own.
 */
export const setAside = (database: Database, known: KnownSource): KnownSource => {
	const row = {...known, key: `${known.key}${endingOf(known.id)}`};
	prepared(database)(
		`UPDATE source SET key = @key, path = @path, root_id = @root_id, native_id = @native_id, mark = @mark, extra = @extra,
		outside = @outside WHERE id = @id`,
	).run(row);
	return row;
};

const endingOf = (id: number): string => `#before-${id}`;

/** True when the source is of another session than the last time. */
export const isOfAnother = (
	database: Database,
	known: KnownSource | undefined,
	nativeId: string,
): boolean =>
	known !== undefined &&
	known.session_id !== null &&
	prepared(database)('SELECT 1 FROM session WHERE id = ? AND native_id <> ?').get(
		known.session_id,
		nativeId,
	) !== undefined;

/** The source that lies where this one did. */
interface Heir {
	readonly sessionId: number;
	readonly isComplete: boolean;
	readonly hasSameContent: boolean;
}

export const heirOf = (
	database: Database,
	{id, key, stamps, mark}: KnownSource,
): Heir | undefined => {
	const ending = endingOf(id);
	if (!key.endsWith(ending)) return undefined;
	const row = prepared(database)(
		`SELECT session_id, is_complete, stamps, mark FROM source
		WHERE agent = (SELECT agent FROM source WHERE id = ?) AND key = ? AND state = 'present' AND session_id IS NOT NULL`,
	).get(id, key.slice(0, -ending.length)) as
		| {session_id: number; is_complete: number; stamps: string; mark: string | null}
		| undefined;
	return (
		row && {
			sessionId: row.session_id,
			isComplete: row.is_complete === 1,
			hasSameContent: mark === null ? row.stamps === stamps : row.mark === mark,
		}
	);
};

/**
 * A session that nothing feeds any more, and of which the heir has everything, is the heir under an older id: it goes. With what the
 * user has marked, and with any event that only it has, it stays. Returns its forks, which have their copies back; undefined when
 * it stays.
 */
export const removeTwin = (
	writer: Writer,
	row: KnownSource,
	heir: Heir,
): readonly number[] | undefined => {
	const {database} = writer;
	const session = unmarkedSession(database, row);
	if (session === undefined || !hasAll(database, heir, session.id)) return undefined;
	const folder = dirname(database.name);
	const mirror = mirrorRow(database, session.id)?.name;
	const children = giveBackCopies(writer, session.id);
	removeSession(writer, session);
	for (const name of mirror === undefined ? [] : siblingsOf(folder, mirror))
		rmSync(mirrorPath(folder, name));
	return children;
};

const unmarkedSession = (database: Database, row: KnownSource): SessionName | undefined =>
	prepared(database)(
		`SELECT id, agent, native_id AS nativeId FROM session WHERE id = @session AND is_imported = 0
		AND NOT EXISTS (SELECT 1 FROM mark WHERE mark.agent = session.agent AND mark.native_id = session.native_id)
		AND NOT EXISTS (SELECT 1 FROM source WHERE session_id = session.id AND source.id <> @source)`,
	).get({session: row.session_id, source: row.id}) as SessionName | undefined;

/** What a newer parser no longer yields from the same bytes need not be there. */
const hasAll = (database: Database, heir: Heir, id: number): boolean => {
	const sql = prepared(database);
	const recordsOf = (session: number) =>
		sql(
			"SELECT kind || ' ' || coalesce(at, '') || ' ' || hash AS record, state FROM event WHERE session_id = ?",
		).all(session) as {record: string; state: string}[];
	const held = new Set(recordsOf(heir.sessionId).map(({record}) => record));
	return recordsOf(id).every(
		({record, state}) => held.has(record) || (heir.hasSameContent && state !== 'gone'),
	);
};
