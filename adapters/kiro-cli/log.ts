/** The store of newer versions: a log for each session, `<id>.jsonl`, and `<id>.json` beside it. Lines have no times of their own. */

import {basename} from 'node:path';
import {type AdapterEvent, eventKey, type SessionFacts} from '../model.js';
import {type BatchBuilder, createBatch} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {capText} from '../shared/content.js';
import {readJsonFile} from '../shared/json-file.js';
import {readJsonLines} from '../shared/jsonl.js';
import {at, entryOf, listOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {isSlashCommand} from '../shared/slash-command.js';
import {timeMs} from '../shared/time.js';
import type {Batch, Cursor, Source} from '../types.js';
import {callOf, imageText, resultOf} from './tools.js';

/** Names of the tools whose results are still to come, by call id: `Cursor.state`. */
type Pending = Record<string, string>;

const pendingOf = (state: unknown): Pending =>
	Object.fromEntries(
		Object.entries(recordOf(at(state, 'pending'))).flatMap(([id, name]) =>
			typeof name === 'string' ? [[id, name]] : [],
		),
	);

interface Line {
	readonly kind: string;
	readonly data: unknown;
	readonly key: string;
	readonly locator: AdapterEvent['locator'];
}

type Form = Pick<AdapterEvent, 'kind' | 'text'> & Partial<AdapterEvent>;

const eventOf = (line: Line, place: number, form: Form): AdapterEvent => ({
	...form,
	...capText(form.text),
	...compact({
		key: eventKey(line.key, place),
		atMs: timeMs(at(line.data, 'timestamp') ?? at(line.data, 'meta', 'timestamp')),
		locator: line.locator,
	}),
});

const blocksOf = ({data}: Line): readonly Record<string, unknown>[] => {
	const content = at(data, 'content');
	return typeof content === 'string'
		? [{kind: 'text', data: content}]
		: listOf(content).map(recordOf);
};

const IMAGES: ReadonlySet<unknown> = new Set(['image', 'Image']);

/** Texts and images of a prompt are one message. */
const promptEvents = (line: Line, report: (kind: string) => void): readonly AdapterEvent[] => {
	const texts = blocksOf(line).flatMap(({kind, data}) => {
		if (kind === 'text') return stringOf(data) ?? [];
		if (IMAGES.has(kind)) return imageText(data);
		report(`block/${String(kind).slice(0, 80)}`);
		return [];
	});
	const text = texts.join('\n');
	if (text.trim() === '') return [];
	const input = isSlashCommand(text) ? ({input: 'command'} as const) : {};
	return [eventOf(line, 0, {kind: 'message', role: 'user', text, ...input})];
};

const replyForm = (
	{kind, data}: Record<string, unknown>,
	messageId: string,
	pending: Pending,
): Form | undefined => {
	if (kind === 'text') {
		return {kind: 'message', role: 'assistant', text: stringOf(data) ?? '', messageId};
	}
	if (kind === 'thinking' || kind === 'reasoning') {
		return {kind: 'reasoning', text: stringOf(data) ?? stringOf(at(data, 'text')) ?? ''};
	}
	if (kind !== 'toolUse') return undefined;
	const callId = textOf(at(data, 'toolUseId'));
	const name = textOf(at(data, 'name')) ?? 'unknown';
	if (callId !== undefined) pending[callId] = name;
	return {kind: 'tool_use', ...callOf(name, callId, at(data, 'input')), messageId};
};

const resultForm = ({kind, data}: Record<string, unknown>, pending: Pending): Form | undefined => {
	if (kind !== 'toolResult') return undefined;
	const callId = textOf(at(data, 'toolUseId'));
	const name = entryOf(pending, callId);
	if (callId !== undefined) delete pending[callId];
	const result = resultOf({
		callId,
		name,
		content: at(data, 'content'),
		status: at(data, 'status'),
	});
	return {kind: 'tool_result', ...result};
};

const eventsOf = (
	line: Line,
	pending: Pending,
	report: (kind: string) => void,
): readonly AdapterEvent[] => {
	const {kind} = line;
	if (kind === 'Prompt') return promptEvents(line, report);
	if (kind !== 'AssistantMessage' && kind !== 'ToolResults') {
		report(kind.slice(0, 80));
		return [];
	}
	return blocksOf(line).flatMap((block, place) => {
		const form =
			kind === 'ToolResults'
				? resultForm(block, pending)
				: replyForm(block, eventKey(line.key), pending);
		if (form === undefined) {
			report(`block/${String(block['kind']).slice(0, 80)}`);
			return [];
		}
		return form.tool === undefined && form.text.trim() === '' ? [] : [eventOf(line, place, form)];
	});
};

/** What stands beside the log. Its times are those of the session, since lines have none. */
const companionOf = (source: Source): {readonly id: string; readonly facts: SessionFacts} => {
	const document = readJsonFile(source.path.replace(/\.jsonl$/, '.json'))?.value;
	return {
		id: textOf(at(document, 'session_id')) ?? basename(source.path, '.jsonl'),
		facts: compact({
			cwd: textOf(at(document, 'cwd')),
			generatedTitle: textOf(at(document, 'title')),
			createdAtMs: timeMs(at(document, 'created_at')),
			updatedAtMs: timeMs(at(document, 'updated_at')),
		}),
	};
};

export function* readLog(source: Source, from?: Cursor): Generator<Batch> {
	const {id, facts} = companionOf(source);
	const batch: BatchBuilder = createBatch(id);
	batch.patch(facts);
	const pending = pendingOf(from?.state);
	let position = {offset: from?.offset ?? 0, lineNumber: from?.lineNumber ?? 0};
	const cursor = (): Cursor => ({...position, state: {pending: {...pending}}});
	const lines = readJsonLines(source.path, position);
	for (;;) {
		const step = lines.next();
		if (step.done === true) {
			position = step.value;
			break;
		}
		const {record, problem, number, offset, length} = step.value;
		if (batch.isFull()) {
			position = {offset, lineNumber: number - 1};
			yield batch.take(cursor());
		}
		if (problem !== undefined) {
			batch.problem(problem);
			continue;
		}
		const {kind, data} = record;
		const line = {
			kind: stringOf(kind) ?? 'none',
			data,
			key: `L${number}`,
			locator: {offset, length},
		};
		for (const event of eventsOf(line, pending, name => batch.unknown(name))) batch.event(event);
	}
	yield batch.take(cursor());
}
