/** `chats/<md5 of the directory>/<id>/store.db` and `acp-sessions/<id>/store.db`: a chat of the command line, complete. */

import {dirname, join} from 'node:path';
import type {Problem, SessionFacts} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {readJsonFile} from '../shared/json-file.js';
import {at, isRecord, listOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {parseRecord} from '../shared/records.js';
import {type ForeignDatabase, withDatabase} from '../shared/sqlite.js';
import {timeMs} from '../shared/time.js';
import type {Batch, Source} from '../types.js';
import {type Graph, hexOf, type Leaf, leafOf, leafText, walkGraph} from './blobs.js';
import {modelName, type Reading, readMessage} from './messages.js';
import {parentOf} from './parent.js';
import {bytesValue} from './values.js';

const BLOB_BYTES = 64 * 1024 * 1024;
/** Messages that are held at a time. */
const CHUNK = 50;
/** What an unnamed chat is called. */
const UNNAMED = 'New Agent';

const blobOf = (db: ForeignDatabase, id: string): Uint8Array | undefined =>
	bytesValue(
		db.get(`SELECT data FROM blobs WHERE id = ? AND octet_length(data) <= ${BLOB_BYTES}`, id)?.[
			'data'
		],
	);

/** Row `0` of `meta`: JSON, mostly written as hexadecimal digits. */
const metaOf = (db: ForeignDatabase): Record<string, unknown> => {
	const bytes = bytesValue(db.get(`SELECT value FROM meta WHERE key = '0'`)?.['value']);
	const text = Buffer.from(bytes ?? [])
		.toString()
		.trim();
	return parseRecord(text.startsWith('{') ? text : Buffer.from(text, 'hex').toString()) ?? {};
};

interface Chat extends Graph {
	readonly meta: Record<string, unknown>;
	readonly problem?: Problem;
}

/** Everything in the order in which it was written, when the root does not tell: abandoned messages as well. */
const allLeaves = (db: ForeignDatabase): readonly Leaf[] =>
	db
		.all('SELECT id FROM blobs ORDER BY rowid')
		.flatMap(row => textOf(row['id']) ?? [])
		.map(id => ({key: id, blobId: id, isCertain: false}));

const loadChat = (db: ForeignDatabase): Chat => {
	const meta = metaOf(db);
	const rootId = textOf(meta['latestRootBlobId']);
	const graph = rootId === undefined ? undefined : walkGraph(id => blobOf(db, id), rootId);
	if (graph !== undefined) return {...graph, meta};
	const detail = 'no root that can be decoded: messages in the order in which they were written';
	const problem: Problem = {code: 'missing-part', where: rootId ?? 'meta', detail};
	return {leaves: allLeaves(db), directory: undefined, meta, problem};
};

type Loaded = readonly (readonly [leaf: Leaf, record: Record<string, unknown> | undefined])[];

const loadMessages = (path: string, leaves: readonly Leaf[]): Loaded =>
	withDatabase(path, db =>
		leaves.map(leaf => {
			const bytes = blobOf(db, leaf.blobId);
			return [leaf, bytes === undefined ? undefined : leafOf(bytes)] as const;
		}),
	);

const oneSpaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Prompts that the agent noted as typed; undefined where it keeps no such list. */
const readHistory = (folder: string): ReadonlySet<string> | undefined => {
	const prompts = listOf(readJsonFile(join(folder, 'prompt_history.json'))?.value)
		.map(item => textOf(item) ?? textOf(at(item, 'text')) ?? '')
		.filter(text => text !== '');
	return prompts.length === 0 ? undefined : new Set(prompts.map(oneSpaced));
};

/** True if there is something to show or to report. */
const readLeaf = ([leaf, record]: Loaded[number], reading: Reading): boolean => {
	const role = stringOf(record?.['role']);
	if (record === undefined || role === undefined) {
		// Nodes of other kinds hold titles and the like.
		if (leaf.isCertain) reading.batch.problem(lostMessage(leaf.blobId));
		return leaf.isCertain;
	}
	readMessage(
		{
			role,
			record,
			content: record['content'],
			key: leaf.key,
			locator: {table: 'blobs', row: leaf.blobId},
			atMs: timeMs(record['createdAt']),
			model: modelName(at(record, 'providerOptions', 'cursor', 'modelName')),
		},
		reading,
	);
	return role !== 'system';
};

const lostMessage = (id: string): Problem => ({
	code: 'missing-part',
	where: `blob ${id}`,
	detail: 'a message that is not there, or cannot be decoded',
});

const titleOf = (...names: readonly unknown[]): string | null =>
	names.map(textOf).find(name => name !== undefined && name !== UNNAMED) ?? null;

const isEditorSession = ({path}: Source): boolean => /[\\/]acp-sessions[\\/]/.test(path);

const factsOf = (
	source: Source,
	{meta, directory}: Chat,
	{file, reading}: {file: Record<string, unknown>; reading: Reading},
): SessionFacts => {
	const {carried, isSubagent} = reading;
	const cwd =
		textOf(file['cwd']) ?? textOf(meta['workspacePath']) ?? carried.directory ?? directory;
	const createdAtMs = timeMs(file['createdAtMs']) ?? timeMs(meta['createdAt']);
	const updatedAtMs = timeMs(file['updatedAtMs']);
	const parent = parentOf(meta['subagentInfo']);
	return {
		generatedTitle: titleOf(file['title'], meta['name']),
		...(cwd === undefined ? {} : {cwd}),
		model: carried.model ?? modelName(meta['lastUsedModel']) ?? null,
		...(createdAtMs === undefined ? {} : {createdAtMs}),
		...(updatedAtMs === undefined ? {} : {updatedAtMs}),
		...(isSubagent ? {isSubagent, description: carried.task ?? null} : {}),
		...(parent === undefined ? {} : {parent}),
		// Which store a session can be resumed from; it may be shown from another one.
		resumeHint: isEditorSession(source)
			? {store: 'acp'}
			: {store: 'chat', ...(cwd === undefined ? {} : {directory: cwd})},
	};
};

/** Nothing for a chat without a message: then a poorer form of it may have some. */
export function* readChat(source: Source): Generator<Batch> {
	const chat = withDatabase(source.path, loadChat);
	const folder = dirname(source.path);
	const history = readHistory(folder);
	const sidecar = readJsonFile(join(folder, 'meta.json'));
	const batch = createBatch(source.sessionId ?? '');
	const reading: Reading = {
		batch,
		carried: {calls: []},
		isSubagent: isRecord(chat.meta['subagentInfo']),
		isTyped: text => history?.has(oneSpaced(text)) ?? true,
	};
	if (sidecar?.problem !== undefined) batch.problem(sidecar.problem);
	const file = recordOf(sidecar?.value);
	let hasContent = false;
	for (let first = 0; first < chat.leaves.length; first += CHUNK) {
		const loaded = loadMessages(source.path, chat.leaves.slice(first, first + CHUNK));
		for (const item of loaded) hasContent = readLeaf(item, reading) || hasContent;
		batch.patch(factsOf(source, chat, {file, reading}));
		if (batch.isFull()) yield batch.take(END);
	}
	if (!hasContent) return;
	if (chat.problem !== undefined) batch.problem(chat.problem);
	yield batch.take(END);
}

/** A message as it stands in its blob. */
export const rawBlob = (path: string, id: string): string | undefined => {
	const bytes = withDatabase(path, db => blobOf(db, id));
	return bytes === undefined ? undefined : (leafText(bytes) ?? hexOf(bytes));
};
