/**
 * The newest form of a chat in the editor's database (`_v` 18): a root in `conversationState`, and blobs that it refers to. Turns say
 * what was typed, thought and answered, and when; what tools were called with stands only in the messages that went to the model.
 */

import {type AdapterEvent, eventKey, type Locator} from '../model.js';
import {compact} from '../shared/compact.js';
import {capText, oneLine} from '../shared/content.js';
import {stringOf} from '../shared/narrow.js';
import {bytesOf, type ProtoField, protoFields, protoNumber, protoText} from '../shared/protobuf.js';
import {withDatabase} from '../shared/sqlite.js';
import {timeMs} from '../shared/time.js';
import {hexOf, leafOf, referencesOf} from './blobs.js';
import type {BubbleReading} from './bubbles.js';
import {type Call, partsOf, type Result} from './parts.js';
import {callFacts, callText, resultFacts} from './tools.js';
import {bytesValue, valuesOf} from './values.js';

const BLOB_KEY = 'agentKv:blob:';

/** Field numbers of the messages in the graph. */
const ROOT = {prompts: 1, turns: 8} as const;
const TURN = {agent: 1, user: 1, steps: 2} as const;
const USER = {text: 1, simulated: 5, fullText: 18, time: 25} as const;
const STEP = {answer: 1, call: 2, thought: 3} as const;
const SAID = {text: 1, time: 2} as const;

type Blobs = ReadonlyMap<string, Uint8Array>;

const loadBlobs = (path: string, ids: readonly string[]): Blobs =>
	withDatabase(path, db => {
		const keys = ids.map(id => `${BLOB_KEY}${id}`);
		const blobs = new Map<string, Uint8Array>();
		for (const [key, value] of valuesOf(db, 'cursorDiskKV', keys)) {
			const bytes = bytesValue(value);
			if (bytes !== undefined) blobs.set(key.slice(BLOB_KEY.length), bytes);
		}
		return blobs;
	});

/** `~` and the root in base64. */
const rootOf = (state: unknown): Uint8Array | undefined => {
	const text = stringOf(state);
	return text?.startsWith('~') ? Buffer.from(text.slice(1), 'base64') : undefined;
};

interface Entry {
	readonly kind: 'user' | 'simulated' | 'answer' | 'thought' | 'call' | 'unknown';
	readonly blobId: string;
	readonly text: string;
	readonly atMs: number | undefined;
}

interface Turn {
	readonly user: string | undefined;
	readonly steps: readonly string[];
}

const turnOf = (bytes: Uint8Array | undefined): Turn => {
	const [agent] = bytes === undefined ? [] : bytesOf(protoFields(bytes), TURN.agent);
	if (agent === undefined) return {user: undefined, steps: []};
	return {user: referencesOf(agent, TURN.user)[0], steps: referencesOf(agent, TURN.steps)};
};

const fieldsOf = (blobs: Blobs, id: string): readonly ProtoField[] | undefined => {
	const bytes = blobs.get(id);
	return bytes === undefined ? undefined : protoFields(bytes);
};

/** A long text lies in a blob of its own. */
const fullTextId = (fields: readonly ProtoField[] | undefined): string | undefined => {
	const [id] = bytesOf(fields, USER.fullText);
	return id === undefined ? undefined : hexOf(id);
};

const userEntry = (blobId: string, blobs: Blobs, texts: Blobs): Entry => {
	const fields = fieldsOf(blobs, blobId);
	const full = texts.get(fullTextId(fields) ?? '');
	return {
		kind: (protoNumber(fields, USER.simulated) ?? 0) === 0 ? 'user' : 'simulated',
		blobId,
		text: full === undefined ? (protoText(fields, USER.text) ?? '') : Buffer.from(full).toString(),
		atMs: timeMs(protoNumber(fields, USER.time)),
	};
};

const STEP_KINDS = [
	[STEP.answer, 'answer'],
	[STEP.thought, 'thought'],
	[STEP.call, 'call'],
] as const;

const stepEntry = (blobId: string, blobs: Blobs): Entry => {
	const fields = fieldsOf(blobs, blobId);
	for (const [number, kind] of STEP_KINDS) {
		const [bytes] = bytesOf(fields, number);
		if (bytes === undefined) continue;
		if (kind === 'call') return {kind, blobId, text: '', atMs: undefined};
		const inner = protoFields(bytes);
		return {
			kind,
			blobId,
			text: protoText(inner, SAID.text) ?? '',
			atMs: timeMs(protoNumber(inner, SAID.time)),
		};
	}
	return {kind: 'unknown', blobId, text: '', atMs: undefined};
};

const loadEntries = (path: string, root: Uint8Array): readonly Entry[] => {
	const turnIds = referencesOf(root, ROOT.turns);
	const turnBlobs = loadBlobs(path, turnIds);
	const turns = turnIds.map(id => turnOf(turnBlobs.get(id)));
	const blobs = loadBlobs(
		path,
		turns.flatMap(({user, steps}) => (user === undefined ? steps : [user, ...steps])),
	);
	const texts = loadBlobs(
		path,
		turns.flatMap(({user}) => fullTextId(fieldsOf(blobs, user ?? '')) ?? []),
	);
	return turns.flatMap(({user, steps}) => [
		...(user === undefined ? [] : [userEntry(user, blobs, texts)]),
		...steps.map(id => stepEntry(id, blobs)),
	]);
};

interface ModelCall {
	readonly call: Call;
	readonly result: Result | undefined;
	readonly blobId: string;
}

/** Calls, with their results, in the messages that went to the model. */
const loadCalls = (path: string, root: Uint8Array): readonly ModelCall[] => {
	const ids = referencesOf(root, ROOT.prompts);
	const blobs = loadBlobs(path, ids);
	const calls: {call: Call; blobId: string}[] = [];
	const results = new Map<string, Result>();
	for (const blobId of ids) {
		const bytes = blobs.get(blobId);
		const record = bytes === undefined ? undefined : leafOf(bytes);
		for (const part of partsOf(record?.['content'])) {
			if (part.kind === 'call') calls.push({call: part.call, blobId});
			if (part.kind === 'result') results.set(part.result.callId ?? '', part.result);
		}
	}
	return calls.map(item => ({...item, result: results.get(item.call.callId ?? '')}));
};

const locatorOf = (blobId: string): Locator => ({
	table: 'cursorDiskKV',
	row: `${BLOB_KEY}${blobId}`,
});

type Emit = (
	entry: Entry,
	event: Pick<AdapterEvent, 'kind' | 'role' | 'model' | 'tool' | 'text' | 'locator'>,
	block?: number,
) => void;

/** Equal texts are one blob: the later ones are counted. */
const createEmit = (reading: BubbleReading, entries: readonly Entry[]): Emit => {
	const counts = new Map<string, number>();
	const keys = new Map<Entry, string>();
	for (const entry of entries) {
		const count = (counts.get(entry.blobId) ?? 0) + 1;
		counts.set(entry.blobId, count);
		keys.set(entry, count === 1 ? entry.blobId : `${entry.blobId}-${count}`);
	}
	return (entry, event, block = 0) =>
		reading.batch.event(
			compact({
				...event,
				...capText(event.text),
				key: eventKey(keys.get(entry) ?? entry.blobId, block),
				atMs: reading.atMs,
			}),
		);
};

const emitCall = (emit: Emit, entry: Entry, {call, result, blobId}: ModelCall): void => {
	const {name, callId, args} = call;
	const locator = locatorOf(blobId);
	const facts = compact({name, callId});
	const tool = {...facts, ...callFacts(name, args)};
	emit(entry, {kind: 'tool_use', text: callText(args), tool, locator});
	if (result === undefined) return;
	const {text, isError} = result;
	emit(
		entry,
		{kind: 'tool_result', text, tool: {...facts, ...resultFacts(text, isError)}, locator},
		1,
	);
};

const emitText = (emit: Emit, entry: Entry, reading: BubbleReading): void => {
	const {kind, text, blobId} = entry;
	if (text.trim() === '') return;
	const isTask = kind === 'user' && reading.isSubagent;
	if (isTask) reading.task ??= oneLine(text, 200);
	const rest = {text, locator: locatorOf(blobId)};
	if (kind === 'thought') emit(entry, {kind: 'reasoning', ...rest});
	else if (kind === 'answer') emit(entry, {kind: 'message', role: 'assistant', ...rest});
	else if (kind === 'user' && !isTask) emit(entry, {kind: 'message', role: 'user', ...rest});
	else emit(entry, {kind: 'meta', ...rest});
};

/** Emits what the state of a chat refers to; false if it has no turns. */
export const readState = (path: string, state: unknown, reading: BubbleReading): boolean => {
	const root = rootOf(state);
	if (root === undefined) return false;
	const entries = loadEntries(path, root);
	const calls = loadCalls(path, root);
	const emit = createEmit(reading, entries);
	// After a compaction the model no longer gets the first ones.
	let next = calls.length - entries.filter(({kind}) => kind === 'call').length;
	for (const entry of entries) {
		if (entry.atMs !== undefined) {
			reading.atMs = entry.atMs;
			reading.hasTimes = true;
		}
		if (entry.kind === 'unknown') reading.batch.unknown('state/step');
		else if (entry.kind !== 'call') emitText(emit, entry, reading);
		else {
			const call = calls[next];
			if (call === undefined) reading.batch.unknown('state/call');
			else emitCall(emit, entry, call);
			next += 1;
		}
	}
	return entries.length > 0;
};
