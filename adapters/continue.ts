/** Continue: the command line `cn` and the editor's extension share a folder of documents, one a session. */

import {createHash} from 'node:crypto';
import {basename, join} from 'node:path';
import {type AdapterEvent, eventKey, type SessionFacts, type Usage} from './model.js';
import {createBatch, END} from './shared/batch.js';
import {commonChange} from './shared/calls/changes.js';
import {compact} from './shared/compact.js';
import {placeholder} from './shared/content.js';
import {readDocument} from './shared/document.js';
import {fileUriPath} from './shared/file-uri.js';
import {foreignBy} from './shared/foreign.js';
import {readJsonFile} from './shared/json-file.js';
import {at, countOf, isRecord, listOf, numberOf, stringOf, textOf} from './shared/narrow.js';
import {agentRoots, statedPath} from './shared/roots.js';
import {
	argumentsOf,
	callForm,
	eventOf,
	type Form,
	mediaText,
	type Place,
	promptForm,
	reasoningForm,
	replyForm,
	resultForm,
} from './shared/rows/events.js';
import {PLAIN_ID} from './shared/session-ids.js';
import {timeMs} from './shared/time.js';
import {findFiles} from './shared/walk.js';
import type {
	Adapter,
	Batch,
	Discovered,
	ResumePlan,
	ResumeRequest,
	Root,
	Source,
	Surroundings,
} from './types.js';

const VARIABLE = 'CONTINUE_GLOBAL_DIR';
const INDEX = 'sessions.json';
const UNNAMED = new Set(['New Session', 'Untitled Session']);

const roots = (around: Surroundings): readonly Root[] =>
	agentRoots(around, {
		standard: join(around.home, '.continue'),
		stated: statedPath(around.env[VARIABLE]),
		resumeEnv: path => ({[VARIABLE]: path}),
	});

/** When sessions were begun: only the index says it, and it may be missing. */
const begunTimes = (folder: string): ReadonlyMap<string, number> =>
	new Map(
		listOf(readJsonFile(join(folder, INDEX))?.value).flatMap(entry => {
			const [id, begun] = [textOf(at(entry, 'sessionId')), timeMs(at(entry, 'dateCreated'))];
			return id === undefined || begun === undefined ? [] : [[id, begun] as const];
		}),
	);

function* discover(root: Root): Generator<Discovered> {
	const folder = join(root.path, 'sessions');
	const found = yield* findFiles(folder, {
		depth: 1,
		accept: (_, name) => name.endsWith('.json') && name !== INDEX,
	});
	const begun = begunTimes(folder);
	for (const {path, stamp} of found) {
		const sessionId = basename(path, '.json');
		const createdAtMs = begun.get(sessionId);
		const outside = createdAtMs === undefined ? undefined : {createdAtMs};
		const files = [stamp];
		yield {
			source: {key: path, path, files, mode: 'replace', sessionId, ...compact({outside})},
		};
	}
}

const partText = (part: unknown): string =>
	at(part, 'type') === 'imageUrl'
		? mediaText('image', {url: at(part, 'imageUrl', 'url')})
		: (stringOf(at(part, 'text')) ?? '');

const contentText = (content: unknown): string =>
	typeof content === 'string' ? content : listOf(content).map(partText).join('\n');

/** What stands where in an item: these blocks first, then two for each call. */
const BLOCKS = {said: 0, reasoning: 1, context: 2, summary: 3, calls: 4} as const;

interface Item {
	readonly value: unknown;
	readonly message: unknown;
	readonly place: Place;
	readonly names: Map<string, string>;
	/** Calls whose result stands in a state: a message of the role `tool` repeats it. */
	readonly answered: ReadonlySet<string>;
}

type Maybe = readonly [block: number, form: Form] | undefined;

const textForm = (block: number, text: string | undefined, form: (text: string) => Form): Maybe =>
	text === undefined || text.trim() === '' ? undefined : [block, form(text)];

const said = ({message, place, names, answered}: Item): Maybe => {
	const text = contentText(at(message, 'content'));
	const role = at(message, 'role');
	const block = BLOCKS.said;
	if (role === 'user') return textForm(block, text, words => promptForm(words));
	if (role === 'assistant') return textForm(block, text, words => replyForm(words, place));
	if (role === 'thinking') return textForm(block, text, words => reasoningForm(words, place));
	if (role !== 'tool') return textForm(block, text, words => ({kind: 'meta', text: words}));
	const callId = textOf(at(message, 'toolCallId'));
	if (callId !== undefined && answered.has(callId)) return undefined;
	return [block, resultForm(text, {callId}, names)];
};

const contextForm = ({value}: Item): Maybe => {
	const items = listOf(at(value, 'contextItems'));
	const names = items.map(item => placeholder('file', {name: textOf(at(item, 'name'))}));
	return textForm(BLOCKS.context, names.join('\n'), text => ({kind: 'meta', text}));
};

const outputText = (state: unknown): string =>
	listOf(at(state, 'output'))
		.map(item => stringOf(at(item, 'content')) ?? '')
		.join('\n');

const hasResult = (state: unknown): boolean =>
	listOf(at(state, 'output')).length > 0 || at(state, 'status') === 'done';

const callIdOf = (state: unknown): string | undefined =>
	textOf(at(state, 'toolCallId')) ?? textOf(at(state, 'toolCall', 'id'));

/** The extension's own tools have a prefix. */
const changeIn = (name: string) => commonChange(name.replace(/^builtin_/, ''));

const callOf = (item: Item, call: unknown, parsed?: unknown): Form => {
	const {place, names} = item;
	const name = textOf(at(call, 'function', 'name')) ?? 'unknown';
	const args = isRecord(parsed) ? parsed : argumentsOf(at(call, 'function', 'arguments'));
	const callId = textOf(at(call, 'id'));
	return callForm({name, callId, args}, {change: changeIn(name), names, place});
};

/** The states of calls say more than the calls in the message. */
const callForms = (item: Item): readonly Maybe[] => {
	const states = listOf(at(item.value, 'toolCallStates'));
	if (states.length === 0) {
		const calls = listOf(at(item.message, 'toolCalls'));
		return calls.map((call, index) => [BLOCKS.calls + 2 * index, callOf(item, call)]);
	}
	return states.flatMap((state, index): readonly Maybe[] => {
		const block = BLOCKS.calls + 2 * index;
		const call = callOf(item, at(state, 'toolCall'), at(state, 'parsedArgs'));
		if (!hasResult(state)) return [[block, call]];
		const facts = {callId: callIdOf(state), isError: at(state, 'status') === 'errored'};
		return [
			[block, call],
			[block + 1, resultForm(outputText(state), facts, item.names)],
		];
	});
};

const summaryForm = (text: string): Form => ({kind: 'summary', text});

/** A compaction rewrites the document: the first item is then the summary itself, in the role of the model. */
const isRewritten = (first: unknown): boolean => {
	const summary = textOf(at(first, 'conversationSummary'));
	return summary !== undefined && contentText(at(first, 'message', 'content')) === summary;
};

const itemEvents = (item: Item): readonly AdapterEvent[] => {
	const {value, place} = item;
	const summary = textForm(BLOCKS.summary, textOf(at(value, 'conversationSummary')), summaryForm);
	const thought = textOf(at(value, 'reasoning', 'text'));
	const forms = isRewritten(value)
		? [summary]
		: [
				textForm(BLOCKS.reasoning, thought, text => reasoningForm(text, place)),
				said(item),
				contextForm(item),
				...callForms(item),
				summary,
			];
	return forms.flatMap(form => (form === undefined ? [] : [eventOf(place, form[0], form[1])]));
};

/**
 * Items have no ids. Those behind a compaction take the places of others: with its mark in their keys, what was read before stays.
 */
const keyPrefix = (first: unknown): string =>
	isRewritten(first)
		? `${createHash('sha256')
				.update(String(at(first, 'conversationSummary')))
				.digest('hex')
				.slice(0, 8)}-`
		: '';

const usageOf = ({message, place}: Item): Usage | undefined => {
	const usage = at(message, 'usage');
	if (!isRecord(usage)) return undefined;
	return {
		key: eventKey(place.key),
		input: countOf(usage['prompt_tokens']),
		output: countOf(usage['completion_tokens']),
		cacheRead: 0,
		cacheWrite: 0,
		...compact({model: place.model}),
	};
};

/** Of the session's own part: a fork copies the counts of single replies, but begins this one anew (1.5.47). */
const totalsOf = (usage: unknown): SessionFacts => {
	const [cacheRead, cacheWrite] = ['cachedTokens', 'cacheWriteTokens'].map(name =>
		countOf(at(usage, 'promptTokensDetails', name)),
	) as [number, number];
	const input = Math.max(0, countOf(at(usage, 'promptTokens')) - cacheRead - cacheWrite);
	const output = countOf(at(usage, 'completionTokens'));
	const costUsd = numberOf(at(usage, 'totalCost'));
	return compact({tokens: {input, output, cacheRead, cacheWrite}, costUsd});
};

const factsOf = (document: Readonly<Record<string, unknown>>, source: Source): SessionFacts => {
	const {title, workspaceDirectory, chatModelTitle, usage} = document;
	const name = textOf(title);
	return compact({
		generatedTitle: name === undefined || UNNAMED.has(name) ? undefined : name,
		cwd: fileUriPath(workspaceDirectory) ?? textOf(workspaceDirectory),
		model: textOf(chatModelTitle),
		updatedAtMs: source.files[0]?.mtimeMs,
		...(isRecord(usage) ? totalsOf(usage) : {}),
	});
};

function* read(source: Source): Generator<Batch> {
	const document = readDocument(source.path);
	const history = listOf(document['history']);
	const batch = createBatch(source.sessionId ?? textOf(document['sessionId']) ?? '');
	batch.patch(factsOf(document, source));
	const prefix = keyPrefix(history[0]);
	const states = history.flatMap(value => listOf(at(value, 'toolCallStates')));
	const answered = new Set(states.filter(hasResult).flatMap(state => callIdOf(state) ?? []));
	const names = new Map<string, string>();
	for (const [index, value] of history.entries()) {
		const message = at(value, 'message');
		const model = textOf(at(message, 'usage', 'model'));
		const place: Place = {
			key: `${prefix}${index}`,
			atMs: timeMs(at(value, 'reasoning', 'startAt')),
			locator: {path: source.path, pointer: `/history/${index}`},
			model,
		};
		const item = {value, message, place, names, answered};
		if (model !== undefined) batch.patch({model});
		for (const event of itemEvents(item)) batch.event(event);
		const usage = isRecord(document['usage']) ? undefined : usageOf(item);
		if (usage !== undefined) batch.usage(usage);
	}
	yield batch.take(END);
}

/** `--resume` takes no id: a given session goes on as a copy of itself only. */
const resume = ({id, cwd, resumeEnv}: ResumeRequest): ResumePlan => {
	if (!PLAIN_ID.test(id)) return {reason: `${id} is no session id of Continue`};
	const argv = ['cn', '--fork', id];
	return {argv, cwd, env: resumeEnv, forkArgv: argv};
};

export const continueDev: Adapter = {
	id: 'continue',
	label: 'Continue',
	shortLabel: 'Continue',
	parserVersion: 1,
	checked: ['1.5.47'],
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	foreign: foreignBy({
		idIn: ({sessionId, history}) => Array.isArray(history) && sessionId,
		at: id => `sessions/${id}.json`,
	}),
	resume,
};
