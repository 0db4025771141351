/** `toolFormerData` of a bubble: call and result in one record. */

import type {ToolFacts} from '../model.js';
import {argumentLines, type CallArguments} from '../shared/calls/arguments.js';
import {compact} from '../shared/compact.js';
import {jsonText} from '../shared/content.js';
import {
	at,
	firstText,
	isRecord,
	listOf,
	numberOf,
	recordOf,
	stringOf,
	textOf,
} from '../shared/narrow.js';
import {parseRecord} from '../shared/records.js';
import {capPatch} from '../shared/text-patch.js';
import {callFacts, callText, resultFacts} from './tools.js';

export interface BubbleTool {
	readonly text: string;
	readonly facts: ToolFacts;
	readonly result?: {readonly text: string; readonly facts: ToolFacts};
}

type Data = Record<string, unknown>;

/** JSON text of an object, or the object itself. */
const objectIn = (value: unknown): Record<string, unknown> | undefined => {
	if (isRecord(value)) return value;
	const text = textOf(value);
	return text === undefined ? undefined : parseRecord(text);
};

/** Names for what a result says, by tool. */
const OUTPUTS = ['contents', 'output', 'rejected', 'error'] as const;

const outputText = (value: unknown): string | undefined => {
	const result = objectIn(value);
	if (result === undefined) return textOf(value);
	const stated = firstText(result, OUTPUTS);
	const text = stated ?? textOf(diffText(result));
	return text ?? (Object.keys(result).length === 0 ? undefined : argumentLines(result));
};

/** `{"clientVisibleErrorMessage": …}`, as an object, its text, or plain words. */
const errorText = (value: unknown): string | undefined => {
	const error = objectIn(value);
	const names = ['clientVisibleErrorMessage', 'modelVisibleErrorMessage', 'message', 'error'];
	const stated = firstText(error, names);
	if (stated !== undefined) return stated;
	return error === undefined ? textOf(value) : jsonText(error);
};

const diffText = (result: Data | undefined): string =>
	listOf(at(result, 'diff', 'chunks'))
		.flatMap(chunk => textOf(at(chunk, 'diffString')) ?? [])
		.map(hunk => (hunk.startsWith('@@') ? hunk : `@@\n${hunk}`))
		.join('\n');

const patchOf = (result: Data | undefined, {files}: ToolFacts): string | undefined => {
	const diff = diffText(result);
	const path = files?.[0]?.path;
	return diff === '' || path === undefined
		? undefined
		: capPatch([`--- ${path}`, `+++ ${path}`, diff].join('\n'));
};

/** The tool did not run to its end. */
const FAILED = new Set(['error', 'cancelled', 'rejected']);

interface Outcome {
	readonly text: string;
	readonly isError: boolean | undefined;
}

/** Undefined while there is none: the tool still runs. Older bubbles have the output as their text. */
const outcomeOf = (data: Data, bubbleText: string | undefined): Outcome | undefined => {
	const status = textOf(at(data, 'additionalData', 'status')) ?? textOf(data['status']) ?? '';
	const word = data['userDecision'] === 'rejected' ? 'rejected' : status;
	const hasFailed = FAILED.has(word) || data['status'] === 'error';
	const text =
		outputText(data['result']) ??
		errorText(data['error']) ??
		bubbleText ??
		(hasFailed ? word : undefined);
	if (text === undefined && data['status'] !== 'completed') return undefined;
	return {text: text ?? '', isError: hasFailed || undefined};
};

const resultOf = (
	data: Data,
	shared: ToolFacts,
	{call, bubbleText}: {call: ToolFacts; bubbleText: string | undefined},
): BubbleTool['result'] => {
	const outcome = outcomeOf(data, bubbleText);
	if (outcome === undefined) return undefined;
	const result = objectIn(data['result']);
	const exitCode = numberOf(result?.['exitCodeV2']) ?? numberOf(result?.['exitCode']);
	const hasFailed = outcome.isError ?? (exitCode === undefined ? undefined : exitCode !== 0);
	const facts = resultFacts(outcome.text, hasFailed);
	return {
		text: outcome.text,
		facts: compact({
			...shared,
			...facts,
			exitCode: exitCode ?? facts.exitCode,
			patch: patchOf(result, call),
		}),
	};
};

/** What the model asked for; `params` is what the editor made of it. */
const argumentsOf = (data: Data): {readonly asked: CallArguments; readonly all: CallArguments} => {
	const [raw, params] = [objectIn(data['rawArgs']) ?? {}, objectIn(data['params']) ?? {}];
	const asked = Object.keys(raw).length > 0 ? raw : params;
	return {asked, all: {...params, ...raw}};
};

export const toolOf = (bubble: Readonly<Record<string, unknown>>): BubbleTool | undefined => {
	const data = recordOf(bubble['toolFormerData']);
	if (Object.keys(data).length === 0) return undefined;
	const name = textOf(data['name']) ?? `tool ${String(data['tool'] ?? '')}`.trim();
	const shared = compact({name, callId: stringOf(data['toolCallId'])});
	const {asked, all} = argumentsOf(data);
	const call = callFacts(name, all);
	const result = resultOf(data, shared, {call, bubbleText: textOf(bubble['text'])});
	return compact({text: callText(asked), facts: {...shared, ...call}, result});
};
