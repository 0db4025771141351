/** Records of version 4: one step each. */

import type {AdapterEvent} from '../model.js';
import {compact} from '../shared/compact.js';
import {capText, jsonText, oneLine} from '../shared/content.js';
import {
	at,
	entryOf,
	isRecord,
	listOf,
	numberOf,
	recordOf,
	stringOf,
	textOf,
} from '../shared/narrow.js';
import {artifactText} from './artifacts.js';
import {
	callForm,
	eventOf,
	type Form,
	isFailure,
	promptForm,
	replyForm,
	touchesOf,
} from './forms.js';
import type {Line, Reading} from './state.js';

type Fields = Record<string, unknown>;
/** A form and its block in the record. */
type Placed = readonly [block: number, form: Form];
type Handler = (reading: Reading, fields: Fields, line: Line) => readonly Placed[];

const MAX_LATE = 50;

const parse = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return undefined; // opaque to fx too: what the service sent
	}
};

const thoughtOf = (part: unknown): string => {
	const type = stringOf(at(part, 'type')) ?? '';
	if (type !== 'reasoning' && type !== 'thinking') return '';
	const summary = listOf(at(part, 'summary')).map(item => stringOf(at(item, 'text')) ?? '');
	return textOf(at(part, 'text')) ?? textOf(at(part, 'thinking')) ?? summary.join('\n');
};

/** Thoughts are only in what the service wants back; the text stands in the record itself. */
const assistant: Handler = (reading, fields, line) => {
	const replay = recordOf(fields['provider_replay']);
	const {state} = reading;
	state.model = textOf(at(replay, 'source', 'model')) ?? state.model;
	const model = state.model ?? undefined;
	const thoughts = listOf(parse(stringOf(replay['parts_json']) ?? '')).map(thoughtOf);
	const reasoning = thoughts.map((text, index): Placed => {
		const shared = compact({messageId: line.key, model});
		return [index + 1, {kind: 'reasoning', ...capText(text), ...shared}];
	});
	return [...reasoning, [0, replyForm(reading, stringOf(fields['text']) ?? '', line.key)]];
};

const toolCall: Handler = (_, fields) => [
	[0, callForm(fields, {id: fields['call_id'], name: fields['tool_name']})],
];

/** The preview, when the output is not there: its true length is known. */
const previewOf = (fields: Fields): Pick<AdapterEvent, 'text' | 'fullLength'> => {
	const text = stringOf(fields['preview']) ?? '';
	const length = numberOf(fields['output_bytes']) ?? 0;
	return length > Buffer.byteLength(text) ? {...capText(text), fullLength: length} : capText(text);
};

const toolResult: Handler = ({folder, state}, fields, line) => {
	const artifact = textOf(fields['artifact_ref']);
	const output = artifact === undefined ? undefined : artifactText(folder, artifact);
	const exitCode = numberOf(at(fields, 'command_process_presentation', 'exit_code'));
	const form: Form = {
		kind: 'tool_result',
		...(output === undefined ? previewOf(fields) : capText(output)),
		tool: compact({
			name: textOf(fields['tool_name']),
			callId: textOf(fields['call_id']),
			isError: isFailure(fields['status']) ? true : undefined,
			exitCode: Number.isSafeInteger(exitCode) ? exitCode : undefined,
		}),
	};
	if (artifact !== undefined && output === undefined) {
		state.late = [...state.late.slice(-MAX_LATE + 1), {event: eventOf(line, 0, form), artifact}];
	}
	return [[0, form]];
};

const turnCompleted: Handler = (_, {files, turn_summary: summary}) => {
	const touches = touchesOf(files);
	const stated = typeof summary === 'string' ? summary : isRecord(summary) ? jsonText(summary) : '';
	const lines = touches.map(({path, change}) => `${change} ${path}`);
	const text = [stated, ...lines].filter(part => part !== '').join('\n');
	return [[0, {kind: 'meta', text, ...(touches.length === 0 ? {} : {tool: {files: touches}})}]];
};

const interrupted: Handler = (reading, fields, line) => {
	const reason = textOf(fields['reason']);
	const about = reason === undefined ? 'Interrupted' : `Interrupted (${oneLine(reason)})`;
	return [
		[0, replyForm(reading, stringOf(fields['partial_text']) ?? '', line.key)],
		[1, {kind: 'meta', text: about}],
	];
};

const HANDLERS: Readonly<Record<string, Handler>> = {
	user: (reading, fields) => [[0, promptForm(reading, fields)]],
	steering: (reading, fields) => [[0, promptForm(reading, fields)]],
	assistant,
	tool_call: toolCall,
	tool_result: toolResult,
	turn_completed: turnCompleted,
	interrupted,
	context_checkpoint: (_, fields) => [
		[0, {kind: 'summary', ...capText(stringOf(fields['summary']) ?? '')}],
	],
};

/** `{"event": {"<kind>": {…}}}` */
export const stepEvents = (reading: Reading, event: Fields, line: Line): void => {
	for (const [kind, fields] of Object.entries(event)) {
		const handler = entryOf(HANDLERS, kind);
		if (handler === undefined) reading.batch.unknown(kind.slice(0, 80));
		for (const [block, form] of handler?.(reading, recordOf(fields), line) ?? []) {
			const isEmpty = form.text.trim() === '' && form.tool === undefined;
			if (!isEmpty) reading.batch.event(eventOf(line, block, form));
		}
	}
};

/** Looks once more for outputs that were not there when their record was read. */
export const retryLate = ({folder, state, batch}: Reading): void => {
	const still = [];
	for (const late of state.late) {
		const output = artifactText(folder, late.artifact);
		if (output === undefined) still.push(late);
		else {
			const {fullLength: _, ...event} = late.event;
			batch.event({...event, ...capText(output)});
		}
	}
	state.late = still;
};
