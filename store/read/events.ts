/** Event rows as views. */
import type {EventKind, FileTouch, PromptInput} from '../../adapters/model.js';
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import type {EventRef, EventState, EventView, ToolView} from '../types.js';
import {refOf} from './sessions.js';

interface EventRow {
	readonly id: number;
	readonly session_id: number;
	readonly agent: string;
	readonly native_id: string;
	readonly position: number;
	readonly key: string;
	readonly kind: EventKind;
	readonly role: 'user' | 'assistant' | null;
	readonly at: number | null;
	readonly state: EventState;
	readonly text: string;
	readonly full_length: number;
	readonly input: PromptInput | null;
	readonly message_id: string | null;
	readonly model: string | null;
	readonly tool_name: string | null;
	readonly call_id: string | null;
	readonly is_error: number | null;
	readonly subject: string | null;
	readonly exit_code: number | null;
	readonly duration_ms: number | null;
	readonly patch: string | null;
	readonly child_agent: string | null;
}

const SELECT = `SELECT e.*, s.agent, s.native_id FROM event e JOIN session s ON s.id = e.session_id`;

/** Events of a session by index, in the order of the transcript. */
export const eventsOf = (
	database: Database,
	session: number,
	{from, count}: {readonly from: number; readonly count: number},
): readonly EventView[] => {
	const rows = prepared(database)(
		`${SELECT} WHERE e.session_id = ? AND e.position >= ? AND e.position < ? ORDER BY e.position`,
	).all(session, from, from + count) as EventRow[];
	return viewsOf(database, rows);
};

/** Views of the given rows, by row id. */
export const eventViews = (
	database: Database,
	ids: readonly number[],
): ReadonlyMap<number, EventView> => {
	const rows = prepared(database)(`${SELECT} WHERE e.id IN (SELECT value FROM json_each(?))`).all(
		JSON.stringify(ids),
	) as EventRow[];
	return new Map(viewsOf(database, rows).map(view => [view.rowId, view]));
};

export const eventView = (database: Database, id: number): EventView | undefined =>
	eventViews(database, [id]).get(id);

/** Row id of a key of a session; an old key leads to the same event, and so does a copy to its original. */
export const eventRowId = (
	database: Database,
	session: number,
	key: string,
): number | undefined => {
	const sql = prepared(database);
	const row = (sql('SELECT id FROM event WHERE key = ? AND session_id = ?').get(key, session) ??
		sql('SELECT event_id AS id FROM event_alias WHERE session_id = ? AND key = ?').get(
			session,
			key,
		)) as {id: number} | undefined;
	return row && originalOf(database, row.id);
};

/** The parent's event of a copied record, over several generations. */
const originalOf = (database: Database, id: number): number => {
	const seen = new Set<number>();
	let at = id;
	while (!seen.has(at)) {
		seen.add(at);
		const row = prepared(database)(
			`SELECT o.id FROM event e JOIN event o ON o.id = e.copy_of WHERE e.id = ? AND e.state = 'copied'`,
		).get(at) as {id: number} | undefined;
		if (row === undefined) return at;
		at = row.id;
	}
	return id; // copies of each other: nobody's original
};

const viewsOf = (database: Database, rows: readonly EventRow[]): readonly EventView[] => {
	const files = filesOf(database, rows);
	const children = childRefs(database, rows);
	return rows.map(row => viewOf(row, files.get(row.id) ?? [], children.get(row.id) ?? null));
};

const filesOf = (
	database: Database,
	rows: readonly EventRow[],
): ReadonlyMap<number, readonly FileTouch[]> => {
	const touched = prepared(database)(
		`SELECT f.event_id, f.path, f.change FROM json_each(?) wanted CROSS JOIN event_file f
		ON f.session_id = wanted.value ->> 0 AND f.event_id = wanted.value ->> 1`,
	)
		.raw()
		.all(JSON.stringify(rows.filter(isTool).map(row => [row.session_id, row.id]))) as [
		number,
		string,
		FileTouch['change'],
	][];
	const files = new Map<number, FileTouch[]>();
	for (const [event, path, change] of touched) {
		const known = files.get(event);
		if (known) known.push({path, change});
		else files.set(event, [{path, change}]);
	}
	return files;
};

/** A sub-agent's own id, or the part of its session id behind the root session's. */
const childRefs = (database: Database, rows: readonly EventRow[]): ReadonlyMap<number, string> => {
	const refs = new Map<number, string>();
	for (const {id, agent, native_id, child_agent} of rows) {
		if (child_agent === null) continue;
		const root = native_id.split('/')[0];
		const child = prepared(database)(
			'SELECT native_id FROM session WHERE agent = ? AND native_id IN (?, ?, ?) AND hidden_by IS NULL LIMIT 1',
		).get(agent, `${root}/${child_agent}`, `${native_id}/${child_agent}`, child_agent) as
			| {native_id: string}
			| undefined;
		if (child) refs.set(id, refOf(agent, child.native_id));
	}
	return refs;
};

const isTool = ({kind}: EventRow): boolean => kind === 'tool_use' || kind === 'tool_result';

const eventRef = (row: {
	readonly agent: string;
	readonly native_id: string;
	readonly key: string;
}): EventRef => `${refOf(row.agent, row.native_id)}:${row.key}`;

const viewOf = (row: EventRow, files: readonly FileTouch[], child: string | null): EventView => ({
	rowId: row.id,
	ref: eventRef(row),
	session: refOf(row.agent, row.native_id),
	index: row.position,
	key: row.key,
	kind: row.kind,
	role: row.role,
	atMs: row.at,
	state: row.state,
	text: row.text,
	truncated: row.full_length > row.text.length,
	fullLength: row.full_length,
	input: row.input,
	messageId: row.message_id,
	tool: isTool(row) ? toolOf(row, files, child) : null,
	model: row.model,
});

const toolOf = (row: EventRow, files: readonly FileTouch[], child: string | null): ToolView => ({
	name: row.tool_name,
	callId: row.call_id,
	isError: row.is_error === 1,
	subject: row.subject,
	files,
	exitCode: row.exit_code,
	durationMs: row.duration_ms,
	patch: row.patch,
	child,
});
