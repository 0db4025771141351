/** Turns of versions 1 to 3: a prompt, steps with their calls and results, and the answer, in one record. */

import {compact} from '../shared/compact.js';
import {capText} from '../shared/content.js';
import {at, isRecord, listOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {artifactText} from './artifacts.js';
import {callForm, eventOf, type Form, isFailure, promptForm, replyForm} from './forms.js';
import type {Line, Reading} from './state.js';

type Fields = Record<string, unknown>;

const resultForm = ({folder}: Reading, result: Fields): Form => {
	const handle = textOf(result['output_handle']);
	const stored = handle === undefined ? undefined : artifactText(folder, handle);
	const text = stringOf(result['output']) ?? stored ?? stringOf(result['preview']) ?? '';
	return {
		kind: 'tool_result',
		...capText(text),
		tool: compact({
			name: textOf(result['tool_name']),
			callId: textOf(result['tool_call_id']),
			isError: isFailure(result['status']) ? true : undefined,
		}),
	};
};

const stepForms = (reading: Reading, step: unknown, messageId: string): readonly Form[] => [
	replyForm(reading, stringOf(at(step, 'assistant')) ?? '', messageId),
	...listOf(at(step, 'tool_calls'))
		.filter(isRecord)
		.map(call => callForm(call, {id: call['id'], name: call['name']})),
	...listOf(at(step, 'tool_results'))
		.filter(isRecord)
		.map(result => resultForm(reading, result)),
];

/** A command that went on in the background ends in a turn that nobody began. */
const userForms = (reading: Reading, turn: Fields): readonly Form[] => {
	if (!isRecord(turn['user'])) return [];
	const isBackground = turn['kind'] === 'background_command';
	return [promptForm(reading, isBackground ? {...turn['user'], work_id: ''} : turn['user'])];
};

const turnForms = (reading: Reading, turn: Fields, key: string): readonly Form[] => {
	if (turn['kind'] === 'compacted_summary') {
		return [{kind: 'summary', ...capText(stringOf(turn['summary']) ?? '')}];
	}
	const steps = listOf(at(turn, 'execution', 'tool_steps'));
	const answer = stringOf(turn['assistant']) ?? stringOf(turn['partial_text']) ?? '';
	const isCut = turn['kind'] === 'interrupted';
	return [
		...userForms(reading, turn),
		...steps.flatMap((step, index) => stepForms(reading, step, `${key}/${index}`)),
		replyForm(reading, answer, `${key}/answer`),
		...(isCut ? [{kind: 'meta' as const, text: 'Interrupted'}] : []),
	];
};

const KINDS: ReadonlySet<unknown> = new Set([
	'assistant',
	'background_command',
	'interrupted',
	'compacted_summary',
	undefined,
]);

/**
 * The events of a turn, and the block behind its last one. A turn has only the time of its end; `promptAtMs` is that of its
 * prompt, where it is known.
 */
export const turnEvents = (
	reading: Reading,
	turn: unknown,
	{
		line,
		block,
		promptAtMs,
	}: {readonly line: Line; readonly block: number; readonly promptAtMs?: number | undefined},
): number => {
	const fields = recordOf(turn);
	if (!KINDS.has(fields['kind'])) reading.batch.unknown(`turn/${stringOf(fields['kind'])}`);
	const forms = turnForms(reading, fields, `${line.key}.${block}`);
	for (const [index, form] of forms.entries()) {
		if (form.text.trim() === '' && form.tool === undefined) continue;
		const isPrompt = form.role === 'user' && promptAtMs !== undefined;
		const place = isPrompt ? {...line, atMs: promptAtMs} : line;
		reading.batch.event(eventOf(place, block + index, form));
	}
	return block + forms.length;
};

/** Tells turns that are repeated when the state is replaced. */
export const signatureOf = (turn: unknown): string =>
	JSON.stringify(
		[at(turn, 'user', 'text'), at(turn, 'assistant'), at(turn, 'summary')].map(
			text => stringOf(text) ?? null,
		),
	);
