/** Results of tool calls: their text without the frame that Codex puts around it, and what the frame says. */

import {booleanOf, isRecord, listOf, numberOf, stringOf, textOf} from '../shared/narrow.js';
import {parseRecord} from './arguments.js';
import {itemText, joinItems} from './content.js';

export interface Output {
	readonly text: string;
	readonly isError?: boolean;
	readonly exitCode?: number;
	readonly durationMs?: number;
	/** Session id of a sub-agent that the call started. */
	readonly agentId?: string;
}

/** `Chunk ID: … / Wall time: 0.0000 seconds / Process exited with code 0 / Original token count: 6 / Output:` (0.171.0). */
const FRAME =
	/^(?:(?:Chunk ID|Wall time|Exit code|Duration|Process exited with code|Process running with session ID|Original token count|Total output lines)\b[^\n]*(?:\n|$))+(?:(?:Final o|O)utput:\n?)?/;
const EXIT_CODE = /^(?:Exit code:|Process exited with code) (-?\d+)/m;
const DURATION = /^(?:Wall time|Duration): ([\d.]+) seconds/m;
const STILL_RUNS = /^Process running with session ID/m;
const OUTPUT_LABEL = /[Oo]utput:\n?$/;

/** Numbers out of a text or a foreign record: only whole ones that fit are worth keeping. */
const wholeNumber = (value: number): number | undefined =>
	Number.isSafeInteger(value) ? value : undefined;

const outcome = (code = Number.NaN, seconds = Number.NaN): Omit<Output, 'text'> => {
	const exitCode = wholeNumber(code);
	const durationMs = wholeNumber(Math.round(seconds * 1000));
	return {
		...(exitCode === undefined ? {} : {exitCode, isError: exitCode !== 0}),
		...(durationMs === undefined ? {} : {durationMs}),
	};
};

/** Results of MCP tools are lists of content items written as JSON. */
const unwrapItems = (text: string): string => {
	if (!text.startsWith('[{"')) return text;
	const items = listOf(parseRecord(`{"items":${text}}`)?.['items']);
	const texts = items.map(itemText);
	return texts.length > 0 && texts.every(part => part !== undefined) ? texts.join('\n') : text;
};

const framedOutput = (text: string): Output => {
	const frame = FRAME.exec(text)?.[0] ?? '';
	const [code, seconds] = [EXIT_CODE, DURATION].map(line => line.exec(frame)?.[1]);
	const isWhole = STILL_RUNS.test(frame) || !OUTPUT_LABEL.test(frame);
	return {
		text: unwrapItems(isWhole ? text : text.slice(frame.length)),
		...outcome(Number(code), Number(seconds)),
	};
};

/** `{"output": "…", "metadata": {"exit_code": 0, "duration_seconds": 0.1}}` (2025), or what `spawn_agent` answers. */
const jsonOutput = (text: string): Output | undefined => {
	if (!text.startsWith('{')) return undefined;
	const value = parseRecord(text);
	const output = stringOf(value?.['output']);
	if (value !== undefined && output !== undefined && isRecord(value['metadata'])) {
		const {exit_code: exitCode, duration_seconds: seconds} = value['metadata'];
		return {text: output, ...outcome(numberOf(exitCode), numberOf(seconds))};
	}
	const agentId = textOf(value?.['agent_id']);
	return agentId === undefined ? undefined : {text, agentId};
};

/** Reads `output` of a call's result in any of its forms. */
export const outputOf = (output: unknown): Output => {
	if (typeof output === 'string') return jsonOutput(output) ?? framedOutput(output);
	if (Array.isArray(output)) return {text: joinItems(output)};
	if (!isRecord(output)) return {text: ''};
	const isSuccess = booleanOf(output['success']);
	const content = output['content'] ?? output['body'];
	const inner = isRecord(content) ? {text: ''} : outputOf(content);
	return isSuccess === undefined || inner.isError !== undefined
		? inner
		: {...inner, isError: !isSuccess};
};
