/** A document of the older store: `history` is a list of exchanges. */

import {type AdapterEvent, eventKey, type Locator, type SessionFacts} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {capText, jsonText} from '../shared/content.js';
import {at, isRecord, listOf, numberOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {isSlashCommand} from '../shared/slash-command.js';
import {timeMs} from '../shared/time.js';
import {type Batch, type Source, SourceUnreadable} from '../types.js';
import {loadConversation, type Place, placeOf, type Stored} from './database.js';
import {callOf, imageText, resultOf} from './tools.js';

const SUMMARY = 'latest_summary';

type Form = Pick<AdapterEvent, 'kind' | 'text'> & Partial<AdapterEvent>;

/** Where an exchange stands, and what was called before it. */
interface Exchange {
	readonly index: number;
	readonly table: Place['table'];
	readonly user: unknown;
	readonly assistant: unknown;
	readonly metadata: unknown;
	readonly names: Map<string, string>;
}

const promptForm = (user: unknown, prompt: unknown): readonly Form[] => {
	const images = listOf(at(user, 'images')).map(imageText);
	const text = [stringOf(prompt) ?? '', ...images].filter(part => part !== '').join('\n');
	if (text.trim() === '') return [];
	const input = isSlashCommand(text) ? ({input: 'command'} as const) : {};
	return [{kind: 'message', role: 'user', text, ...input}];
};

const resultForms = (content: unknown, names: Exchange['names']): readonly Form[] =>
	listOf(at(content, 'tool_use_results')).map(result => {
		const callId = textOf(at(result, 'tool_use_id'));
		const name = names.get(callId ?? '');
		const stored = {callId, name, content: at(result, 'content'), status: at(result, 'status')};
		return {kind: 'tool_result', ...resultOf(stored)};
	});

/** Files and hooks that were put before the prompt. */
const contextForms = (user: unknown): readonly Form[] => {
	const text = textOf(at(user, 'additional_context'));
	return text === undefined ? [] : [{kind: 'meta', text}];
};

const userForms = ({user, names}: Exchange, report: (kind: string) => void): readonly Form[] => {
	const content = recordOf(at(user, 'content'));
	const {Prompt: prompt, ToolUseResults: results, CancelledToolUses: cancelled} = content;
	if (Object.keys(content).length > 0 && !(prompt || results || cancelled)) {
		report(`user/${Object.keys(content)[0]?.slice(0, 80)}`);
	}
	return [
		...contextForms(user),
		...resultForms(results, names),
		...resultForms(cancelled, names).map(form => ({...form, tool: {...form.tool, isError: true}})),
		...promptForm(user, at(prompt, 'prompt') ?? at(cancelled, 'prompt')),
	];
};

const assistantForms = (
	{assistant, names}: Exchange,
	messageId: string,
	report: (kind: string) => void,
): readonly Form[] => {
	if (!isRecord(assistant)) return [];
	const body = assistant['Response'] ?? assistant['ToolUse'];
	if (body === undefined) {
		report(`assistant/${Object.keys(assistant)[0]?.slice(0, 80)}`);
		return [];
	}
	const text = stringOf(at(body, 'content')) ?? '';
	const calls = listOf(at(body, 'tool_uses')).map((use): Form => {
		const name = textOf(at(use, 'name')) ?? textOf(at(use, 'orig_name')) ?? 'unknown';
		const callId = textOf(at(use, 'id'));
		if (callId !== undefined) names.set(callId, name);
		return {kind: 'tool_use', ...callOf(name, callId, at(use, 'args')), messageId};
	});
	return [{kind: 'message', role: 'assistant', text, messageId}, ...calls];
};

const toEvents = (
	forms: readonly Form[],
	shared: {readonly key: string; readonly locator: Locator; readonly atMs: number | undefined},
): readonly AdapterEvent[] =>
	forms.flatMap((form, place) =>
		form.tool === undefined && form.text.trim() === ''
			? []
			: [
					{
						...form,
						...capText(form.text),
						...compact({...shared, key: eventKey(shared.key, place)}),
					},
				],
	);

const userTime = ({user}: Exchange): number | undefined => timeMs(at(user, 'timestamp'));

const assistantTime = ({assistant, metadata}: Exchange): number | undefined =>
	timeMs(at(metadata, 'stream_end_timestamp_ms')) ?? timeMs(at(assistant, 'timestamp'));

const exchangeEvents = (
	exchange: Exchange,
	lastMs: number | undefined,
	report: (kind: string) => void,
): readonly AdapterEvent[] => {
	const {index, table} = exchange;
	const locator = {table, row: index};
	const startMs = userTime(exchange) ?? lastMs;
	const [asked, said] = [`u${index}`, `a${index}`];
	return [
		...toEvents(userForms(exchange, report), {key: asked, locator, atMs: startMs}),
		...toEvents(assistantForms(exchange, said, report), {
			key: said,
			locator,
			atMs: assistantTime(exchange) ?? startMs,
		}),
	];
};

const factsOf = ({document, createdAt, updatedAt}: Stored, place: Place): SessionFacts =>
	compact({
		cwd: textOf(place.directory),
		model: textOf(document['model']) ?? textOf(at(document, 'model_info', 'model_id')),
		createdAtMs: timeMs(createdAt),
		updatedAtMs: timeMs(updatedAt),
	});

/** What a compaction left stands before the exchanges that the model still gets. */
const summaryOf = (
	document: Record<string, unknown>,
	table: Place['table'],
): {readonly before: number; readonly event: AdapterEvent} | undefined => {
	const text = textOf(at(document, SUMMARY, 0)) ?? textOf(document[SUMMARY]);
	if (text === undefined) return undefined;
	return {
		before: numberOf(at(document, 'valid_history_range', 0)) ?? 0,
		event: {kind: 'summary', key: 'summary', locator: {table, row: SUMMARY}, ...capText(text)},
	};
};

export function* readConversation(source: Source): Generator<Batch> {
	const stored = loadConversation(source);
	const place = placeOf(source);
	const {document} = stored;
	// The old table has one conversation a directory, and its id may be missing.
	const id = source.sessionId ?? textOf(document['conversation_id']);
	const batch = createBatch(id ?? `${place.table}:${place.directory}`);
	batch.patch(factsOf(stored, place));
	const summary = summaryOf(document, place.table);
	const names = new Map<string, string>();
	let last: number | undefined;
	for (const [index, entry] of listOf(document['history']).entries()) {
		if (batch.isFull()) yield batch.take(END);
		if (summary?.before === index) batch.event(summary.event);
		const {user, assistant, request_metadata: metadata} = recordOf(entry);
		const exchange = {index, table: place.table, user, assistant, metadata, names};
		const events = exchangeEvents(exchange, last, kind => batch.unknown(kind));
		for (const event of events) batch.event(event);
		last = events.at(-1)?.atMs ?? last;
	}
	if (summary !== undefined && summary.before >= listOf(document['history']).length) {
		batch.event(summary.event);
	}
	yield batch.take(END);
}

/** One exchange of the document. */
export const rawExchange = (source: Source, row: string | number): string | undefined => {
	try {
		const {document} = loadConversation(source);
		const part = row === SUMMARY ? document[SUMMARY] : at(document, 'history', row);
		return part === undefined ? undefined : jsonText(part);
	} catch (error) {
		if (error instanceof SourceUnreadable) return undefined;
		throw error;
	}
};
