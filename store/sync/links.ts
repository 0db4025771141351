import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import type {Writer} from './write-group.js';

/**
 * The pass after the sources: settles what needs two sessions to be known. A child is often read before its parent, so nothing
 * of this happens while reading (DESIGN section 2, "Fork and resume copies").
 */
export interface LinksOptions {
	/** Sessions that were read, found or changed in this pass. */
	readonly dirty: ReadonlySet<number>;
	/** Agents whose event keys are unique across sessions: equal keys prove a copy. */
	readonly globalKeyAgents: ReadonlySet<string>;
}

/** `L<line>` keys are places in a file: equal ones prove nothing. */
const IS_RECORD_KEY = "key NOT GLOB 'L[0-9]*'";

interface LinkRow {
	readonly id: number;
	readonly agent: string;
	readonly native_id: string;
	readonly parent_native: string | null;
	readonly parent_relation: string | null;
	readonly parent_before_key: string | null;
	readonly parent_call_id: string | null;
	readonly parent_id: number | null;
	readonly is_subagent: number;
}

/** Returns the sessions whose rows have to be derived again. */
export const settleLinks = (writer: Writer, options: LinksOptions): ReadonlySet<number> => {
	const {database} = writer;
	const touched = new Set<number>();
	for (const id of concerned(database, options.dirty)) {
		const session = linkRow(database, id);
		if (session === undefined) continue;
		if (session.parent_native === null && options.globalKeyAgents.has(session.agent))
			findParentByKeys(writer, session);
		for (const changed of settleParent(writer, id, options)) touched.add(changed);
	}
	settleFamilies(database, touched, options.dirty);
	return touched;
};

/** Dirty sessions, those that wait for one of them as their parent, and children that may have to be settled again. */
const concerned = (database: Database, dirty: ReadonlySet<number>): ReadonlySet<number> => {
	const sql = prepared(database);
	const all = new Set(dirty);
	for (const id of dirty) {
		const waiting = sql(
			`SELECT child.id FROM session AS child JOIN session AS parent
			ON child.agent = parent.agent AND child.parent_native = parent.native_id WHERE parent.id = ?`,
		).all(id) as {id: number}[];
		for (const child of waiting) all.add(child.id);
	}
	return all;
};

const linkRow = (database: Database, id: number): LinkRow | undefined =>
	prepared(database)(
		`SELECT id, agent, native_id, parent_native, parent_relation, parent_before_key, parent_call_id, parent_id, is_subagent
		FROM session WHERE id = ?`,
	).get(id) as LinkRow | undefined;

/**
 * Two sessions that begin with the same records, and no pointer: the file that was begun later is the fork (its own first stamp
 * is younger than the copied rows); else the session that has nothing but the shared records is the parent.
 */
const findParentByKeys = (writer: Writer, session: LinkRow): void => {
	if (session.is_subagent === 1) return;
	const {database} = writer;
	const sql = prepared(database);
	const other = sql(
		`SELECT s.id, s.native_id, s.parent_native FROM event AS mine JOIN event AS theirs ON theirs.key = mine.key AND theirs.session_id <> mine.session_id
		JOIN session AS s ON s.id = theirs.session_id AND s.agent = ? AND s.is_subagent = 0 AND s.is_imported = 0
		WHERE mine.id = (SELECT id FROM event WHERE session_id = ? AND kind <> 'meta' AND ${IS_RECORD_KEY} ORDER BY position LIMIT 1)
		AND s.parent_native IS NOT ?
		ORDER BY s.born_at, s.id LIMIT 1`,
	).get(session.agent, session.id, session.native_id) as
		| {id: number; native_id: string; parent_native: string | null}
		| undefined;
	if (other === undefined) return;
	const [parent, child] = isOlder(database, other.id, session.id)
		? [other.native_id, session.id]
		: [session.native_id, other.id];
	sql(
		`UPDATE session SET parent_native = ?, parent_relation = 'fork', parent_certainty = 'exact'
		WHERE id = ? AND parent_native IS NULL`,
	).run(parent, child);
	if (child !== session.id)
		settleParent(writer, child, {dirty: new Set(), globalKeyAgents: new Set([session.agent])});
};

const isOlder = (database: Database, a: number, b: number): boolean => {
	const sql = prepared(database);
	const born = (id: number) =>
		(
			sql('SELECT coalesce(born_at, 9e15) AS born FROM session WHERE id = ?').get(id) as {
				born: number;
			}
		).born;
	if (born(a) !== born(b)) return born(a) < born(b);
	const ownCount = (id: number, than: number) =>
		(
			sql(
				`SELECT count(*) AS n FROM event WHERE session_id = ? AND kind <> 'meta'
				AND key NOT IN (SELECT key FROM event WHERE session_id = ?)`,
			).get(id, than) as {n: number}
		).n;
	const [ofA, ofB] = [ownCount(a, b), ownCount(b, a)];
	return ofA !== ofB ? ofA === 0 || (ofB !== 0 && a < b) : a < b;
};

/** Points the row at its parent's, marks copies, and finds the parent's event that the child hangs on. */
const settleParent = (
	writer: Writer,
	id: number,
	{globalKeyAgents}: LinksOptions,
): readonly number[] => {
	const {database} = writer;
	const sql = prepared(database);
	const session = linkRow(database, id);
	if (session === undefined || session.parent_native === null) return [];
	const parent = sql('SELECT id FROM session WHERE agent = ? AND native_id = ?').get(
		session.agent,
		session.parent_native,
	) as {id: number} | undefined;
	if (parent === undefined || parent.id === id) return [];
	const isCopying = session.parent_relation !== 'subagent' && session.parent_before_key === null;
	const copied = !isCopying
		? 0
		: globalKeyAgents.has(session.agent)
			? copySameKeys(writer, id, parent.id)
			: copyPrefix(writer, id, parent.id);
	const event = parentEvent(database, session, parent.id);
	const {changes} = sql(
		'UPDATE session SET parent_id = @parent, parent_event = @event WHERE id = @id AND (parent_id IS NOT @parent OR parent_event IS NOT @event)',
	).run({id, parent: parent.id, event});
	return copied > 0 || changes > 0 ? [id, parent.id] : [];
};

const parentEvent = (database: Database, session: LinkRow, parentId: number): number | null => {
	const sql = prepared(database);
	const found = (row: unknown): number | null => (row as {id: number} | undefined)?.id ?? null;
	if (session.parent_relation === 'subagent')
		return session.parent_call_id === null
			? null
			: found(
					sql(
						"SELECT id FROM event WHERE session_id = ? AND kind = 'tool_use' AND call_id = ? ORDER BY position LIMIT 1",
					).get(parentId, session.parent_call_id),
				);
	if (session.parent_before_key !== null)
		return lastBefore(database, parentId, session.parent_before_key);
	return found(
		sql(
			"SELECT copy_of AS id FROM event WHERE session_id = ? AND state = 'copied' ORDER BY position DESC LIMIT 1",
		).get(session.id),
	);
};

/** The last event of a pointer fork's parent that belongs to the fork as well; keys of such agents count up (`o12`). */
const lastBefore = (database: Database, parentId: number, beforeKey: string): number | null => {
	const sql = prepared(database);
	const before = sql('SELECT position FROM event WHERE session_id = ? AND key = ?').get(
		parentId,
		beforeKey,
	) as {position: number} | undefined;
	const bound = Number(/^o(\d+)$/.exec(beforeKey)?.[1] ?? Number.NaN);
	const row = before
		? sql(
				'SELECT id FROM event WHERE session_id = ? AND position < ? ORDER BY position DESC LIMIT 1',
			).get(parentId, before.position)
		: (
				sql('SELECT id, key FROM event WHERE session_id = ? ORDER BY position DESC').all(
					parentId,
				) as {id: number; key: string}[]
			).find(({key}) => Number(/^o(\d+)/.exec(key)?.[1] ?? Number.NaN) < bound);
	return (row as {id: number} | undefined)?.id ?? null;
};

/** Copies by equal key. Returns how many rows changed. */
const copySameKeys = (writer: Writer, childId: number, parentId: number): number => {
	const {database} = writer;
	const sql = prepared(database);
	const rows = sql(
		`SELECT mine.id, mine.kind, coalesce(theirs.copy_of, theirs.id) AS origin FROM event AS mine
		JOIN event AS theirs ON theirs.key = mine.key AND theirs.session_id = @parentId
		WHERE mine.session_id = @childId AND mine.state <> 'copied' AND mine.${IS_RECORD_KEY}`,
	).all({childId, parentId}) as CopyRow[];
	const used = sql(
		`UPDATE usage SET state = 'copied' WHERE session_id = @childId AND state = 'live'
		AND key IN (SELECT key FROM usage WHERE session_id = @parentId)`,
	).run({childId, parentId});
	return markCopied(writer, rows) + used.changes;
};

interface CopyRow {
	readonly id: number;
	readonly kind: string;
	readonly origin: number;
}

interface PrefixRow {
	readonly id: number;
	readonly kind: string;
	readonly hash: number;
	readonly state: string;
	readonly copy_of: number | null;
}

/**
 * Copies by equal text: the child's events as long as they follow the parent's from the start. Injected records may differ (they
 * are written anew) and end nothing.
 */
const copyPrefix = (writer: Writer, childId: number, parentId: number): number => {
	const {database} = writer;
	const all = (id: number) =>
		prepared(database)(
			'SELECT id, kind, hash, state, copy_of FROM event WHERE session_id = ? ORDER BY position',
		).all(id) as PrefixRow[];
	const parent = all(parentId);
	const spoken = parent.filter(({kind}) => kind !== 'meta');
	const injected = new Map(
		parent.filter(({kind}) => kind === 'meta').map(event => [event.hash, event]),
	);
	const copies: CopyRow[] = [];
	let next = 0;
	const isTwin = (a: PrefixRow | undefined, b: PrefixRow): a is PrefixRow =>
		a !== undefined && a.kind === b.kind && a.hash === b.hash;
	for (const event of all(childId)) {
		if (event.kind !== 'meta') {
			// A fork does not take along what the parent had rewound by then.
			while (spoken[next]?.state === 'undone' && !isTwin(spoken[next], event)) next++;
			if (!isTwin(spoken[next], event)) break;
		}
		const twin = event.kind === 'meta' ? injected.get(event.hash) : spoken[next++];
		if (twin && event.state !== 'copied')
			copies.push({id: event.id, kind: event.kind, origin: twin.copy_of ?? twin.id});
	}
	if (next === 0) return 0;
	return markCopied(writer, copies) + copyUsagePrefix(database, childId, parentId);
};

/**
 * Usage records of replayed turns carry the keys of their own file: equal numbers from the start are the same ones, up to the
 * fork's own first event.
 */
const copyUsagePrefix = (database: Database, childId: number, parentId: number): number => {
	const sql = prepared(database);
	const all = (id: number) =>
		sql(
			`SELECT key, at, input || ' ' || output || ' ' || cache_read || ' ' || cache_write AS numbers FROM usage
			WHERE session_id = ? ORDER BY at, length(key), key`,
		).all(id) as {key: string; at: number | null; numbers: string}[];
	const parent = all(parentId);
	const {ownFrom} = sql(
		"SELECT min(at) AS ownFrom FROM event WHERE session_id = ? AND state <> 'copied' AND kind <> 'meta'",
	).get(childId) as {ownFrom: number | null};
	let changes = 0;
	for (const [index, usage] of all(childId).entries()) {
		const isOwn = ownFrom !== null && usage.at !== null && usage.at >= ownFrom;
		if (isOwn || parent[index]?.numbers !== usage.numbers) break;
		changes += sql(
			"UPDATE usage SET state = 'copied' WHERE session_id = ? AND key = ? AND state = 'live'",
		).run(childId, usage.key).changes;
	}
	return changes;
};

const markCopied = ({database, index}: Writer, rows: readonly CopyRow[]): number => {
	for (const {id, kind, origin} of rows) {
		prepared(database)(
			"UPDATE event SET state = 'copied', copy_of = ?, is_indexed = 0 WHERE id = ?",
		).run(origin, id);
		index.remove(id, kind);
	}
	return rows.length;
};

/** Number of direct sub-agents, and the root of each family. */
const settleFamilies = (
	database: Database,
	touched: Set<number>,
	dirty: ReadonlySet<number>,
): void => {
	const sql = prepared(database);
	for (const id of new Set([...touched, ...dirty])) {
		const {parent_id} = (sql('SELECT parent_id FROM session WHERE id = ?').get(id) as
			| {parent_id: number | null}
			| undefined) ?? {
			parent_id: null,
		};
		for (const one of parent_id === null ? [id] : [id, parent_id])
			sql(
				`UPDATE session SET children = (SELECT count(*) FROM session AS child WHERE child.parent_id = session.id
				AND child.parent_relation = 'subagent' AND child.hidden_by IS NULL) WHERE id = ?`,
			).run(one);
		sql('UPDATE session SET family_id = ? WHERE id = ?').run(familyOf(database, id), id);
	}
};

const familyOf = (database: Database, id: number): number => {
	const seen = new Set<number>();
	let root = id;
	while (!seen.has(root)) {
		seen.add(root);
		const row = prepared(database)('SELECT parent_id FROM session WHERE id = ?').get(root) as
			| {parent_id: number | null}
			| undefined;
		if (row?.parent_id == null) return root;
		root = row.parent_id;
	}
	return Math.min(...seen);
};
