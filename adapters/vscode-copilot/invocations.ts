/** `toolInvocationSerialized`: a call as the editor shows it. What the model asked for, and got, lies in the metadata of its turn. */

import type {ToolFacts} from '../model.js';
import type {CallArguments} from '../shared/calls/arguments.js';
import {compact} from '../shared/compact.js';
import {base64Bytes, oneLine, placeholder} from '../shared/content.js';
import {argumentsOf, copilotCallFacts, copilotCallText} from '../shared/copilot/calls.js';
import {
	at,
	firstText,
	isRecord,
	JSON_DEPTH_LIMIT,
	listOf,
	numberOf,
	recordOf,
	stringOf,
	textOf,
} from '../shared/narrow.js';

/** A string, or Markdown `{value}`. */
export const labelOf = (value: unknown): string | undefined =>
	textOf(value) ?? textOf(at(value, 'value'));

/** The id without what the editor adds: `call_1__vscode-17…`. */
const callIdOf = (value: unknown): string | undefined =>
	textOf(textOf(value)?.split('__vscode-')[0]);

interface Round {
	readonly response: string | undefined;
	readonly thinking: string | undefined;
	readonly calls: readonly {
		readonly id: string | undefined;
		readonly name: string;
		readonly args: CallArguments;
	}[];
}

/** `result.metadata` of a turn, as Copilot writes it. */
export interface TurnData {
	readonly rounds: readonly Round[];
	readonly results: ReadonlyMap<string, unknown>;
}

const thinkingOf = (value: unknown): string | undefined => {
	const text = at(value, 'text');
	return (
		textOf(text) ??
		textOf(
			listOf(text)
				.flatMap(part => textOf(part) ?? [])
				.join('\n'),
		)
	);
};

export const turnDataOf = (metadata: unknown): TurnData => ({
	rounds: listOf(at(metadata, 'toolCallRounds')).map(round => ({
		response: textOf(at(round, 'response')),
		thinking: thinkingOf(at(round, 'thinking')),
		calls: listOf(at(round, 'toolCalls')).map(call => ({
			id: callIdOf(at(call, 'id')),
			name: textOf(at(call, 'name')) ?? 'unknown',
			args: argumentsOf(at(call, 'arguments')),
		})),
	})),
	results: new Map(
		Object.entries(recordOf(at(metadata, 'toolCallResults'))).map(([id, result]) => [
			callIdOf(id) ?? id,
			result,
		]),
	),
});

/** Texts of a rendered prompt: a tree of nodes with `text` here and there. */
const textsIn = (value: unknown, depth = 0): readonly string[] => {
	if (depth > JSON_DEPTH_LIMIT || typeof value !== 'object' || value === null) return [];
	const own = isRecord(value) ? stringOf(value['text']) : undefined;
	const inner = Object.values(value).flatMap(part => textsIn(part, depth + 1));
	return own === undefined ? inner : [own, ...inner];
};

const binaryOf = (mediaType: unknown, data: unknown): string => {
	const content = textOf(data);
	const type = textOf(mediaType);
	const sizeBytes = content === undefined ? undefined : base64Bytes(content);
	return placeholder(type?.startsWith('image/') ? 'image' : 'file', {mediaType: type, sizeBytes});
};

/** What the model got of a call. */
export const resultText = (result: unknown): string | undefined => {
	const parts = listOf(at(result, 'content')).map(part => {
		const value = at(part, 'value') ?? part;
		return stringOf(value) ?? textsIn(value).join('');
	});
	return textOf(parts.join('\n'));
};

const outputPart = (part: unknown): string => {
	if (at(part, 'base64Data') !== undefined)
		return binaryOf(at(part, 'mimeType'), at(part, 'base64Data'));
	if (at(part, 'isText') === false) return binaryOf(at(part, 'mimeType'), at(part, 'value'));
	return stringOf(at(part, 'value')) ?? '';
};

const detailsText = (details: unknown): string | undefined => {
	const output = at(details, 'output');
	const parts = Array.isArray(output) ? output : output === undefined ? [] : [output];
	return textOf(parts.map(outputPart).join('\n'));
};

const SPECIFIC_OUTPUTS = [['terminalCommandOutput', 'text'], ['output'], ['result']] as const;

const specificText = (specific: unknown): string | undefined =>
	SPECIFIC_OUTPUTS.map(path => textOf(at(specific, ...path))).find(text => text !== undefined);

const commandOf = (specific: unknown): string | undefined =>
	firstText(at(specific, 'commandLine'), ['userEdited', 'toolEdited', 'original']) ??
	textOf(at(specific, 'command'));

/** Arguments, from where they are stated best. */
const argumentsIn = (
	part: Record<string, unknown>,
	stated: CallArguments | undefined,
): CallArguments => {
	const specific = part['toolSpecificData'];
	const input =
		at(part, 'resultDetails', 'input') ?? at(specific, 'rawInput') ?? at(specific, 'input');
	const command = commandOf(specific);
	const [description, prompt] = ['description', 'prompt'].map(name => textOf(at(specific, name)));
	if (stated !== undefined && Object.keys(stated).length > 0) return stated;
	if (input !== undefined) return argumentsOf(input);
	if (command !== undefined) return {command};
	return compact({description, prompt});
};

export interface Invocation {
	readonly name: string;
	readonly callId: string | undefined;
	readonly callText: string;
	readonly callFacts: ToolFacts;
	/** Undefined: nothing came back. */
	readonly result:
		| {readonly text: string; readonly isError: boolean; readonly exitCode?: number}
		| undefined;
}

/** Denied by the user; a bool before 1.104. */
const isDenied = (confirmed: unknown): boolean =>
	confirmed === false || at(confirmed, 'type') === 0;

const outcomeOf = (part: Record<string, unknown>, given: unknown): Invocation['result'] => {
	const specific = part['toolSpecificData'];
	const text =
		resultText(given) ??
		detailsText(part['resultDetails']) ??
		specificText(specific) ??
		labelOf(part['pastTenseMessage']);
	if (text === undefined) return undefined;
	const exitCode = numberOf(at(specific, 'terminalCommandState', 'exitCode'));
	const isError =
		at(part, 'resultDetails', 'isError') === true ||
		(exitCode ?? 0) !== 0 ||
		isDenied(part['isConfirmed']);
	return compact({text, isError, exitCode});
};

export const invocationOf = (part: Record<string, unknown>, turn: TurnData): Invocation => {
	const callId = callIdOf(part['toolCallId']);
	const asked = turn.rounds.flatMap(round => round.calls).find(({id}) => id === callId);
	const name =
		(callId === undefined ? undefined : asked?.name) ?? textOf(part['toolId']) ?? 'unknown';
	const args = argumentsIn(part, callId === undefined ? undefined : asked?.args);
	const message = labelOf(part['invocationMessage']) ?? '';
	const isBare = Object.keys(args).length === 0;
	return {
		name,
		callId,
		callText: isBare ? message : copilotCallText(args),
		callFacts: isBare ? compact({subject: textOf(oneLine(message))}) : copilotCallFacts(name, args),
		result: outcomeOf(part, callId === undefined ? undefined : turn.results.get(callId)),
	};
};
