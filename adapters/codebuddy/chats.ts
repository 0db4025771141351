/** Chats of the extension: `history/<hash of the project>/<session>/`, an index and a document for each message. */

import {basename, dirname, join} from 'node:path';
import type {AdapterEvent, SessionFacts} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {oneLine} from '../shared/content.js';
import {readDocument} from '../shared/document.js';
import {readJsonFile} from '../shared/json-file.js';
import {at, firstText, isRecord, listOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {
	eventOf,
	jsonIn,
	mediaText,
	type Place,
	promptForm,
	replyForm,
} from '../shared/rows/events.js';
import {timeMs} from '../shared/time.js';
import {byFolder, findFiles} from '../shared/walk.js';
import type {Batch, Discovered, FileStamp, Source} from '../types.js';
import {promptOf} from './prompts.js';

const FOLDER = /(?:^|\/)history\/[\da-f]{32}\/[^/]+$/i;
const DIRECTORIES = ['projectPath', 'project_path', 'cwd', 'workspace'] as const;
const TIMES = ['createdAt', 'created_at', 'timestamp', 'time', 'date'] as const;

/** What the index of a project says of its chats. */
const chatsOf = (folder: string): ReadonlyMap<string, SessionFacts> => {
	const index = readJsonFile(join(folder, 'index.json'))?.value;
	const directory = firstText(index, DIRECTORIES);
	const entries = listOf(at(index, 'conversations')).flatMap(chat => {
		const id = textOf(at(chat, 'id'));
		const facts = compact({
			generatedTitle: textOf(at(chat, 'name')),
			cwd: firstText(chat, DIRECTORIES) ?? directory,
			createdAtMs: timeMs(at(chat, 'createdAt')),
			updatedAtMs: timeMs(at(chat, 'lastMessageAt')),
		});
		return id === undefined ? [] : [[id, facts] as const];
	});
	return new Map(entries);
};

const chatSource = (
	folder: string,
	index: FileStamp,
	{messages, outside}: {messages: readonly FileStamp[]; outside: SessionFacts | undefined},
): Source => ({
	key: folder,
	path: index.path,
	files: [index, ...messages],
	mode: 'replace',
	sessionId: basename(folder),
	...compact({outside}),
});

const folderOf = (path: string): string =>
	basename(dirname(path)) === 'messages' ? dirname(dirname(path)) : dirname(path);

export function* discoverChats(root: string): Generator<Discovered> {
	const found = yield* findFiles(root, {
		depth: 12,
		accept: (relative, name) => name.endsWith('.json') && FOLDER.test(folderOf(`/${relative}`)),
	});
	const known = new Map<string, ReadonlyMap<string, SessionFacts>>();
	for (const [folder, files] of byFolder(found, folderOf)) {
		const [index, ...messages] = files;
		// The index comes first, since folders are walked level by level; without one there is no order.
		if (index === undefined || basename(index.path) !== 'index.json') continue;
		const project = dirname(folder);
		if (!known.has(project)) known.set(project, chatsOf(project));
		const outside = known.get(project)?.get(basename(folder));
		yield {source: chatSource(folder, index, {messages, outside})};
	}
}

/** Text, JSON in a text, or an object; sometimes quoted twice. */
const decoded = (message: unknown): Readonly<Record<string, unknown>> => {
	const once = jsonIn(message);
	const value = typeof once === 'string' ? (jsonIn(once) ?? once) : once;
	return isRecord(value) ? value : {content: stringOf(value) ?? stringOf(message)};
};

const textIn = (content: unknown, unknown: (kind: string) => void): string => {
	const blocks = typeof content === 'string' ? [{type: 'text', text: content}] : listOf(content);
	return blocks
		.flatMap(block => {
			const text = textOf(at(block, 'text'));
			if (text !== undefined) return [text];
			const type = textOf(at(block, 'type')) ?? 'none';
			if (type.startsWith('image')) return [mediaText('image', {url: at(block, 'image_url')})];
			unknown(`block/${oneLine(type, 80)}`);
			return [];
		})
		.join('\n');
};

const messageEvents = (role: unknown, text: string, place: Place): readonly AdapterEvent[] => {
	if (text.trim() === '') return [];
	if (role === 'assistant') return [eventOf(place, 0, replyForm(text, place))];
	if (role !== 'user') return [eventOf(place, 0, {kind: 'meta', text})];
	const {typed, added} = promptOf(text);
	return [
		...(typed === '' ? [] : [eventOf(place, 0, promptForm(typed))]),
		...(added === '' ? [] : [eventOf(place, 1, {kind: 'meta', text: added})]),
	];
};

/** Ids are names of files. */
const ID = /^[^/\\]+$/;

export function* readChat(source: Source): Generator<Batch> {
	const batch = createBatch(source.sessionId ?? '');
	// Times of files tell only when they were copied, so they are the last resort.
	const isDated = source.outside?.createdAtMs !== undefined;
	const stamps = new Map(isDated ? [] : source.files.map(file => [file.path, file]));
	const index = readDocument(source.path);
	batch.patch(compact({cwd: firstText(index, DIRECTORIES)}));
	for (const entry of listOf(index['messages'])) {
		const id = textOf(at(entry, 'id'));
		if (id === undefined || !ID.test(id)) continue;
		const path = join(dirname(source.path), 'messages', `${id}.json`);
		const document = readJsonFile(path);
		if (document?.value === undefined) {
			const detail = `the index lists a message that is not there: ${oneLine(id, 80)}`;
			batch.problem(document?.problem ?? {code: 'missing-part', where: path, detail});
			continue;
		}
		const raw = recordOf(document.value);
		const message = decoded(raw['message']);
		const stated = [message, raw].flatMap(from => TIMES.map(name => timeMs(from[name])));
		const atMs = stated.find(time => time !== undefined) ?? stamps.get(path)?.mtimeMs;
		const model = textOf(message['model']);
		if (model !== undefined) batch.patch({model});
		const place: Place = {
			key: id,
			atMs: atMs === undefined ? undefined : Math.round(atMs),
			locator: {path, pointer: ''},
			model,
		};
		const text = textIn(message['content'], kind => batch.unknown(kind));
		const role = raw['role'] ?? at(entry, 'role');
		for (const event of messageEvents(role, text, place)) batch.event(event);
	}
	yield batch.take(END);
}
