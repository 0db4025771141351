/** Tool calls: announced, refined, answered. */

import type {AdapterEvent, FileTouch, ToolFacts} from '../model.js';
import type {CallArguments} from '../shared/calls/arguments.js';
import type {Changes, FileChange} from '../shared/calls/changes.js';
import {callFacts, callText} from '../shared/calls/facts.js';
import {compact} from '../shared/compact.js';
import {capText} from '../shared/content.js';
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
import {replacementPatch} from '../shared/text-patch.js';
import {pieceOf} from './runs.js';
import {callOf, type Line, type Reading, rememberCall} from './state.js';

/** Kinds of tools, as the protocol names them. */
const CHANGES: Changes = {read: 'read', edit: 'edit', delete: 'delete', move: 'move'};
const WRITERS: Changes = {write: 'write', write_file: 'write', create_file: 'create'};
const ENDS: ReadonlySet<unknown> = new Set(['completed', 'failed']);

/** The refined arguments name their variant, which says nothing more than the tool's name. */
const argumentsOf = (update: Record<string, unknown>): CallArguments => {
	const {variant: _, ...args} = recordOf(update['rawInput']);
	return args;
};

const changeBy = (name: string, kind: unknown): FileChange | undefined =>
	entryOf(WRITERS, name) ?? entryOf(CHANGES, stringOf(kind));

const locationsOf = (
	update: Record<string, unknown>,
	change: FileChange | undefined,
): readonly FileTouch[] => {
	const paths = listOf(update['locations']).map(location => textOf(at(location, 'path')));
	return change === undefined
		? []
		: paths.filter(path => path !== undefined).map(path => ({path, change}));
};

/** Diffs among the content. */
const patchOf = (update: Record<string, unknown>): string | undefined => {
	const patches = listOf(update['content']).map(item => {
		const path = textOf(at(item, 'path'));
		if (path === undefined || at(item, 'type') !== 'diff') return undefined;
		const [before, after] = ['oldText', 'newText'].map(field => stringOf(at(item, field)) ?? '');
		return replacementPatch(path, [[before ?? '', after ?? '']]);
	});
	const found = patches.filter(patch => patch !== undefined);
	return found.length === 0 ? undefined : found.join('\n');
};

const callEvent = (line: Line, before: AdapterEvent | undefined): AdapterEvent => {
	const {update, meta} = line;
	const stated = recordOf(meta['x.ai/tool']);
	const name = textOf(stated['name']) ?? before?.tool?.name ?? textOf(update['title']) ?? 'unknown';
	const change = changeBy(name, stated['kind'] ?? update['kind']);
	const hasArguments = isRecord(update['rawInput']) || before === undefined;
	const args = argumentsOf(update);
	const facts: ToolFacts = hasArguments ? callFacts(args, change) : (before.tool ?? {});
	const files = facts.files ?? locationsOf(update, change);
	const {key, atMs, locator} = before ?? line;
	const text = hasArguments
		? capText(callText(args))
		: compact({text: before.text, fullLength: before.fullLength});
	return {
		...compact({key, atMs, locator}),
		kind: 'tool_use',
		...text,
		tool: {
			...facts,
			...compact({
				name,
				callId: textOf(update['toolCallId']),
				files: files.length === 0 ? undefined : files,
				patch: patchOf(update) ?? facts.patch,
			}),
		},
	};
};

/** Where the text lies in `rawOutput`: it depends on the tool. */
const OUTPUT_PATHS: readonly (readonly string[])[] = [
	['content', 'content'],
	['Content', 'content'],
	['pre_formatted'],
	['output', 'OkayOutput'],
	['TodosUpdated', 'summary_for_prompt'],
	['output'],
	['stdout'],
	['text'],
	['content'],
	['message'],
];

const outputText = (output: unknown): string => {
	if (typeof output === 'string') return output;
	const inner = at(output, stringOf(at(output, 'type')) ?? '');
	const texts = [output, inner].flatMap(value =>
		OUTPUT_PATHS.map(path => textOf(at(value, ...path))),
	);
	return texts.find(text => text !== undefined) ?? '';
};

const resultText = (update: Record<string, unknown>): string => {
	const texts = listOf(update['content'])
		.filter(item => at(item, 'type') === 'content')
		.map(item => pieceOf(at(item, 'content')).text);
	const text = texts.filter(part => part !== '').join('\n');
	return text === '' ? outputText(update['rawOutput']) : text;
};

const emitResult = (reading: Reading, line: Line, callId: string, block: number): void => {
	const {update, atMs, locator} = line;
	const call = callOf(reading.state, callId);
	const key = call?.resultKey ?? (block === 0 ? line.key : `${line.key}.${block}`);
	const exitCode = numberOf(at(update, 'rawOutput', 'exit_code'));
	reading.batch.event({
		...compact({key, atMs, locator}),
		kind: 'tool_result',
		...capText(resultText(update)),
		tool: compact({
			name: call?.name ?? undefined,
			callId,
			isError: update['status'] === 'failed' ? true : undefined,
			exitCode: Number.isSafeInteger(exitCode) ? exitCode : undefined,
			patch: patchOf(update),
		}),
	});
	rememberCall(reading.state, callId, {name: call?.name ?? null, event: null, resultKey: key});
};

const emitCall = (reading: Reading, line: Line, callId: string): void => {
	const before = callOf(reading.state, callId)?.event ?? undefined;
	const event = callEvent(line, before);
	reading.batch.event(event);
	rememberCall(reading.state, callId, {name: event.tool?.name ?? null, event, resultKey: null});
};

export const toolCall = (reading: Reading, line: Line): void => {
	const callId = textOf(line.update['toolCallId']) ?? line.key;
	emitCall(reading, line, callId);
	if (ENDS.has(line.update['status'])) emitResult(reading, line, callId, 1);
};

/** Without an end status it refines the call; the call of a fork or of a torn line may be unknown. */
export const toolCallUpdate = (reading: Reading, line: Line): void => {
	const callId = textOf(line.update['toolCallId']);
	if (callId === undefined) return;
	if (ENDS.has(line.update['status'])) emitResult(reading, line, callId, 0);
	else if ((callOf(reading.state, callId)?.resultKey ?? null) === null)
		emitCall(reading, line, callId);
};
