/** One message of a log or a document of Gemini CLI, without what is not shown: images and files as placeholders, long texts cut. */

import type {Locator} from '../../model.js';
import {capText} from '../content.js';
import {isRecord, listOf, recordOf, stringOf, textOf} from '../narrow.js';
import {timeMs} from '../time.js';
import {type Capped, cappedOutput, type Placed, piecesOf, responseText, textsOf} from './parts.js';
import {callFacts, callText, displayText, resultFacts} from './tools.js';
import {type TokenCounts, tokenCounts} from './usage.js';

export interface LoggedResult {
	readonly output: Capped;
	readonly facts: ReturnType<typeof resultFacts>;
	readonly atMs: number | undefined;
	/** Only where it came with another message than the call. */
	readonly locator?: Locator;
}

export interface LoggedCall {
	readonly id: string | undefined;
	readonly name: string;
	readonly text: Capped;
	readonly facts: ReturnType<typeof callFacts>;
	readonly result: LoggedResult | undefined;
}

/** A message in its fullest version, at the place and with the time of its first one. */
export interface LoggedMessage {
	readonly id: string;
	readonly type: string;
	readonly atMs: number | undefined;
	readonly pieces: readonly Placed[];
	/** What the terminal shows in place of the content: a prompt as it was typed, without the files it names. */
	readonly shown: string | undefined;
	readonly thoughts: Capped;
	readonly calls: readonly LoggedCall[];
	readonly tokens: TokenCounts | undefined;
	readonly model: string | undefined;
	readonly locator: Locator;
	/** Put into the list by a compression: the summary, and the answer that the program gives to it. */
	readonly made: 'summary' | 'acknowledgement' | undefined;
	readonly isUndone: boolean;
}

export type Json = Record<string, unknown>;

export const NOT_SPOKEN: ReadonlySet<string> = new Set(['info', 'error', 'warning']);

const resultText = ({result, resultDisplay}: Json): string => {
	if (typeof result === 'string') return result;
	const answers = listOf(result).map(part => recordOf(recordOf(part)['functionResponse']));
	const texts = answers.map(({response}) => responseText(response)).filter(text => text !== '');
	return texts.length > 0 ? texts.join('\n') : displayText(resultDisplay);
};

const hasResult = ({result, resultDisplay}: Json): boolean =>
	typeof result === 'string' || listOf(result).length > 0 || textOf(resultDisplay) !== undefined;

const resultOf = (call: Json, name: string): LoggedResult | undefined => {
	if (!hasResult(call)) return undefined;
	const output = cappedOutput(resultText(call));
	const isError =
		call['status'] === 'error' ||
		listOf(call['result']).some(part => {
			const response = recordOf(recordOf(recordOf(part)['functionResponse'])['response']);
			return response['output'] === undefined && typeof response['error'] === 'string';
		});
	const facts = resultFacts(name, {text: output.text, display: call['resultDisplay'], isError});
	return {output, facts, atMs: timeMs(call['timestamp'])};
};

const callOf = (value: unknown): LoggedCall => {
	const call = recordOf(value);
	const name = textOf(call['name']) ?? 'unknown';
	const args = recordOf(call['args']);
	const agentId = textOf(call['agentId']);
	return {
		id: textOf(call['id']),
		name,
		text: capText(callText(name, args)),
		facts: {...callFacts(name, args), ...(agentId === undefined ? {} : {agentId})},
		result: resultOf(call, name),
	};
};

const thoughtText = (value: unknown): string => {
	const {subject, description} = recordOf(value);
	return [textOf(subject), textOf(description)].filter(Boolean).join(': ');
};

const thoughtsOf = (message: Json, pieces: readonly Placed[]): Capped => {
	const stated = listOf(message['thoughts']).map(thoughtText).filter(Boolean);
	return stated.length > 0
		? capText(stated.join('\n\n'))
		: textsOf(pieces, {kind: 'thought', glue: '\n\n'});
};

const tokensOf = (value: unknown): TokenCounts | undefined => {
	if (!isRecord(value)) return undefined;
	const {input, output, cached, thoughts, total} = value;
	return tokenCounts({input, output, cached, thoughts, total});
};

export const messageOf = (message: Json, id: string, locator: Locator): LoggedMessage => {
	const pieces = piecesOf(message['content']);
	const shown = textsOf(piecesOf(message['displayContent'])).text;
	return {
		id,
		type: stringOf(message['type']) ?? 'none',
		atMs: timeMs(message['timestamp']),
		pieces,
		shown: shown === '' ? undefined : shown,
		thoughts: thoughtsOf(message, pieces),
		calls: listOf(message['toolCalls']).map(callOf),
		tokens: tokensOf(message['tokens']),
		model: textOf(message['model']),
		locator,
		made: undefined,
		isUndone: false,
	};
};
