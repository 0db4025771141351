/** Tool calls and their results, with what `tool_call_state` adds: an object of the Agent Client Protocol. */

import type {FileTouch, ToolFacts} from '../model.js';
import {type CallArguments, subjectOf} from '../shared/calls/arguments.js';
import type {Changes} from '../shared/calls/changes.js';
import {compact} from '../shared/compact.js';
import {at, entryOf, listOf, numberOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import type {CallState} from './database.js';

/** `kind` of a call in the protocol. */
const CHANGES: Changes = {
	delete: 'delete',
	edit: 'edit',
	move: 'move',
	read: 'read',
};

/** A field of the call, as the last news has it. */
const stateField = (state: CallState | undefined, name: string): unknown =>
	at(state?.update, name) ?? at(state?.call, name);

const filesOf = (state: CallState | undefined): readonly FileTouch[] | undefined => {
	const change = entryOf(CHANGES, stringOf(stateField(state, 'kind')));
	if (change === undefined) return undefined;
	const files = listOf(stateField(state, 'locations')).flatMap(location => {
		const path = textOf(at(location, 'path'));
		return path === undefined ? [] : [{path, change}];
	});
	return files.length === 0 ? undefined : files;
};

export const callFacts = (args: CallArguments, state: CallState | undefined): ToolFacts => {
	const subject = subjectOf(args) ?? textOf(stateField(state, 'title'));
	return compact({subject, files: filesOf(state)});
};

/** Text blocks of the content that the client was shown. */
const shownText = (state: CallState | undefined): string | undefined =>
	textOf(
		listOf(stateField(state, 'content'))
			.flatMap(block => textOf(at(block, 'content', 'text')) ?? textOf(at(block, 'text')) ?? [])
			.join('\n'),
	);

export interface Result {
	readonly text: string;
	readonly facts: ToolFacts;
}

const extensionOf = (message: Record<string, unknown>, name: string): Record<string, unknown> =>
	recordOf(at(message, 'metadata', 'extensions', `chisel/${name}`));

export const resultOf = (
	message: Record<string, unknown>,
	state: CallState | undefined,
): Result => {
	const terminal = extensionOf(message, 'terminal_output');
	const exitCode = numberOf(terminal['exit_code']);
	const hasFailed =
		stateField(state, 'status') === 'failed' || (exitCode !== undefined && exitCode !== 0);
	return {
		text: textOf(message['content']) ?? textOf(terminal['text']) ?? shownText(state) ?? '',
		facts: compact({
			isError: hasFailed || undefined,
			exitCode,
			durationMs: numberOf(extensionOf(message, 'tool_call_timing')['duration_ms']),
		}),
	};
};
