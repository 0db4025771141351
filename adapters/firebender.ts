/** Firebender: a plug-in of JetBrains editors, with a database in each project. */

import {basename, dirname, join} from 'node:path';
import type {SessionFacts} from './model.js';
import {createBatch, END} from './shared/batch.js';
import {compact} from './shared/compact.js';
import {at, isRecord, listOf, textOf} from './shared/narrow.js';
import {subagentFacts} from './shared/parent.js';
import {configRoots, defaultRoots, distinctRoots} from './shared/roots.js';
import {createChat, readChatMessage} from './shared/rows/chat-session.js';
import {
	type DocumentTable,
	documentOf,
	messageRow,
	rawMessageIn,
	rowsIn,
	type StoredDocument,
} from './shared/rows/documents.js';

import {discoverSessions, type ListedSession} from './shared/rows/sessions.js';
import {hasColumns, listOfColumns} from './shared/session-parts/schema.js';
import {columnsOf, type ForeignDatabase} from './shared/sqlite.js';
import {timeMs} from './shared/time.js';
import type {Adapter, Batch, Root, Source, Surroundings} from './types.js';

const FOLDER = join('.idea', 'firebender');
const DATABASE = 'chat_history.db';

const SESSIONS: DocumentTable = {
	name: 'chat_sessions',
	where: 'id = ?',
	columns: ['name', 'created_at', 'updated_at'],
	document: 'messages_json',
	messagesIn: listOf,
};

const AGENTS: DocumentTable = {
	name: 'subagent_conversations',
	where: 'session_id = ? AND tool_call_id = ?',
	columns: ['description', 'created_at', 'updated_at'],
	document: 'messages_json',
	messagesIn: listOf,
};

/** `Source.extra` of a sub-agent. */
interface Child {
	readonly parentId: string;
	readonly callId: string;
}

const roots = (around: Surroundings): readonly Root[] => {
	const projects = around.projectDirs.map(folder => join(folder, FOLDER));
	return distinctRoots([...defaultRoots(...projects), ...configRoots(around)]);
};

/** Columns that a change shows in, and the size of the document. */
const markColumns = (db: ForeignDatabase, table: DocumentTable): string =>
	[
		listOfColumns(db, table.name, ['updated_at', 'name', 'description']),
		`octet_length(${table.document}) AS bytes`,
	]
		.filter(columns => columns !== '')
		.join(', ');

const listAgents = (db: ForeignDatabase, live: ReadonlySet<string>): readonly ListedSession[] => {
	const needs = ['session_id', 'tool_call_id', AGENTS.document];
	if (!hasColumns(db, AGENTS.name, needs)) return [];
	const marks = markColumns(db, AGENTS);
	return db
		.all(`SELECT session_id, tool_call_id, ${marks} FROM ${AGENTS.name} ORDER BY 1, 2`)
		.flatMap(({session_id, tool_call_id, ...mark}) => {
			const [parentId, callId] = [textOf(session_id), textOf(tool_call_id)];
			if (parentId === undefined || callId === undefined || !live.has(parentId)) return [];
			const extra: Child = {parentId, callId};
			return [{id: `${parentId}/${callId}`, mark: JSON.stringify(Object.values(mark)), extra}];
		});
};

const listSessions = (db: ForeignDatabase): readonly ListedSession[] | undefined => {
	const {name, document} = SESSIONS;
	if (!hasColumns(db, name, ['id', document])) return undefined;
	const live = columnsOf(db, name).has('deleted_at') ? 'WHERE deleted_at IS NULL' : '';
	const marks = markColumns(db, SESSIONS);
	const sessions = db
		.all(`SELECT id, ${marks} FROM ${name} ${live} ORDER BY id`)
		.flatMap(({id, ...mark}): readonly ListedSession[] => {
			const known = textOf(id);
			return known === undefined ? [] : [{id: known, mark: JSON.stringify(Object.values(mark))}];
		});
	return [...sessions, ...listAgents(db, new Set(sessions.map(({id}) => id)))];
};

/** The folder of a project's history, or the database itself. */
const databaseIn = (path: string): string =>
	basename(path) === DATABASE ? path : join(path, DATABASE);

const childOf = ({extra}: Source): Child | undefined =>
	isRecord(extra) ? (extra as unknown as Child) : undefined;

const load = (source: Source): StoredDocument | undefined => {
	const child = childOf(source);
	return child === undefined
		? documentOf(source.path, SESSIONS, source.sessionId ?? '')
		: documentOf(source.path, AGENTS, child.parentId, child.callId);
};

const factsOf = ({row}: StoredDocument, source: Source): SessionFacts => {
	const child = childOf(source);
	return compact({
		generatedTitle: textOf(row['name']),
		description: textOf(row['description']),
		// `<project>/.idea/firebender/chat_history.db`
		cwd: dirname(dirname(dirname(source.path))),
		...subagentFacts(child?.parentId, child?.callId),
		createdAtMs: timeMs(row['created_at']),
		updatedAtMs: timeMs(row['updated_at']),
	});
};

function* read(source: Source): Generator<Batch> {
	const stored = load(source);
	if (stored === undefined) return;
	const batch = createBatch(source.sessionId ?? '');
	const isSubagent = childOf(source) !== undefined;
	const table = isSubagent ? AGENTS : SESSIONS;
	const chat = createChat(batch, {isSubagent});
	batch.patch(factsOf(stored, source));
	if (stored.problem !== undefined) batch.problem(stored.problem);
	for (const [index, message] of stored.messages.entries()) {
		const atMs = timeMs(at(message, 'timestamp')) ?? timeMs(at(message, 'created_at'));
		const locator = {table: table.name, row: messageRow(stored, index)};
		readChatMessage(message, {key: String(index), atMs, locator}, chat);
		if (batch.isFull()) yield batch.take(END);
	}
	if (isSubagent && batch.facts().description === undefined) {
		batch.patch(compact({description: chat.task}));
	}
	yield batch.take(END);
}

export const firebender: Adapter = {
	id: 'firebender',
	label: 'Firebender',
	shortLabel: 'Firebend',
	parserVersion: 1,
	checked: ['1.0.10'],
	// Messages have no ids.
	hasGlobalKeys: false,
	isPerProject: true,
	roots,
	discover: ({path}) => discoverSessions(databaseIn(path), listSessions),
	read,
	raw(source, locator) {
		if (!('table' in locator)) return undefined;
		const table = locator.table === AGENTS.name ? AGENTS : SESSIONS;
		return rawMessageIn(source.path, table, locator.row);
	},
	rows: source => rowsIn(childOf(source) === undefined ? SESSIONS : AGENTS, load(source)),
	resume: () => ({reason: 'Firebender goes on with conversations in the editor only'}),
};
