/** Tool calls and their results: the field number says which tool it is. */

import type {CallArguments} from '../shared/calls/arguments.js';
import {bytesOf, protoAt, protoFields, textAt} from '../shared/protobuf.js';
import {structOf} from './struct.js';

interface Tool {
	readonly name: string;
	/** Arguments by field number; of those that repeat all count. */
	readonly texts?: Readonly<Record<number, string>>;
	/** Where inner messages hold the text, its number there. */
	readonly inner?: number;
}

const CALLS: Readonly<Record<number, Tool>> = {
	2: {name: 'run_shell_command', texts: {1: 'command'}},
	3: {name: 'search_codebase', texts: {1: 'query'}},
	4: {name: 'server'},
	5: {name: 'read_files', texts: {1: 'path'}, inner: 1},
	6: {name: 'apply_file_diffs'},
	7: {name: 'suggest_plan'},
	8: {name: 'suggest_create_plan'},
	9: {name: 'grep', texts: {1: 'pattern', 2: 'path'}},
	11: {name: 'read_mcp_resource'},
	13: {name: 'write_to_long_running_shell_command'},
	15: {name: 'file_glob', texts: {1: 'pattern', 2: 'path'}},
	19: {name: 'subagent'},
	20: {name: 'read_documents'},
	21: {name: 'edit_documents'},
	22: {name: 'create_documents'},
	23: {name: 'read_shell_command_output'},
	24: {name: 'use_computer'},
	26: {name: 'read_skill'},
	28: {name: 'fetch_conversation'},
	29: {name: 'start_agent'},
	30: {name: 'send_message_to_agent'},
};
const CALL_ID = 1;
const MCP_CALL = 12;
/** Fields of a result that are no outcome: the call's id and the context. */
const RESULT_EXTRAS: ReadonlySet<number> = new Set([CALL_ID, 11]);

export interface WireCall {
	readonly callId: string | undefined;
	readonly name: string;
	readonly args: CallArguments;
}

/** Numbers are checked on few stores: what does not look like text is none. */
const readable = (bytes: Uint8Array | undefined): string | undefined => {
	const text = bytes === undefined ? '' : Buffer.from(bytes).toString('utf8');
	return text === '' || /[\0-\x08\x0e-\x1f\ufffd]/.test(text) ? undefined : text;
};

const argumentsIn = (body: Uint8Array, {texts = {}, inner}: Tool): CallArguments => {
	const fields = protoFields(body);
	const found = Object.entries(texts).map(([number, name]) => {
		const values = bytesOf(fields, Number(number)).flatMap(bytes => {
			return readable(inner === undefined ? bytes : protoAt(bytes, inner)) ?? [];
		});
		return [name, values.length > 1 ? values : values[0]] as const;
	});
	return Object.fromEntries(found.filter(([, value]) => value !== undefined));
};

/** The first field that is neither of `extras`: number and content. */
const armOf = (bytes: Uint8Array, extras: ReadonlySet<number>) => {
	const arm = protoFields(bytes)?.find(
		({number, value}) => !extras.has(number) && typeof value !== 'number',
	);
	return arm === undefined || typeof arm.value === 'number'
		? undefined
		: {number: arm.number, body: arm.value};
};

export const callOf = (bytes: Uint8Array): WireCall => {
	const callId = readable(protoAt(bytes, CALL_ID));
	const arm = armOf(bytes, new Set([CALL_ID]));
	if (arm === undefined) return {callId, name: 'unknown', args: {}};
	const {number, body} = arm;
	if (number === MCP_CALL) {
		const args = structOf(protoAt(body, 2) ?? new Uint8Array());
		return {callId, name: readable(protoAt(body, 1)) ?? 'call_mcp_tool', args};
	}
	const tool = CALLS[number] ?? {name: `tool ${number}`};
	return {callId, name: tool.name, args: argumentsIn(body, tool)};
};

export interface WireResult {
	readonly callId: string | undefined;
	readonly text: string;
	readonly isError: boolean;
}

type Outcome = Pick<WireResult, 'text' | 'isError'>;

const good = (text: string | undefined): Outcome => ({text: text ?? '', isError: false});

/** A command's output stands alone, or in the arm of how it went. */
const commandOutcome = (body: Uint8Array): Outcome => {
	const arms = [4, 5, 6].map(number => textAt(body, number, 1));
	return good(arms.find(text => text !== undefined) ?? textAt(body, 1));
};

const mcpOutcome = (body: Uint8Array): Outcome => {
	const error = textAt(body, 2, 1);
	if (error !== undefined) return {text: error, isError: true};
	const results = bytesOf(protoFields(protoAt(body, 1) ?? new Uint8Array()), 1);
	const texts = results.flatMap(
		result => readable(protoAt(result, 1, 1) ?? protoAt(result, 1)) ?? [],
	);
	return good(texts.join('\n'));
};

const OUTCOMES: Readonly<Record<number, (body: Uint8Array) => Outcome>> = {
	2: commandOutcome,
	4: body => good(textAt(body, 1)),
	14: () => good('cancelled'),
	16: mcpOutcome,
	23: body => good(textAt(body, 1)),
};

const otherOutcome = (body: Uint8Array): Outcome => good(readable(protoAt(body, 2, 1)));

export const resultOf = (bytes: Uint8Array): WireResult => {
	const callId = readable(protoAt(bytes, CALL_ID));
	const arm = armOf(bytes, RESULT_EXTRAS);
	if (arm === undefined) return {callId, ...good(undefined)};
	return {callId, ...(OUTCOMES[arm.number] ?? otherOutcome)(arm.body)};
};
