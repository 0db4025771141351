/** Rovo Dev: a folder a session, with the talk in `session_context.json` and its title and place in `metadata.json`. */

import {basename, dirname, isAbsolute, join} from 'node:path';
import {type AdapterEvent, eventKey, type SessionFacts, type Usage} from './model.js';
import {createBatch, END} from './shared/batch.js';
import {commonChange} from './shared/calls/changes.js';
import {compact} from './shared/compact.js';
import {jsonText, oneLine} from './shared/content.js';
import {readDocument} from './shared/document.js';
import {foreignBy} from './shared/foreign.js';
import {readJsonFile} from './shared/json-file.js';
import {at, countOf, entryOf, isRecord, listOf, stringOf, textOf} from './shared/narrow.js';
import {agentRoots} from './shared/roots.js';
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
import {settingsText} from './shared/settings-text.js';
import {timeMs} from './shared/time.js';
import {findFiles, stampOf} from './shared/walk.js';
import type {
	Adapter,
	Batch,
	Discovered,
	FileStamp,
	ResumePlan,
	ResumeRequest,
	Root,
	Source,
	Surroundings,
} from './types.js';

const CONTEXT = 'session_context.json';

const roots = (around: Surroundings): readonly Root[] =>
	agentRoots(around, {standard: join(around.home, '.rovodev')});

const PLACE = /^\s+persistenceDir:[ \t]*(["']?)([^\n#]+?)\1[ \t]*(?:#.*)?$/m;

/** Where sessions are, and where the settings say that they are. */
const foldersOf = (root: string): readonly string[] => {
	const stated = PLACE.exec(settingsText(join(root, 'config.yml')))?.[2] ?? '';
	const path = stated.startsWith('~/') ? join(dirname(root), stated.slice(2)) : stated;
	return [...new Set([join(root, 'sessions'), ...(isAbsolute(path) ? [path] : [])])];
};

const sourceOf = (file: FileStamp): Source => {
	const beside = stampOf(join(dirname(file.path), 'metadata.json'));
	return {
		key: file.path,
		path: file.path,
		files: beside === undefined ? [file] : [file, beside],
		mode: 'replace',
	};
};

function* discover(root: Root): Generator<Discovered> {
	for (const folder of foldersOf(root.path)) {
		const found = yield* findFiles(folder, {
			depth: 2,
			accept: (relative, name) => name === CONTEXT && relative.includes('/'),
		});
		for (const {stamp} of found) yield {source: sourceOf(stamp)};
	}
}

/** The same thing has several names: the message shape is not documented. */
const firstOf = (values: readonly unknown[], names: readonly string[]): unknown =>
	values
		.flatMap(value => names.map(name => at(value, name)))
		.find(found => found !== undefined && found !== null);

const NAMES = ['tool_name', 'toolName', 'name', 'tool'];
const ARGUMENTS = ['arguments', 'args', 'input', 'parameters'];
const CALL_IDS = ['tool_call_id', 'toolCallId', 'tool_use_id', 'toolUseId', 'call_id', 'callId'];

interface Message {
	readonly isReply: boolean;
	readonly isSystem: boolean;
	readonly place: Place;
	readonly names: Map<string, string>;
}

const kindOf = (part: unknown): string =>
	(textOf(firstOf([part], ['part_kind', 'kind', 'type'])) ?? 'text').replaceAll('_', '-');

const itemText = (item: unknown): string => {
	if (typeof item === 'string') return item;
	const text = stringOf(at(item, 'text')) ?? stringOf(at(item, 'content'));
	if (text !== undefined) return text;
	const mediaType = firstOf([item], ['media_type', 'mediaType']);
	if (mediaType === undefined && at(item, 'url') === undefined) return jsonText(item);
	const kind = String(mediaType ?? at(item, 'kind')).startsWith('image') ? 'image' : 'file';
	return mediaText(kind, {url: at(item, 'url'), data: at(item, 'data'), mediaType});
};

const textIn = (part: unknown): string => {
	const content = at(part, 'text') ?? at(part, 'content');
	if (typeof content === 'string') return content;
	return Array.isArray(content) ? content.map(itemText).join('\n') : jsonText(content);
};

type Reader = (part: unknown, message: Message) => Form | undefined;

const words: Reader = (part, {isReply, isSystem, place}) => {
	const text = textIn(part);
	if (text.trim() === '') return undefined;
	if (isSystem) return {kind: 'meta', text};
	return isReply ? replyForm(text, place) : promptForm(text);
};

const thought: Reader = (part, {place}) => {
	const text = textIn(part);
	return text.trim() === '' ? undefined : reasoningForm(text, place);
};

const callIdOf = (part: unknown): string | undefined =>
	textOf(firstOf([part], [...CALL_IDS, 'id']));

const call: Reader = (part, {place, names}) => {
	const name = textOf(firstOf([part], NAMES)) ?? 'unknown';
	const args = argumentsOf(firstOf([part], ARGUMENTS));
	const callId = callIdOf(part);
	return callForm({name, callId, args}, {change: commonChange(name), names, place});
};

const result =
	(isRetry: boolean): Reader =>
	(part, {names}) => {
		const name = textOf(firstOf([part], NAMES));
		const callId = textOf(firstOf([part], CALL_IDS));
		const isError = isRetry || firstOf([part], ['is_error', 'isError']) === true;
		return resultForm(textIn(part), {callId, isError, ...compact({name})}, names);
	};

/** Without a tool it asks the model for another answer. */
const retry: Reader = (part, message) =>
	firstOf([part], NAMES) === undefined
		? {kind: 'meta', text: textIn(part)}
		: result(true)(part, message);

const READERS: Readonly<Record<string, Reader>> = {
	'function-result': result(false),
	'retry-prompt': retry,
	'system-prompt': () => undefined,
	text: words,
	thinking: thought,
	'tool-call': call,
	'tool-result': result(false),
	'tool-return': result(false),
	'tool-use': call,
	'tool-use-result': result(false),
	'user-prompt': words,
};

const isPrompt = (form: Form | undefined): boolean => form?.role === 'user';

/** The words of a prompt belong together, at the place of the first. */
const joinPrompt = (forms: readonly (Form | undefined)[]): readonly (Form | undefined)[] => {
	const prompts = forms.filter(isPrompt);
	if (prompts.length < 2) return forms;
	const text = prompts.map(form => form?.text).join('\n');
	const first = forms.findIndex(isPrompt);
	return forms.map((form, index) => {
		if (!isPrompt(form)) return form;
		return index === first ? promptForm(text) : undefined;
	});
};

const usageOf = (value: unknown, place: Place): Usage | undefined => {
	const usage = at(value, 'usage');
	if (!isRecord(usage)) return undefined;
	const count = (...names: readonly string[]): number => countOf(firstOf([usage], names));
	const [cacheRead, cacheWrite] = [count('cache_read_tokens'), count('cache_write_tokens')];
	const input = count('input_tokens', 'request_tokens') - cacheRead - cacheWrite;
	return compact({
		key: eventKey(place.key),
		input: Math.max(0, input),
		output: count('output_tokens', 'response_tokens'),
		cacheRead,
		cacheWrite,
		model: place.model,
		atMs: place.atMs,
	});
};

const partsOf = (value: unknown): readonly unknown[] => {
	const parts = at(value, 'parts');
	return Array.isArray(parts) ? parts : [{kind: 'text', content: at(value, 'content')}];
};

const timeOf = (value: unknown): number | undefined => {
	const stated = ['created_at', 'timestamp'].map(name => timeMs(at(value, name)));
	const parts = partsOf(value).map(part => timeMs(at(part, 'timestamp')));
	return [...stated, ...parts].find(time => time !== undefined);
};

/** `/clear` and `/prune` move messages to other places: the time says better which one it is. */
const keyOf = (value: unknown, index: number, taken: Set<string>): string => {
	const atMs = timeOf(value);
	const wanted = textOf(at(value, 'id')) ?? (atMs === undefined ? `${index}` : `t${atMs}`);
	const key = taken.has(wanted) ? `${wanted}-${index}` : wanted;
	taken.add(key);
	return key;
};

const TALK = ['message_history', 'messages'] as const;
const IDS = ['session_id', 'sessionId'];
const PARENTS = [
	'parent_session_id',
	'parentSessionId',
	'forked_from_session_id',
	'forkedFromSessionId',
	'fork_parent_id',
];

const factsOf = (context: unknown, metadata: unknown): SessionFacts => {
	const known = [metadata, context];
	const text = (...names: readonly string[]): string | undefined => textOf(firstOf(known, names));
	const parent = text(...PARENTS);
	return compact({
		generatedTitle: text('title'),
		cwd: text('workspace_path', 'workspacePath', 'workspace', 'cwd'),
		branch: text('git_branch', 'branch', 'vcs_branch'),
		model: text('model'),
		parent:
			parent === undefined
				? undefined
				: ({id: parent, relation: 'fork', certainty: 'exact'} as const),
		createdAtMs: timeMs(firstOf(known, ['created_at'])),
		updatedAtMs: timeMs(firstOf(known, ['updated_at'])),
	});
};

const messageEvents = (
	value: unknown,
	message: Message,
	unknown: (kind: string) => void,
): readonly AdapterEvent[] => {
	const forms = partsOf(value).map(part => {
		const kind = kindOf(part);
		const read = entryOf(READERS, kind);
		if (read === undefined) unknown(`part/${oneLine(kind, 80)}`);
		return read?.(part, message);
	});
	return joinPrompt(forms).flatMap((form, block) =>
		form === undefined ? [] : [eventOf(message.place, block, form)],
	);
};

const PROMPT_ROLES: ReadonlySet<unknown> = new Set(['request', 'user']);

function* read(source: Source): Generator<Batch> {
	const context = readDocument(source.path);
	const metadata = readJsonFile(source.files[1]?.path ?? '');
	const ids = firstOf([context, metadata?.value], IDS);
	const batch = createBatch(textOf(ids) ?? basename(dirname(source.path)));
	if (metadata?.problem !== undefined) batch.problem(metadata.problem);
	batch.patch(factsOf(context, metadata?.value));
	const list = TALK.find(name => Array.isArray(context[name])) ?? TALK[0];
	const [taken, names] = [new Set<string>(), new Map<string, string>()];
	for (const [index, value] of listOf(context[list]).entries()) {
		const model = textOf(at(value, 'model_name'));
		const place: Place = {
			key: keyOf(value, index, taken),
			atMs: timeOf(value),
			locator: {path: source.path, pointer: `/${list}/${index}`},
			model,
		};
		const role = at(value, 'role') ?? at(value, 'kind');
		const isReply = role === 'assistant' || role === 'response';
		const message = {isReply, isSystem: !isReply && !PROMPT_ROLES.has(role), place, names};
		if (model !== undefined) batch.patch({model});
		for (const event of messageEvents(value, message, kind => batch.unknown(kind))) {
			batch.event(event);
		}
		const usage = usageOf(value, place);
		if (usage !== undefined) batch.usage(usage);
	}
	yield batch.take(END);
}

const resume = ({id, cwd}: ResumeRequest): ResumePlan =>
	PLAIN_ID.test(id)
		? {argv: ['acli', 'rovodev', 'run', '--restore', id], cwd, env: {}}
		: {reason: `${id} is no session id of Rovo Dev`};

export const rovodev: Adapter = {
	id: 'rovodev',
	label: 'Rovo Dev',
	shortLabel: 'Rovo Dev',
	parserVersion: 1,
	checked: ['2026-08'],
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	foreign: foreignBy({
		idIn: ({id, message_history: history}) => Array.isArray(history) && (id ?? true),
		at: id => `sessions/${id}/session_context.json`,
	}),
	resume,
};
