/** A chat of the editor: `composerData:<id>`, its bubbles in rows of their own, inside of it in old builds, or a graph of blobs in new ones. */

import type {Locator, SessionFacts} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {at, booleanOf, countOf, isRecord, listOf, recordOf, textOf} from '../shared/narrow.js';
import {type ForeignDatabase, withDatabase} from '../shared/sqlite.js';
import {timeMs} from '../shared/time.js';
import type {Batch, Source} from '../types.js';
import {type Bubble, type BubbleReading, readBubble, toolPayloads} from './bubbles.js';
import {readState} from './conversation-state.js';
import type {EditorPlace} from './editor.js';
import {modelName} from './messages.js';
import {parentOf} from './parent.js';
import {pathOfUri} from './uri.js';
import {jsonOf, rowOf, valuesOf} from './values.js';

const CHUNK = 100;
type Json = Readonly<Record<string, unknown>>;

interface Chat {
	/** Undefined for a row that is NULL or no longer there. */
	readonly composer: Json | undefined;
	/** The same in the table of headers, or in the list before that. */
	readonly head: Json;
	readonly isBroken: boolean;
}

const HEADERS_KEY = 'composer.composerHeaders';

const headOf = (db: ForeignDatabase, id: string): Json => {
	const columns = db.columns('composerHeaders');
	if (columns.has('composerId') && columns.has('value')) {
		const row = db.get('SELECT value FROM composerHeaders WHERE composerId = ?', id);
		if (row !== undefined) return recordOf(jsonOf(row['value']));
	}
	const list = jsonOf(valuesOf(db, 'ItemTable', [HEADERS_KEY]).get(HEADERS_KEY));
	return recordOf(listOf(at(list, 'allComposers')).find(head => at(head, 'composerId') === id));
};

const loadChat = (path: string, id: string): Chat =>
	withDatabase(path, db => {
		const key = `composerData:${id}`;
		const value = valuesOf(db, 'cursorDiskKV', [key]).get(key);
		const composer = jsonOf(value);
		return {
			composer: isRecord(composer) ? composer : undefined,
			head: headOf(db, id),
			isBroken: value !== undefined && !isRecord(composer),
		};
	});

interface Listed {
	readonly id: string;
	readonly atMs: number | undefined;
	/** The bubble itself, where it stands in the chat. */
	readonly inside?: Json;
	readonly locator: Locator;
}

/** The bubbles in order: named by headers, or whole in the chat. Bubbles that no header names are left over from rewinds. */
const listBubbles = (id: string, composer: Json): readonly Listed[] => {
	const key = `composerData:${id}`;
	const inline = listOf(composer['conversation']).map((bubble, index): Listed => {
		const bubbleId = textOf(at(bubble, 'bubbleId')) ?? `b${index + 1}`;
		const row = rowOf(key, 'conversation', index);
		const locator = {table: 'cursorDiskKV', row};
		return {id: bubbleId, atMs: undefined, inside: recordOf(bubble), locator};
	});
	const headers = listOf(composer['fullConversationHeadersOnly']);
	if (headers.length === 0) return inline;
	const byId = new Map(inline.map(listed => [listed.id, listed]));
	return headers.flatMap(header => {
		const bubbleId = textOf(at(header, 'bubbleId'));
		if (bubbleId === undefined) return [];
		const atMs = timeMs(at(header, 'createdAt'));
		const mapped = at(composer, 'conversationMap', bubbleId);
		const row = rowOf(key, 'conversationMap', bubbleId);
		if (isRecord(mapped)) {
			return [{id: bubbleId, atMs, inside: mapped, locator: {table: 'cursorDiskKV', row}}];
		}
		const locator = {table: 'cursorDiskKV', row: `bubbleId:${id}:${bubbleId}`};
		return [{locator, ...byId.get(bubbleId), id: bubbleId, atMs}];
	});
};

interface Loaded {
	readonly listed: Listed;
	readonly bubble: Bubble | undefined;
	readonly locator: Locator;
}

const loadBubbles = (path: string, id: string, chunk: readonly Listed[]): readonly Loaded[] =>
	withDatabase(path, db => {
		const keyOf = (listed: Listed): string => `bubbleId:${id}:${listed.id}`;
		const values = valuesOf(db, 'cursorDiskKV', chunk.map(keyOf));
		return chunk.map(listed => {
			const row = keyOf(listed);
			const bubble = jsonOf(values.get(row));
			return isRecord(bubble)
				? {listed, bubble, locator: {table: 'cursorDiskKV', row}}
				: {listed, bubble: listed.inside, locator: listed.locator};
		});
	});

/** Builds and places differ in where they name the folder; of several the first. */
const folderOf = ({composer, head}: Chat, {directory}: EditorPlace, reading: BubbleReading) => {
	const stated = [head, composer].map(
		from =>
			textOf(at(from, 'workspaceIdentifier', 'uri', 'fsPath')) ??
			pathOfUri(textOf(at(from, 'workspaceIdentifier', 'uri', 'external')) ?? ''),
	);
	return (
		stated.find(path => path !== undefined) ??
		directory ??
		textOf(at(composer, 'agentLocation', 'environment', 'uri', 'fsPath')) ??
		reading.directory ??
		repositoriesOf(composer)[0]
	);
};

const repositoriesOf = (composer: Json | undefined): readonly string[] =>
	listOf(composer?.['trackedGitRepos']).flatMap(
		repository => textOf(at(repository, 'repoPath')) ?? [],
	);

/** Stated in cents for each model, in about one chat of eight. */
const costOf = (composer: Json | undefined): number | undefined => {
	const cents = Object.values(recordOf(composer?.['usageData'])).reduce<number>(
		(sum, usage) => sum + countOf(at(usage, 'costInCents')),
		0,
	);
	return cents === 0 ? undefined : cents / 100;
};

const factsOf = (chat: Chat, place: EditorPlace, reading: BubbleReading): SessionFacts => {
	const {composer, head} = chat;
	const parent = parentOf(composer?.['subagentInfo']);
	const isArchived = place.isArchived ?? booleanOf(composer?.['isArchived']);
	return compact({
		generatedTitle: textOf(head['name']) ?? textOf(composer?.['name']),
		cwd: folderOf(chat, place, reading),
		directories: repositoriesOf(composer),
		model: modelName(at(composer, 'modelConfig', 'modelName')) ?? reading.model,
		createdAtMs: timeMs(composer?.['createdAt']) ?? timeMs(head['createdAt']),
		updatedAtMs: timeMs(composer?.['lastUpdatedAt']) ?? timeMs(head['lastUpdatedAt']),
		costUsd: costOf(composer),
		archived: isArchived,
		isSubagent: reading.isSubagent || undefined,
		description: reading.isSubagent ? reading.task : undefined,
		parent,
	});
};

/** One of several answers to one prompt counts as a sub-agent, or its prompt would count again. */
const isSubagent = ({composer}: Chat, place: EditorPlace): boolean =>
	place.isSubagent === true ||
	isRecord(composer?.['subagentInfo']) ||
	composer?.['isBestOfNSubcomposer'] === true;

const openReading = (source: Source, chat: Chat, place: EditorPlace): BubbleReading => ({
	batch: createBatch(source.sessionId ?? ''),
	isSubagent: isSubagent(chat, place),
	atMs: timeMs(chat.composer?.['createdAt']),
	hasTimes: false,
	model: undefined,
	task: undefined,
	directory: undefined,
});

/** V1 kept the payload of a tool apart from its bubble. */
const withPayload = (bubble: Bubble, payload: unknown): Bubble =>
	isRecord(payload) && !isRecord(bubble['toolFormerData'])
		? {...bubble, toolFormerData: payload}
		: bubble;

/** Nothing for a chat without content (drafts, rows that are NULL): then a poorer form of it may have some. */
export function* readComposer(source: Source): Generator<Batch> {
	const place = recordOf(source.extra) as unknown as EditorPlace;
	const {path, sessionId: id = ''} = source;
	const chat = loadChat(path, id);
	const {composer} = chat;
	const reading = openReading(source, chat, place);
	const {batch} = reading;
	if (chat.isBroken) {
		const detail = 'the chat is no JSON object';
		batch.problem({code: 'bad-record', where: `composerData:${id}`, detail});
	}
	const bubbles = composer === undefined ? [] : listBubbles(id, composer);
	const payloads = toolPayloads(composer);
	let hasContent = chat.isBroken;
	for (let first = 0; first < bubbles.length; first += CHUNK) {
		const isLast = first + CHUNK >= bubbles.length;
		const loaded = loadBubbles(path, id, bubbles.slice(first, first + CHUNK));
		for (const [index, {listed, bubble, locator}] of loaded.entries()) {
			if (bubble === undefined) {
				batch.unknown('bubble/missing');
				continue;
			}
			hasContent = true;
			// No bubble of the chat states its time: at least the end is known.
			if (isLast && index === loaded.length - 1 && !reading.hasTimes) {
				reading.atMs = timeMs(composer?.['lastUpdatedAt']) ?? reading.atMs;
			}
			const where = {id: listed.id, locator, listedAtMs: listed.atMs};
			readBubble(withPayload(bubble, payloads.get(listed.id)), where, reading);
		}
		batch.patch(factsOf(chat, place, reading));
		if (batch.isFull()) yield batch.take(END);
	}
	if (!hasContent) hasContent = readState(path, composer?.['conversationState'], reading);
	batch.patch(factsOf(chat, place, reading));
	if (hasContent) yield batch.take(END);
}
