/**
 * Amp: one JSON document a thread, rewritten as a whole. Newer builds keep threads on the server only and write no documents;
 * what lies here is from the time before.
 */

import {basename, join} from 'node:path';
import {type AdapterEvent, eventKey, type Locator, type SessionFacts, type Usage} from './model.js';
import {createBatch, END} from './shared/batch.js';
import type {Changes} from './shared/calls/changes.js';
import {callFacts, callText} from './shared/calls/facts.js';
import {compact} from './shared/compact.js';
import {capText, jsonText, placeholder} from './shared/content.js';
import {fileUriPath} from './shared/file-uri.js';
import {foreignBy} from './shared/foreign.js';
import {readJsonFile} from './shared/json-file.js';
import {
	at,
	entryOf,
	isRecord,
	listOf,
	numberOf,
	recordOf,
	stringOf,
	textOf,
} from './shared/narrow.js';
import {agentRoots, dataRoot, statedPath} from './shared/roots.js';
import {isSlashCommand} from './shared/slash-command.js';
import {timeMs} from './shared/time.js';
import {findFiles} from './shared/walk.js';
import {
	type Adapter,
	type Batch,
	type Discovered,
	type ResumePlan,
	type ResumeRequest,
	type Root,
	type Source,
	SourceUnreadable,
	type Surroundings,
} from './types.js';

const THREAD_FILE = /^T-[^/]+\.json$/;
const THREAD_ID = /^T-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** `AMP_DATA_DIR` may name several folders, separated by commas. */
const roots = (around: Surroundings): readonly Root[] => {
	const paths = (around.env['AMP_DATA_DIR'] ?? '').split(',').map(statedPath);
	const stated = paths.filter(path => path !== undefined);
	if (stated.length === 0) return agentRoots(around, dataRoot(around, 'amp'));
	const {standard} = dataRoot(around, 'amp');
	const resumeEnv = (path: string) => ({AMP_DATA_DIR: path});
	const [first, ...others] = stated;
	const extraRoots = [...others.map(path => ({path})), ...around.extraRoots];
	return agentRoots({...around, extraRoots}, {standard, stated: first, resumeEnv}).map(root =>
		others.includes(root.path) ? {...root, from: 'environment'} : root,
	);
};

function* discover(root: Root): Generator<Discovered> {
	const found = yield* findFiles(join(root.path, 'threads'), {
		depth: 1,
		accept: (_, name) => THREAD_FILE.test(name),
	});
	for (const {path, stamp} of found) {
		const sessionId = basename(path, '.json');
		yield {source: {key: path, path, files: [stamp], mode: 'replace', sessionId}};
	}
}

/** Where the message stands, and what its events share. */
interface Message {
	readonly role: string;
	readonly blocks: readonly unknown[];
	readonly key: string;
	readonly atMs: number | undefined;
	readonly locator: Locator;
	readonly model: string | undefined;
	/** A time of sending is the mark of what a person typed. */
	readonly isSent: boolean;
	/** Call id → tool name. */
	readonly names: Map<string, string>;
}

type Form = Pick<AdapterEvent, 'kind' | 'text'> & Partial<AdapterEvent>;

const eventOf = ({key, atMs, locator}: Message, block: number, form: Form): AdapterEvent => ({
	...form,
	...capText(form.text),
	...compact({key: eventKey(key, block), atMs, locator}),
});

const CHANGES: Changes = {
	Read: 'read',
	edit_file: 'edit',
	create_file: 'create',
	delete_file: 'delete',
	undo_edit: 'edit',
};

const callForm = (block: Record<string, unknown>, {names}: Message): Form => {
	const name = textOf(block['name']) ?? 'unknown';
	const callId = textOf(block['id']);
	if (callId !== undefined) names.set(callId, name);
	const args = recordOf(block['input']);
	const facts = callFacts(args, entryOf(CHANGES, name));
	return {
		kind: 'tool_use',
		text: callText(args),
		tool: {...facts, ...compact({name, callId})},
	};
};

const outputText = (run: Record<string, unknown>): string => {
	const {result} = run;
	if (typeof result === 'string') return result;
	const texts = Array.isArray(result)
		? [result.map(item => stringOf(at(item, 'text')) ?? '').join('\n')]
		: [at(result, 'output'), at(result, 'content'), at(run, 'error', 'message'), run['error']];
	const text = texts.map(stringOf).find(value => value !== undefined);
	return text ?? (result === undefined || result === null ? '' : jsonText(result));
};

const FAILURES: ReadonlySet<unknown> = new Set(['error', 'cancelled', 'rejected-by-user']);

const resultForm = (block: Record<string, unknown>, {names}: Message): Form => {
	const callId = textOf(block['toolUseID']) ?? textOf(block['tool_use_id']);
	const run = recordOf(block['run']);
	// -1 stands for none.
	const stated = numberOf(at(run, 'result', 'exitCode'));
	const exitCode = stated !== undefined && Number.isSafeInteger(stated) && stated >= 0;
	const isError = FAILURES.has(run['status']) || (exitCode && stated > 0);
	return {
		kind: 'tool_result',
		text: outputText(run),
		tool: compact({
			name: callId === undefined ? undefined : names.get(callId),
			callId,
			isError: isError ? true : undefined,
			exitCode: exitCode ? stated : undefined,
		}),
	};
};

const BLOCKS: Readonly<Record<string, (block: Record<string, unknown>, message: Message) => Form>> =
	{
		text: (block, {key, model}) => ({
			kind: 'message',
			text: stringOf(block['text']) ?? '',
			...compact({role: 'assistant' as const, messageId: key, model}),
		}),
		thinking: (block, {key, model}) => ({
			kind: 'reasoning',
			text: stringOf(block['thinking']) ?? '',
			...compact({messageId: key, model}),
		}),
		tool_use: callForm,
		tool_result: resultForm,
	};

const imageText = (block: Record<string, unknown>): string => {
	const source = recordOf(block['source']);
	const path = textOf(block['sourcePath']);
	return placeholder('image', {
		mediaType: textOf(source['mediaType']) ?? textOf(source['media_type']),
		name: path === undefined ? undefined : basename(path),
	});
};

const INJECTED = /^\s*<(?:system-reminder|environment|attached[-_]files)\b/;

const promptForm = (text: string, isCarrier: boolean): Form => {
	if (isCarrier || INJECTED.test(text)) return {kind: 'meta', text};
	const message = {kind: 'message', role: 'user', text} as const;
	return isSlashCommand(text) ? {...message, input: 'command'} : message;
};

/** Texts and images of a user message are one prompt. A message that brings results was sent by nobody unless it says so. */
const promptEvents = (message: Message): readonly AdapterEvent[] => {
	const places: number[] = [];
	const texts: string[] = [];
	for (const [place, block] of message.blocks.entries()) {
		const {type, text} = recordOf(block);
		if (type !== 'text' && type !== 'image') continue;
		places.push(place);
		texts.push(type === 'text' ? (stringOf(text) ?? '') : imageText(recordOf(block)));
	}
	const text = texts.filter(part => part !== '').join('\n');
	const hasResults = message.blocks.some(block => at(block, 'type') === 'tool_result');
	const form = promptForm(text, hasResults && !message.isSent);
	return text.trim() === '' ? [] : [eventOf(message, places[0] ?? 0, form)];
};

const blockEvents = (message: Message, report: (kind: string) => void): AdapterEvent[] =>
	message.blocks.flatMap((block, place) => {
		const type = stringOf(at(block, 'type')) ?? 'none';
		const isPrompt = message.role === 'user' && (type === 'text' || type === 'image');
		if (isPrompt || !isRecord(block)) return [];
		if (type === 'image') {
			const text = imageText(block);
			return [eventOf(message, place, {kind: 'message', role: 'assistant', text})];
		}
		const form = entryOf(BLOCKS, type)?.(block, message);
		if (form === undefined) {
			report(`block/${type.slice(0, 80)}`);
			return [];
		}
		return form.tool === undefined && form.text.trim() === ''
			? []
			: [eventOf(message, place, form)];
	});

/** Older documents have snake_case names. */
const count = (usage: Record<string, unknown>, name: string): number => {
	const snake = name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
	const stated = numberOf(usage[name] ?? usage[snake]) ?? 0;
	return Number.isSafeInteger(stated) ? Math.max(0, stated) : 0;
};

const usageOf = (stated: unknown, {key, atMs, model}: Message): Usage | undefined =>
	isRecord(stated)
		? compact({
				key: eventKey(key),
				input: count(stated, 'inputTokens'),
				output: count(stated, 'outputTokens'),
				cacheRead: count(stated, 'cacheReadInputTokens'),
				cacheWrite: count(stated, 'cacheCreationInputTokens'),
				model,
				atMs,
			})
		: undefined;

/** Messages have a number; the old form has none. */
const keyOf = (record: Record<string, unknown>, index: number, taken: Set<string>): string => {
	const id = record['messageId'];
	const stated = typeof id === 'number' || textOf(id) !== undefined ? `m${id}` : `n${index}`;
	const key = taken.has(stated) ? `n${index}` : stated;
	taken.add(key);
	return key;
};

const BRANCH = /^refs\/heads\//;

const factsOf = (thread: Record<string, unknown>): SessionFacts => {
	const initial = at(thread, 'env', 'initial');
	const trees = listOf(at(initial, 'trees'));
	const [cwd, ...others] = trees.map(tree => fileUriPath(at(tree, 'uri')));
	const directories = others.filter(path => path !== undefined);
	const ends = listOf(at(thread, 'meta', 'traces'))
		.map(trace => timeMs(at(trace, 'endTime')))
		.filter(end => end !== undefined);
	return compact({
		generatedTitle: textOf(thread['title']),
		cwd,
		directories: directories.length === 0 ? undefined : directories,
		branch: textOf(at(trees[0], 'repository', 'ref'))?.replace(BRANCH, ''),
		agentVersion: textOf(at(initial, 'platform', 'clientVersion')),
		createdAtMs: timeMs(thread['created']),
		updatedAtMs: ends.length === 0 ? undefined : ends.reduce((a, b) => Math.max(a, b)),
	});
};

const threadOf = (source: Source): Record<string, unknown> => {
	const document = readJsonFile(source.path);
	if (document === undefined) throw new SourceUnreadable('unreadable', `gone: ${source.path}`);
	const {problem, value} = document;
	// Half written: what was read before stays, and the next change is looked at.
	if (problem !== undefined) throw new SourceUnreadable(problem.code, problem.detail);
	if (!isRecord(value) || !Array.isArray(value['messages'])) {
		throw new SourceUnreadable('unsupported-schema', 'no list of messages');
	}
	return value;
};

function* read(source: Source): Generator<Batch> {
	const thread = threadOf(source);
	const batch = createBatch(source.sessionId ?? basename(source.path, '.json'));
	batch.patch(factsOf(thread));
	const names = new Map<string, string>();
	const taken = new Set<string>();
	let last = timeMs(thread['created']);
	const cursor = END;
	for (const [index, value] of listOf(thread['messages']).entries()) {
		if (batch.isFull()) yield batch.take(cursor);
		const record = recordOf(value);
		const role = stringOf(record['role']) ?? 'none';
		if (role !== 'user' && role !== 'assistant') {
			batch.unknown(`role/${role.slice(0, 80)}`);
			continue;
		}
		const usage = record['usage'];
		const sentAt = timeMs(at(record, 'meta', 'sentAt'));
		last = sentAt ?? timeMs(at(usage, 'timestamp')) ?? timeMs(record['createdAt']) ?? last;
		const {content, text} = record;
		const plain = stringOf(content) ?? stringOf(text);
		const message: Message = {
			role,
			blocks: plain === undefined ? listOf(content) : [{type: 'text', text: plain}],
			key: keyOf(record, index, taken),
			atMs: last,
			locator: {path: source.path, pointer: `/messages/${index}`},
			model: textOf(at(usage, 'model')),
			isSent: sentAt !== undefined,
			names,
		};
		if (message.model !== undefined) batch.patch({model: message.model});
		for (const event of [
			...(role === 'user' ? promptEvents(message) : []),
			...blockEvents(message, kind => batch.unknown(kind)),
		]) {
			batch.event(event);
		}
		const counted = usageOf(usage, message);
		if (counted !== undefined) batch.usage(counted);
	}
	yield batch.take(cursor);
}

const resume = ({id, cwd, resumeEnv}: ResumeRequest): ResumePlan =>
	THREAD_ID.test(id)
		? {argv: ['amp', 'threads', 'continue', id], cwd, env: resumeEnv}
		: {reason: `${id} is no thread id of Amp`};

export const amp: Adapter = {
	id: 'amp',
	label: 'Amp',
	shortLabel: 'Amp',
	parserVersion: 1,
	checked: ['0.0.1783038096'],
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	foreign: foreignBy({
		idIn: ({id, messages, v}) => Array.isArray(messages) && typeof v === 'number' && id,
		at: id => `threads/${id}.json`,
	}),
	resume,
};
