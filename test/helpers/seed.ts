/** Fills the tables as the sync's apply step does, without any agent's files. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import type {EventKind, FileTouch} from '../../adapters/model.js';
import {type Database, openStore} from '../../store/open.js';
import {indexText} from '../../store/search/normalise.js';
import {createEventIds, reserveSegments} from '../../store/sync/segments.js';

export interface SeedEvent {
	readonly key?: string;
	readonly kind?: EventKind;
	readonly role?: 'user' | 'assistant';
	readonly text: string;
	/** What the row shows, when it is less than what is indexed. */
	readonly shownText?: string;
	readonly atMs?: number;
	readonly state?: 'live' | 'undone' | 'copied' | 'gone';
	readonly copyOf?: number;
	readonly input?: 'typed' | 'command' | 'local' | 'headless';
	readonly toolName?: string;
	readonly subject?: string;
	readonly isError?: boolean;
	readonly files?: readonly FileTouch[];
	readonly childAgent?: string;
}

export interface SeedSession {
	readonly agent?: string;
	readonly id: string;
	readonly title?: string;
	readonly kind?: 'main' | 'subagent' | 'automated' | 'imported';
	readonly project?: string;
	readonly cwd?: string;
	readonly directories?: readonly string[];
	readonly branch?: string;
	readonly model?: string;
	readonly updatedAtMs?: number;
	readonly hiddenBy?: string;
	readonly sourceState?: 'present' | 'deleted' | 'archived';
	readonly isRunning?: boolean;
	readonly parent?: {
		readonly id: string;
		readonly relation: 'fork' | 'continuation' | 'subagent';
		/** Key of the parent's event. */
		readonly event?: string;
	};
	readonly events?: readonly SeedEvent[];
}

export interface SeededSession {
	readonly rowId: number;
	readonly eventIds: readonly number[];
}

export const SEED_NOW_MS = Date.parse('2026-11-30T12:00:00Z');

/** A store in a folder of its own, removed with the test. */
export const temporaryStore = (): {readonly database: Database; readonly folder: string} => {
	const folder = mkdtempSync(join(tmpdir(), 'backscroll-store-'));
	const database = openStore(folder);
	onTestFinished(() => {
		database.close();
		rmSync(folder, {recursive: true, force: true});
	});
	return {database, folder};
};

/** A prompt, unless the role is given. */
export const said = (text: string, role: 'user' | 'assistant' = 'user'): SeedEvent => ({
	kind: 'message',
	role,
	text,
});

export const seedSession = (database: Database, session: SeedSession): SeededSession => {
	const {agent = 'claude-code', id, events = [], updatedAtMs = SEED_NOW_MS - 3_600_000} = session;
	const {lastInsertRowid} = database
		.prepare('INSERT INTO session(agent, native_id, updated_at) VALUES (?, ?, ?)')
		.run(agent, id, updatedAtMs);
	const rowId = Number(lastInsertRowid);
	const ids = createEventIds(database, {first: reserveSegments(database, 1), count: 1});
	const eventIds = events.map((event, position) => {
		const eventId = ids.peek();
		ids.use();
		insertEvent(database, event, {eventId, rowId, position, updatedAtMs});
		return eventId;
	});
	fillSession(database, rowId, {...session, agent, updatedAtMs});
	return {rowId, eventIds};
};

interface EventPlace {
	readonly eventId: number;
	readonly rowId: number;
	readonly position: number;
	readonly updatedAtMs: number;
}

const insertEvent = (database: Database, event: SeedEvent, place: EventPlace): void => {
	const {kind = 'message', role, text, state = 'live', files = []} = event;
	const isIndexed = state !== 'copied';
	const shownText = event.shownText ?? text;
	database
		.prepare(
			`INSERT INTO event(id, session_id, source_id, position, key, kind, role, at, state, text, full_length, input,
			tool_name, subject, is_error, child_agent, locator, hash, copy_of, is_indexed, has_code)
			VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '{}', ?, ?, ?, ?)`,
		)
		.run(
			place.eventId,
			place.rowId,
			place.position,
			event.key ?? `e${place.position}`,
			kind,
			role ?? null,
			event.atMs ?? place.updatedAtMs,
			state,
			shownText,
			text.length,
			kind === 'message' && role === 'user' ? (event.input ?? 'typed') : null,
			event.toolName ?? null,
			event.subject ?? null,
			event.isError === undefined ? null : Number(event.isError),
			event.childAgent ?? null,
			place.eventId,
			event.copyOf ?? null,
			Number(isIndexed),
			Number(kind === 'message' && text.includes('```')),
		);
	for (const {path, change} of files)
		database
			.prepare('INSERT INTO event_file VALUES (?, ?, ?, ?)')
			.run(place.rowId, place.eventId, path, change);
	if (!isIndexed) return;
	const searched = indexText(
		kind === 'tool_use' ? `${event.toolName ?? ''} ${event.subject ?? ''}\n${text}` : text,
	);
	const column = columnOf(kind, role);
	database
		.prepare(
			column === 'meta'
				? 'INSERT INTO meta_fts(rowid, text) VALUES (?, ?)'
				: `INSERT INTO event_fts(rowid, ${column}) VALUES (?, ?)`,
		)
		.run(place.eventId, searched);
};

const columnOf = (kind: EventKind, role: 'user' | 'assistant' | undefined): string => {
	if (kind === 'message') return role === 'assistant' ? 'reply' : 'prompt';
	const columns = {
		tool_use: 'tool',
		tool_result: 'output',
		reasoning: 'thought',
		summary: 'thought',
		meta: 'meta',
	};
	return columns[kind];
};

const fillSession = (
	database: Database,
	rowId: number,
	session: SeedSession & {readonly agent: string; readonly updatedAtMs: number},
): void => {
	const {agent, parent, project = '/w/alpha', cwd = project, events = []} = session;
	const label = project.split('/').at(-1) ?? project;
	const {id: projectId} = database
		.prepare(
			'INSERT INTO project(path, label) VALUES (?, ?) ON CONFLICT(path) DO UPDATE SET label = label RETURNING id',
		)
		.get(project, label) as {id: number};
	const prompts = events.filter(({role, state}) => role === 'user' && state !== 'copied');
	const title = session.title ?? prompts[0]?.text.split('\n')[0] ?? '(no prompt)';
	const kind = session.kind ?? 'main';
	database
		.prepare(
			`UPDATE session SET title = @title, title_from = 'prompt', kind = @kind, is_subagent = @isSubagent,
			project_id = @projectId, cwd = @cwd, branch = @branch, model = @model, hidden_by = @hiddenBy,
			source_state = @sourceState, is_running = @isRunning, prompts = @prompts, replies = @replies,
			events = @events, errors = @errors, images = @images, code_blocks = @code,
			parent_native = @parentNative, parent_relation = @relation, parent_certainty = @certainty,
			parent_id = (SELECT id FROM session WHERE agent = @agent AND native_id = @parentNative),
			parent_event = (SELECT event.id FROM event JOIN session p ON p.id = event.session_id
				WHERE p.agent = @agent AND p.native_id = @parentNative AND key = @parentKey)
			WHERE id = @rowId`,
		)
		.run({
			rowId,
			agent,
			title,
			kind,
			isSubagent: Number(kind === 'subagent'),
			projectId,
			cwd,
			branch: session.branch ?? null,
			model: session.model ?? null,
			hiddenBy: session.hiddenBy ?? null,
			sourceState: session.sourceState ?? 'present',
			isRunning: Number(session.isRunning ?? false),
			prompts: prompts.length,
			replies: events.filter(({role}) => role === 'assistant').length,
			events: events.length,
			errors: events.filter(({isError}) => isError).length,
			images: events.filter(({text}) => text.includes('[image ')).length,
			code: events.filter(({text}) => text.includes('```')).length,
			parentNative: parent?.id ?? null,
			relation: parent?.relation ?? null,
			certainty: parent ? 'exact' : null,
			parentKey: parent?.event ?? null,
		});
	for (const path of new Set([cwd, ...(session.directories ?? [])]))
		database.prepare('INSERT INTO session_directory VALUES (?, ?)').run(rowId, path);
	database
		.prepare(
			`INSERT INTO session_tool SELECT session_id, tool_name, count(*) FROM event
			WHERE session_id = ? AND kind = 'tool_use' AND tool_name IS NOT NULL GROUP BY tool_name`,
		)
		.run(rowId);
	database.prepare('INSERT INTO head_fts(rowid, title, prompt, project) VALUES (?, ?, ?, ?)').run(
		rowId,
		indexText(title),
		indexText(
			prompts
				.map(({text}) => text)
				.join('\n')
				.slice(0, 2000),
		),
		indexText(`${label} ${project}`),
	);
	database
		.prepare(
			`UPDATE session SET children = (SELECT count(*) FROM session c WHERE c.parent_id = session.id AND c.kind = 'subagent')
			WHERE id = (SELECT parent_id FROM session WHERE id = ?)`,
		)
		.run(rowId);
};
