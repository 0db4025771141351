/** Tool calls: what is shown of them, and the argument that matters. */

import type {ToolFacts} from '../model.js';
import {patchFacts} from '../shared/apply-patch.js';
import {base64Bytes, oneLine, placeholder} from '../shared/content.js';
import {at, listOf, stringOf, textOf} from '../shared/narrow.js';
import {type CallInput, callInput, commandLine} from './arguments.js';
import {emit, modelField} from './emit.js';
import {outputOf} from './outputs.js';
import {type Line, type LineHandler, pushBounded, type Reading} from './state.js';

const MAX_OPEN_CALLS = 200;

/** Text of a call, and its facts beside name and id. */
interface Shown {
	readonly text: string;
	readonly facts?: Pick<ToolFacts, 'subject' | 'files' | 'patch'>;
}

type Describe = (input: CallInput) => Shown;

/** Arguments that say what a call is about, in the order in which they are looked for. */
const SUBJECT_ARGUMENTS: readonly string[] = [
	'command',
	'cmd',
	'file_path',
	'path',
	'dir_path',
	'pattern',
	'query',
	'url',
	'uri',
	'task',
	'message',
	'prompt',
	'name',
	'target',
	'id',
];

const withSubject = (text: string, subject: string | undefined): Shown =>
	subject === undefined ? {text} : {text, facts: {subject: oneLine(subject)}};

const plainCall: Describe = ({args, text}) => {
	const subject = SUBJECT_ARGUMENTS.map(name => textOf(args[name])).find(Boolean);
	return withSubject(text, subject);
};

const patchCall = (text: string, subject?: string): Shown => {
	const patch = patchFacts(text);
	if (patch === undefined) return withSubject(text, subject);
	const {files, diff} = patch;
	const names = files.map(({path}) => path).join(', ');
	return {text, facts: {subject: oneLine(subject ?? names), files, patch: diff}};
};

const shellCall: Describe = ({args, text}) => {
	const line = commandLine(args['command'] ?? args['cmd']);
	if (line === '') return {text};
	return line.includes('apply_patch') ? patchCall(line) : withSubject(line, line);
};

const PLAN_MARKS: ReadonlyMap<string, string> = new Map([
	['completed', 'x'],
	['in_progress', '>'],
]);

const planCall: Describe = ({args, text}) => {
	const steps = listOf(args['plan']).map(step => ({
		name: stringOf(at(step, 'step')) ?? '',
		status: stringOf(at(step, 'status')) ?? '',
	}));
	if (steps.length === 0) return {text};
	const lines = steps.map(({name, status}) => `[${PLAN_MARKS.get(status) ?? ' '}] ${name}`);
	const explanation = textOf(args['explanation']);
	const current = steps.find(({status}) => status === 'in_progress') ?? steps.at(-1);
	return withSubject([explanation, ...lines].filter(Boolean).join('\n'), current?.name);
};

const imageView: Describe = ({args, text}) => {
	const path = textOf(args['path']);
	if (path === undefined) return {text};
	return {text, facts: {subject: oneLine(path), files: [{path, change: 'read'}]}};
};

const DESCRIBED: ReadonlyMap<string, Describe> = new Map([
	['shell', shellCall],
	['shell_command', shellCall],
	['exec_command', shellCall],
	['container.exec', shellCall],
	['local_shell', shellCall],
	['apply_patch', ({args, text}) => patchCall(stringOf(args['input']) ?? text)],
	['update_plan', planCall],
	['view_image', imageView],
]);

/** Tools of MCP servers are known by both names; the namespaces of Codex's own tools say nothing (`multi_agent_v1`). */
const toolName = (payload: Record<string, unknown>): string => {
	const name = stringOf(payload['name']) ?? '';
	const namespace = stringOf(payload['namespace']) ?? '';
	return namespace.startsWith('mcp__') ? `${namespace.replace(/_+$/, '')}__${name}` : name;
};

interface Call {
	readonly name: string;
	readonly callId: string;
	readonly shown: Shown;
}

const emitCall = (reading: Reading, line: Line, {name, callId, shown}: Call): void => {
	const tool = {name, callId, ...shown.facts};
	emit(reading, line, {kind: 'tool_use', text: shown.text, tool, ...modelField(reading)});
};

/** Calls that get a result line of their own are remembered until it comes. */
const emitOpenCall = (reading: Reading, line: Line, call: Call): void => {
	const {state} = reading;
	state.openCalls = pushBounded(state.openCalls, [call.callId, call.name], MAX_OPEN_CALLS);
	emitCall(reading, line, call);
};

const callIdOf = (line: Line): string =>
	textOf(line.payload['call_id']) ?? textOf(line.payload['id']) ?? line.key;

const namedCall =
	(argument: string): LineHandler =>
	(reading, line) => {
		const name = toolName(line.payload);
		const shown = (DESCRIBED.get(name) ?? plainCall)(callInput(line.payload[argument]));
		emitOpenCall(reading, line, {name, callId: callIdOf(line), shown});
	};

const localShell: LineHandler = (reading, line) => {
	const command = commandLine(at(line.payload, 'action', 'command'));
	const shown = withSubject(command, command);
	emitOpenCall(reading, line, {name: 'local_shell', callId: callIdOf(line), shown});
};

/** `{"type": "search", "query"}`, `open_page` with `url`, `find_in_page` with `url` and `pattern`. */
const webSearch: LineHandler = (reading, line) => {
	const queries = listOf(at(line.payload, 'action', 'queries'));
	const parts = ['query', 'url', 'pattern'].map(name => at(line.payload, 'action', name));
	const stated = parts.map(textOf).filter(part => part !== undefined);
	const text = (stated.length > 0 ? stated : queries.map(textOf).filter(Boolean)).join('\n');
	const shown = withSubject(text, text === '' ? undefined : text);
	emitCall(reading, line, {name: 'web_search', callId: callIdOf(line), shown});
};

const toolSearch: LineHandler = (reading, line) => {
	const shown = plainCall(callInput(line.payload['arguments']));
	emitOpenCall(reading, line, {name: 'tool_search', callId: callIdOf(line), shown});
};

const imageGeneration: LineHandler = (reading, line) => {
	const prompt = textOf(line.payload['revised_prompt']);
	const result = textOf(line.payload['result']);
	const image = result === undefined ? undefined : generatedImage(result);
	const text = [prompt, image].filter(Boolean).join('\n');
	const shown = withSubject(text, prompt);
	emitCall(reading, line, {name: 'image_generation', callId: callIdOf(line), shown});
};

const generatedImage = (base64: string): string =>
	placeholder('image', {mediaType: 'image/png', sizeBytes: base64Bytes(base64)});

const closeCall = ({state}: Reading, callId: string): string | undefined => {
	const name = state.openCalls.find(([id]) => id === callId)?.[1];
	if (name !== undefined) state.openCalls = state.openCalls.filter(([id]) => id !== callId);
	return name;
};

const emitResult = (reading: Reading, line: Line, output: ReturnType<typeof outputOf>): void => {
	const {text, ...facts} = output;
	const callId = callIdOf(line);
	const name = closeCall(reading, callId);
	const tool = {...(name === undefined ? {} : {name}), callId, ...facts};
	emit(reading, line, {kind: 'tool_result', text, tool});
};

const callOutput: LineHandler = (reading, line) =>
	emitResult(reading, line, outputOf(line.payload['output']));

/** The definitions that were found are no part of the talk, their names are. */
const toolSearchOutput: LineHandler = (reading, line) => {
	const names = listOf(line.payload['tools']).map(tool => textOf(at(tool, 'name')));
	emitResult(reading, line, {text: names.filter(Boolean).join('\n')});
};

export const TOOL_ITEMS: readonly (readonly [type: string, handler: LineHandler])[] = [
	['function_call', namedCall('arguments')],
	['function_call_output', callOutput],
	['custom_tool_call', namedCall('input')],
	['custom_tool_call_output', callOutput],
	['local_shell_call', localShell],
	['web_search_call', webSearch],
	['tool_search_call', toolSearch],
	['tool_search_output', toolSearchOutput],
	['image_generation_call', imageGeneration],
];
