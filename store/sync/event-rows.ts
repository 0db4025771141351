import type {AdapterEvent, Locator} from '../../adapters/model.js';
import {indexText} from '../search/normalise.js';
import {prepared} from '../statements.js';
import {cappedText, eventHash, indexColumn, searchableText} from './text.js';
import type {Writer} from './write-group.js';

/** The columns of an event that come from its record. */
export interface EventColumns {
	readonly kind: string;
	readonly role: string | null;
	readonly at: number | null;
	readonly input: string | null;
	readonly message_id: string | null;
	readonly model: string | null;
	readonly tool_name: string | null;
	readonly call_id: string | null;
	readonly is_error: number | null;
	readonly subject: string | null;
	readonly exit_code: number | null;
	readonly duration_ms: number | null;
	readonly child_agent: string | null;
	readonly has_image: number;
	readonly has_code: number;
	readonly line_offset: number | null;
	readonly line_length: number | null;
	readonly locator: string | null;
	readonly hash: number;
	readonly full_length: number;
	readonly patch: string | null;
	readonly text: string;
}

const COLUMN_NAMES = [
	'kind',
	'role',
	'at',
	'input',
	'message_id',
	'model',
	'tool_name',
	'call_id',
	'is_error',
	'subject',
	'exit_code',
	'duration_ms',
	'child_agent',
	'has_image',
	'has_code',
	'line_offset',
	'line_length',
	'locator',
	'hash',
	'full_length',
	'patch',
	'text',
] as const satisfies readonly (keyof EventColumns)[];

const INSERT = `INSERT OR IGNORE INTO event(id, session_id, source_id, position, key, state, is_indexed, ${COLUMN_NAMES.join(', ')})
VALUES (@id, @session_id, @source_id, @position, @key, @state, 1, ${COLUMN_NAMES.map(name => `@${name}`).join(', ')})`;
const UPDATE = `UPDATE event SET source_id = @source_id, state = @state, is_indexed = @is_indexed, ${COLUMN_NAMES.map(name => `${name} = @${name}`).join(', ')} WHERE id = @id`;

/** A row as it is needed to decide whether a record read again says something new. */
export interface StoredEvent extends EventColumns {
	readonly id: number;
	readonly source_id: number;
	readonly state: string;
	readonly is_indexed: number;
}

export const columnsOf = (event: AdapterEvent): EventColumns => {
	const {tool} = event;
	const isMessage = event.kind === 'message';
	return {
		kind: event.kind,
		role: event.role ?? null,
		at: event.atMs === undefined ? null : Math.round(event.atMs),
		input: isMessage && event.role === 'user' ? (event.input ?? 'typed') : null,
		message_id: event.messageId ?? null,
		model: event.model ?? null,
		tool_name: tool?.name ?? null,
		call_id: tool?.callId ?? null,
		is_error: tool?.isError === undefined ? null : Number(tool.isError),
		subject: tool?.subject ?? null,
		exit_code: tool?.exitCode ?? null,
		duration_ms: tool?.durationMs === undefined ? null : Math.round(tool.durationMs),
		child_agent: tool?.agentId ?? null,
		has_image: Number(event.text.includes('[image ')),
		has_code: Number(isMessage && event.text.includes('```')),
		...placeOf(event.locator),
		hash: eventHash(event),
		full_length: event.fullLength ?? event.text.length,
		patch: tool?.patch ?? null,
		text: cappedText(event.kind, event.text),
	};
};

/** Nearly every record is a line: two numbers instead of a text. */
const placeOf = (
	locator: Locator,
): Pick<EventColumns, 'line_offset' | 'line_length' | 'locator'> =>
	'offset' in locator && locator.path === undefined
		? {line_offset: locator.offset, line_length: locator.length, locator: null}
		: {line_offset: null, line_length: null, locator: JSON.stringify(locator)};

/** Writes rows of `event` with all that hangs on them: the full-text index and the files touched. */
export const createEventRows = ({database, index: queue}: Writer) => {
	const sql = prepared(database);

	const index = (id: number, event: AdapterEvent): void =>
		queue.add(indexColumn(event), id, indexText(searchableText(event)));

	const touchFiles = (sessionId: number, id: number, event: AdapterEvent): void => {
		for (const {path, change} of event.tool?.files ?? [])
			sql('INSERT OR IGNORE INTO event_file VALUES (?, ?, ?, ?)').run(sessionId, id, path, change);
	};

	return {
		/** False when the session has an event of that key already. */
		insert(
			place: {
				readonly id: number;
				readonly sessionId: number;
				readonly sourceId: number;
				readonly position: number;
			},
			event: AdapterEvent,
			columns: EventColumns,
		): boolean {
			const {changes} = sql(INSERT).run({
				id: place.id,
				session_id: place.sessionId,
				source_id: place.sourceId,
				position: place.position,
				key: event.key,
				state: event.state ?? 'live',
				...columns,
			});
			if (changes === 0) return false;
			touchFiles(place.sessionId, place.id, event);
			index(place.id, event);
			return true;
		},

		find: (sessionId: number, key: string): StoredEvent | undefined =>
			sql('SELECT * FROM event WHERE key = ? AND session_id = ?').get(key, sessionId) as
				| StoredEvent
				| undefined,

		/** Brings a row up to date; true when anything that a user could see changed. */
		update(
			stored: StoredEvent,
			place: {readonly sessionId: number; readonly sourceId: number; readonly state: string},
			event: AdapterEvent,
			columns: EventColumns,
		): boolean {
			const isSame =
				stored.state === place.state && COLUMN_NAMES.every(name => stored[name] === columns[name]);
			if (isSame && stored.source_id === place.sourceId) return false;
			const isSearched = place.state !== 'copied';
			sql(UPDATE).run({
				id: stored.id,
				source_id: place.sourceId,
				state: place.state,
				is_indexed: Number(isSearched),
				...columns,
			});
			const isTextNew = stored.hash !== columns.hash || stored.tool_name !== columns.tool_name;
			if (isTextNew) {
				sql('DELETE FROM event_file WHERE session_id = ? AND event_id = ?').run(
					place.sessionId,
					stored.id,
				);
				touchFiles(place.sessionId, stored.id, event);
			}
			const isStale = isTextNew || !isSearched;
			if (stored.is_indexed === 1 && isStale) queue.remove(stored.id, stored.kind);
			if (isSearched && (stored.is_indexed === 0 || isTextNew)) index(stored.id, event);
			return !isSame;
		},

		remove(sessionId: number, id: number, kind: string): void {
			queue.remove(id, kind);
			sql('DELETE FROM event_file WHERE session_id = ? AND event_id = ?').run(sessionId, id);
			sql('DELETE FROM event_alias WHERE session_id = ? AND event_id = ?').run(sessionId, id);
			sql('DELETE FROM event WHERE id = ?').run(id);
		},
	};
};
