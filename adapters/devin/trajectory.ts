/** `transcripts/<session id>.json`: a trajectory that some builds export. Read only where the database has no messages of the session. */

import {type AdapterEvent, eventKey} from '../model.js';
import {type BatchBuilder, createBatch, END} from '../shared/batch.js';
import {argumentLines} from '../shared/calls/arguments.js';
import {compact} from '../shared/compact.js';
import {capText, jsonText} from '../shared/content.js';
import {readJsonFile} from '../shared/json-file.js';
import {
	at,
	countOf,
	entryOf,
	listOf,
	numberOf,
	recordOf,
	stringOf,
	textOf,
} from '../shared/narrow.js';
import {timeMs} from '../shared/time.js';
import type {Batch, Source} from '../types.js';
import {callFacts} from './tools.js';

interface Step {
	readonly step: unknown;
	readonly key: string;
	readonly pointer: string;
	readonly path: string;
	readonly batch: BatchBuilder;
	readonly hasPrompt: boolean;
}

const emit = (
	{step, key, pointer, path, batch}: Step,
	{block, text}: {block: number; text: string},
	fields: Pick<AdapterEvent, 'kind' | 'role' | 'model' | 'tool'>,
): void =>
	batch.event(
		compact({
			key: eventKey(key, block),
			...fields,
			atMs: timeMs(at(step, 'timestamp')),
			...capText(text),
			locator: {path, pointer},
		}),
	);

/** A text, or blocks of which the texts are taken. */
const textIn = (value: unknown): string | undefined =>
	textOf(value) ??
	textOf(
		listOf(value)
			.flatMap(part => textOf(at(part, 'text')) ?? [])
			.join('\n'),
	);

const agentStep = (of: Step): void => {
	const {step} = of;
	const model = textOf(at(step, 'model_name'));
	const shared = model === undefined ? {} : {model};
	const reasoning = textOf(at(step, 'reasoning_content'));
	const text = textIn(at(step, 'message'));
	if (reasoning !== undefined) {
		emit(of, {block: 1, text: reasoning}, {kind: 'reasoning', ...shared});
	}
	if (text !== undefined)
		emit(of, {block: 0, text}, {kind: 'message', role: 'assistant', ...shared});
	const calls = listOf(at(step, 'tool_calls'));
	for (const [index, call] of calls.entries()) {
		const args = recordOf(at(call, 'arguments'));
		const [name, callId] = ['function_name', 'tool_call_id'].map(field => textOf(at(call, field)));
		emit(
			of,
			{block: 2 + index, text: stringOf(args['command']) ?? argumentLines(args)},
			{kind: 'tool_use', ...shared, tool: compact({name, callId, ...callFacts(args, undefined)})},
		);
	}
	for (const [index, result] of listOf(at(step, 'observation', 'results')).entries()) {
		const content = at(result, 'content');
		const callId = textOf(at(result, 'source_call_id'));
		emit(
			of,
			{block: 2 + calls.length + index, text: textIn(content) ?? jsonText(content ?? '')},
			{kind: 'tool_result', tool: compact({callId})},
		);
	}
	noteUsage(of, model);
};

/** `prompt_tokens` holds the cached ones as well. */
const noteUsage = ({step, key, batch}: Step, model: string | undefined): void => {
	const metrics = recordOf(at(step, 'metrics'));
	const count = (name: string): number => countOf(metrics[name]);
	const cacheRead = count('cached_tokens');
	const [prompt, output] = [count('prompt_tokens'), count('completion_tokens')];
	if (prompt + output === 0) return;
	batch.usage(
		compact({
			key: eventKey(key),
			input: Math.max(0, prompt - cacheRead),
			output,
			cacheRead,
			cacheWrite: 0,
			costUsd: numberOf(metrics['cost_usd']),
			model,
		}),
	);
};

const SOURCES: Readonly<Record<string, (of: Step) => void>> = {
	agent: agentStep,
	system(of) {
		const text = textIn(at(of.step, 'message'));
		// Before the first prompt it is the system prompt.
		if (text !== undefined && of.hasPrompt) emit(of, {block: 0, text}, {kind: 'meta'});
	},
	user(of) {
		const text = textIn(at(of.step, 'message'));
		if (text !== undefined) emit(of, {block: 0, text}, {kind: 'message', role: 'user'});
	},
};

export function* readTrajectory({path, sessionId = ''}: Source): Generator<Batch> {
	const document = readJsonFile(path);
	if (document === undefined) return;
	const batch = createBatch(sessionId);
	if (document.problem !== undefined) batch.problem(document.problem);
	const steps = listOf(at(document.value, 'steps'));
	let hasPrompt = false;
	for (const [index, step] of steps.entries()) {
		const source = stringOf(at(step, 'source')) ?? 'none';
		const read = entryOf(SOURCES, source);
		if (read === undefined) batch.unknown(`step/${source.slice(0, 80)}`);
		read?.({step, key: `s${index + 1}`, pointer: `/steps/${index}`, path, batch, hasPrompt});
		hasPrompt ||= source === 'user';
	}
	const [createdAtMs, updatedAtMs] = ['created_at', 'updated_at'].map(name =>
		timeMs(at(document.value, name)),
	);
	batch.patch(
		compact({model: textOf(at(document.value, 'agent', 'model_name')), createdAtMs, updatedAtMs}),
	);
	yield batch.take(END);
}
