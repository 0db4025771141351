/** What a scan of raw records goes through, and which events lie where in it. */
import type {EventKind, Locator} from '../../adapters/model.js';
import type {Source} from '../../adapters/types.js';
import type {PageRequest} from '../library.js';
import type {Database} from '../open.js';
import {readCursor} from '../search/cursor.js';
import {allowedSessions, planSearch} from '../search/plan.js';
import {prepared} from '../statements.js';
import type {KnownSource} from '../sync/plan.js';
import {storedSource} from '../sync/source-rows.js';

export interface ScanSource {
	readonly id: number;
	/** Row id of the session. */
	readonly session: number;
	readonly agent: string;
	readonly path: string;
	/** Rows of a database, which holds other sessions too. */
	readonly isRows: boolean;
	readonly source: Source;
	readonly sizeBytes: number;
	/** False: the agent has cleaned it up; only the mirror may have it. */
	readonly isPresent: boolean;
}

/**
 * Sources of the sessions that the filters of a request let through, the newest sessions first. A cursor leaves out the sessions
 * that were given before.
 */
export const scanSources = (database: Database, request: PageRequest): readonly ScanSource[] => {
	const cursor = readCursor(request.cursor);
	const plan = planSearch(
		database,
		{...request, nowMs: cursor?.nowMs ?? request.nowMs},
		{heads: [], isFolded: false},
	);
	const allowed = allowedSessions(database, plan);
	const rows = prepared(database)(
		`SELECT source.*, source.size AS size_bytes FROM source JOIN session s ON s.id = source.session_id
		WHERE s.hidden_by IS NULL ORDER BY s.updated_at DESC, s.id DESC, source.state = 'missing', source.preference, source.id`,
	).all() as (KnownSource & {
		readonly agent: string;
		readonly session_id: number;
		readonly size_bytes: number;
	})[];
	return rows
		.filter(({session_id}) => allowed?.has(session_id) !== false && !isGiven(cursor, session_id))
		.map(row => ({
			id: row.id,
			session: row.session_id,
			agent: row.agent,
			path: row.path,
			isRows: row.mark !== null && row.key !== row.path,
			// Thousands of rows hold JSON that only few of them need at a time.
			get source() {
				return storedSource(row);
			},
			sizeBytes: row.size_bytes,
			isPresent: row.state !== 'missing',
		}));
};

const isGiven = (cursor: ReturnType<typeof readCursor>, session: number): boolean =>
	cursor !== undefined && (cursor.given.has(session) || session > cursor.newest);

/** An event and where its raw record lies. */
export interface EventPlace {
	/** Row id of the event that is shown for it: of a copy, the original. */
	readonly event: number;
	/** Row id of the session that shows the event. */
	readonly session: number;
	readonly kind: EventKind;
	readonly role: 'user' | 'assistant' | null;
	readonly locator: Locator;
}

/** Whether anything that is shown was read from a source. */
export const hasEvents = (
	database: Database,
	{id, session}: Pick<ScanSource, 'id' | 'session'>,
): boolean =>
	prepared(database)('SELECT 1 FROM event WHERE session_id = ? AND source_id = ? LIMIT 1').get(
		session,
		id,
	) !== undefined;

interface PlaceRow extends Omit<EventPlace, 'locator'> {
	readonly line_offset: number | null;
	readonly line_length: number | null;
	readonly locator: string | null;
}

/** Events that were read from a source, in the order of the transcript. */
export const eventPlaces = (
	database: Database,
	{id, session}: Pick<ScanSource, 'id' | 'session'>,
): readonly EventPlace[] =>
	(
		prepared(database)(
			`SELECT coalesce(o.id, e.id) AS event, coalesce(o.session_id, e.session_id) AS session,
			e.kind, e.role, e.line_offset, e.line_length, e.locator FROM event e
			LEFT JOIN event o ON o.id = e.copy_of AND e.state = 'copied'
			WHERE e.session_id = ? AND e.source_id = ? ORDER BY e.position`,
		).all(session, id) as PlaceRow[]
	).map(({line_offset, line_length, locator, ...place}) => ({
		...place,
		locator:
			line_offset === null || line_length === null
				? (JSON.parse(locator ?? 'null') as Locator)
				: {offset: line_offset, length: line_length},
	}));
