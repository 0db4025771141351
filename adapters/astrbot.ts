/** AstrBot: a platform for chat bots; each conversation is one document in a row of its database. */

import {basename, join} from 'node:path';
import {eventKey, type SessionFacts, type Usage} from './model.js';
import {createBatch, END} from './shared/batch.js';
import {compact} from './shared/compact.js';
import {at, countOf, listOf, numberOf, textOf} from './shared/narrow.js';
import {agentRoots, defaultRoots, distinctRoots, statedPath} from './shared/roots.js';
import {chatContent} from './shared/rows/chat.js';
import {type Chat, createChat, readChatMessage} from './shared/rows/chat-session.js';
import {
	type DocumentTable,
	documentOf,
	messageRow,
	rawMessageIn,
	rowsIn,
	type StoredDocument,
} from './shared/rows/documents.js';
import {eventOf, jsonIn, type Place} from './shared/rows/events.js';
import {rowText} from './shared/rows/messages.js';
import {discoverSessions, type ListedSession} from './shared/rows/sessions.js';
import {hasColumns, listOfColumns} from './shared/session-parts/schema.js';
import {type ForeignDatabase, type Row, withDatabase} from './shared/sqlite.js';
import {timeMs} from './shared/time.js';
import {listFolder} from './shared/walk.js';
import type {Adapter, Batch, Discovered, Root, Source, Surroundings} from './types.js';

const DATABASE = join('data', 'data_v4.db');
const INSTANCES = 'instances';

const CONVERSATIONS: DocumentTable = {
	name: 'conversations',
	where: 'conversation_id = ?',
	columns: ['title', 'token_usage', 'created_at', 'updated_at'],
	document: 'content',
	messagesIn: listOf,
};

/** The desktop's own folder, those of the launcher, and installations in a directory, which is the root then. */
const roots = (around: Surroundings): readonly Root[] => {
	const {home, env, projectDirs} = around;
	const own = agentRoots(around, {
		standard: join(home, '.astrbot'),
		stated: statedPath(env['ASTRBOT_ROOT']),
	});
	const others = [
		join(home, '.astrbot_launcher', INSTANCES),
		...projectDirs.map(path => join(path, DATABASE)),
	];
	return distinctRoots([...own, ...defaultRoots(...others)]);
};

const listSessions = (db: ForeignDatabase): readonly ListedSession[] | undefined => {
	const {name, document} = CONVERSATIONS;
	if (!hasColumns(db, name, ['conversation_id', document])) return undefined;
	const columns = listOfColumns(db, name, ['conversation_id', 'updated_at', 'title']);
	// `[]`: nobody has said anything yet.
	return db
		.all(
			`SELECT ${columns}, octet_length(${document}) AS bytes FROM ${name}
			WHERE octet_length(${document}) > 2 ORDER BY conversation_id`,
		)
		.flatMap(({conversation_id, ...mark}) => {
			const id = textOf(conversation_id);
			return id === undefined ? [] : [{id, mark: JSON.stringify(Object.values(mark))}];
		});
};

function* discover({path}: Root): Generator<Discovered> {
	if (basename(path) === basename(DATABASE)) yield* discoverSessions(path, listSessions);
	else if (basename(path) === INSTANCES) {
		const listing = listFolder(path);
		if (listing?.problem !== undefined) yield {problem: listing.problem};
		for (const entry of listing?.entries ?? []) {
			const database = join(path, entry.name, 'core', DATABASE);
			if (entry.isDirectory()) yield* discoverSessions(database, listSessions);
		}
	} else yield* discoverSessions(join(path, DATABASE), listSessions);
}

const HISTORY = 'platform_message_history';
const HISTORY_COLUMNS = ['id', 'content', 'llm_checkpoint_id'];

/** Lines of the chat platform that led to an answer, by the checkpoint that links them. */
const linesOf = (db: ForeignDatabase, checkpoints: readonly string[]): readonly Row[] =>
	checkpoints.length === 0 || !hasColumns(db, HISTORY, HISTORY_COLUMNS)
		? []
		: db.all(
				`SELECT ${HISTORY_COLUMNS.join(', ')} FROM ${HISTORY}
				WHERE llm_checkpoint_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
				JSON.stringify(checkpoints),
			);

const STATS = 'provider_stats';
const STATS_NEEDS = ['conversation_id', 'token_input_other', 'token_output'];

const statsOf = (db: ForeignDatabase, id: string): readonly Row[] => {
	if (!hasColumns(db, STATS, STATS_NEEDS)) return [];
	const columns = listOfColumns(db, STATS, [
		...STATS_NEEDS,
		'token_input_cached',
		'provider_model',
		'start_time',
	]);
	return db.all(
		`SELECT rowid AS place, ${columns} FROM ${STATS} WHERE conversation_id = ? ORDER BY rowid`,
		id,
	);
};

const countIn = (row: Row, name: string): number => countOf(row[name]);

const usageOf = (row: Row): Usage => ({
	key: eventKey(`stats-${row['place']}`),
	input: countIn(row, 'token_input_other'),
	output: countIn(row, 'token_output'),
	cacheRead: countIn(row, 'token_input_cached'),
	cacheWrite: 0,
	...compact({model: textOf(row['provider_model']), atMs: timeMs(row['start_time'])}),
});

/** A total alone does not say what went in and what came out. */
const tokensOf = (value: unknown): SessionFacts['tokens'] => {
	const stated = jsonIn(value);
	const [input, output] = [at(stated, 'prompt'), at(stated, 'completion')].map(numberOf);
	return input === undefined || output === undefined
		? undefined
		: {input, output, cacheRead: 0, cacheWrite: 0};
};

const factsOf = ({row}: StoredDocument, stats: readonly Row[]): SessionFacts =>
	compact({
		generatedTitle: textOf(row['title']),
		model: textOf(stats.at(-1)?.['provider_model']),
		tokens: stats.length === 0 ? tokensOf(row['token_usage']) : undefined,
		createdAtMs: timeMs(row['created_at']),
		updatedAtMs: timeMs(row['updated_at']),
	});

/** `{role: '_checkpoint', content: {id}}`, or `{type: '_checkpoint', id}`. */
const checkpointOf = (message: unknown): string | undefined => {
	if (at(message, 'role') === '_checkpoint') return textOf(at(message, 'content', 'id'));
	return at(message, 'type') === '_checkpoint' ? textOf(at(message, 'id')) : undefined;
};

const REMINDERS = /<system_reminder>[\s\S]*?<\/system_reminder>\s*/g;

const withoutReminders = (text: string): readonly [string, string] => {
	const injected = text.match(REMINDERS) ?? [];
	return [text.replace(REMINDERS, '').trim(), injected.join('').trim()];
};

const lineText = (row: Row): string | undefined => {
	const content = jsonIn(row['content']);
	return textOf(at(content, 'text')) ?? textOf(chatContent(at(content, 'message')).text);
};

/** What was said on the platform, unless the conversation says the same. Who said it is nobody's business. */
const readLines = (lines: readonly Row[], said: ReadonlySet<string>, chat: Chat): void => {
	for (const row of lines) {
		const [id, text] = [numberOf(row['id']), lineText(row)];
		if (id === undefined || text === undefined || said.has(text.trim())) continue;
		const locator = {table: HISTORY, row: id};
		const place: Place = {key: `platform-${id}`, atMs: undefined, locator};
		chat.batch.event(eventOf(place, 0, {kind: 'meta', text}));
	}
};

function* read({path, sessionId = ''}: Source): Generator<Batch> {
	const stored = documentOf(path, CONVERSATIONS, sessionId);
	if (stored === undefined) return;
	const checkpoints = stored.messages.flatMap(message => checkpointOf(message) ?? []);
	const {lines, stats} = withDatabase(path, db => ({
		lines: linesOf(db, checkpoints),
		stats: statsOf(db, sessionId),
	}));
	const batch = createBatch(sessionId);
	const chat = createChat(batch, {split: withoutReminders});
	batch.patch(factsOf(stored, stats));
	if (stored.problem !== undefined) batch.problem(stored.problem);
	for (const row of stats) batch.usage(usageOf(row));
	const said = new Set<string>();
	for (const [index, message] of stored.messages.entries()) {
		const checkpoint = checkpointOf(message);
		const locator = {table: CONVERSATIONS.name, row: messageRow(stored, index)};
		if (checkpoint === undefined) {
			said.add(withoutReminders(chatContent(at(message, 'content')).text)[0]);
			// Messages have no time.
			readChatMessage(message, {key: String(index), atMs: undefined, locator}, chat);
		} else {
			const linked = lines.filter(row => row['llm_checkpoint_id'] === checkpoint);
			readLines(linked, said, chat);
		}
		if (batch.isFull()) yield batch.take(END);
	}
	yield batch.take(END);
}

const rawLine = (path: string, row: string | number): string | undefined =>
	withDatabase(path, db => {
		const found = db.get(`SELECT ${HISTORY_COLUMNS.join(', ')} FROM ${HISTORY} WHERE id = ?`, row);
		return found === undefined ? undefined : rowText(found);
	});

export const astrbot: Adapter = {
	id: 'astrbot',
	label: 'AstrBot',
	shortLabel: 'AstrBot',
	parserVersion: 1,
	checked: ['data v4'],
	// Messages have no ids.
	hasGlobalKeys: false,
	isPerProject: true,
	roots,
	discover,
	read,
	raw(source, locator) {
		if (!('table' in locator)) return undefined;
		return locator.table === HISTORY
			? rawLine(source.path, locator.row)
			: rawMessageIn(source.path, CONVERSATIONS, locator.row);
	},
	*rows(source) {
		const stored = documentOf(source.path, CONVERSATIONS, source.sessionId ?? '');
		yield* rowsIn(CONVERSATIONS, stored);
		const checkpoints = (stored?.messages ?? []).flatMap(message => checkpointOf(message) ?? []);
		for (const row of withDatabase(source.path, db => linesOf(db, checkpoints))) {
			const id = numberOf(row['id']);
			if (id !== undefined) yield {table: HISTORY, row: id, raw: rowText(row)};
		}
	},
	resume: () => ({reason: 'AstrBot goes on with conversations on its chat platforms only'}),
};
