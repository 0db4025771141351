/** Tool calls and their results, in either generation of the agent. */

import type {ToolFacts} from '../model.js';
import {SOUGHT_FIRST} from '../shared/calls/arguments.js';
import {commonChange} from '../shared/calls/changes.js';
import {callFacts, callText} from '../shared/calls/facts.js';
import {compact} from '../shared/compact.js';
import {numberOf, recordOf, textOf} from '../shared/narrow.js';
import {recall} from '../shared/pairs.js';
import {contentText, type Json} from './content.js';
import {type Progress, remember} from './progress.js';

export interface Call {
	readonly name: string;
	readonly callId: string | undefined;
	readonly args: Json;
}

/** Text and facts of a call; its name is remembered for the result. */
export const readCall = (
	progress: Progress,
	{name, callId, args}: Call,
): {readonly text: string; readonly tool: ToolFacts} => {
	if (callId !== undefined && recall(progress.calls, callId) !== name) {
		remember(progress, 'calls', [callId, name]);
	}
	const facts = callFacts(args, commonChange(name), SOUGHT_FIRST);
	return {text: callText(args), tool: compact({name, callId, ...facts})};
};

/** `output` is a text or parts, in the result or (in a public sample) beside it. */
export const readResult = (
	progress: Progress,
	callId: string | undefined,
	event: Json,
): {readonly text: string; readonly tool: ToolFacts} => {
	const result = recordOf(event['result']);
	const known = callId === undefined ? undefined : recall(progress.calls, callId);
	const isError = result['isError'] === true || result['is_error'] === true;
	return {
		text: contentText(result['output'] ?? event['output']),
		tool: compact({
			name: known ?? textOf(event['name']) ?? textOf(event['toolName']),
			callId,
			isError: isError || undefined,
			durationMs: numberOf(result['durationMs']),
			agentId: callId === undefined ? undefined : recall(progress.agents, callId),
		}),
	};
};
