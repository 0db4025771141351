/** Results of tool calls, with what the agent keeps of them beside the text. */

import {closeSync, constants, fstatSync, openSync, readSync} from 'node:fs';
import {join} from 'node:path';
import type {AdapterEvent, FileTouch, ToolFacts} from '../model.js';
import {compact} from '../shared/compact.js';
import {isRecord, listOf, numberOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {recall} from '../shared/pairs.js';
import {eventOf} from '../shared/record-events.js';
import {partText, readable} from './parts.js';
import {structuredPatch} from './patch.js';
import {type Block, blocksOf, type Row} from './row.js';
import {agentIdOf} from './sidecars.js';

/** As much of an oversized output as is searched. */
const OUTPUT_BYTES = 262_144;

const PERSISTED = '<persisted-output>';
const OUTPUT_NAME = /[/\\]tool-results[/\\]([^/\\\r\n]+\.(?:txt|json|md|log))/;

const contentText = (content: unknown): string => {
	if (isRecord(content)) return readable(content);
	return (blocksOf(content) ?? [])
		.map(block => partText(block) ?? readable(block.block))
		.join('\n');
};

/** Standard output and error of the richer copy, for results without a text of their own. */
const streams = (result: Record<string, unknown>): string =>
	['stdout', 'stderr'].flatMap(name => textOf(result[name]) ?? []).join('\n');

interface Output {
	readonly text: string;
	readonly fullLength?: number;
}

/** The beginning of a file that is no link; undefined if it is not there. */
const readOutput = (path: string): Output | undefined => {
	let file: number | undefined;
	try {
		file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		const {size} = fstatSync(file);
		const bytes = Buffer.alloc(Math.min(size, OUTPUT_BYTES));
		const text = bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0));
		// Of a cut file only the bytes are counted; a halved last character goes.
		return size <= OUTPUT_BYTES ? {text} : {text: text.replace(/\uFFFD$/, ''), fullLength: size};
	} catch {
		return undefined; // the caller reports the missing part
	} finally {
		if (file !== undefined) closeSync(file);
	}
};

/** The whole of an output that the agent moved to `tool-results/`, as far as it is there: the record has only its beginning. */
const outputOf = (row: Row, text: string): Output => {
	if (!text.trimStart().startsWith(PERSISTED)) return {text};
	const name = OUTPUT_NAME.exec(text)?.[1];
	if (name === undefined) return {text};
	const {outputFolder, batch} = row.context;
	const output = readOutput(join(outputFolder, name));
	if (output === undefined) {
		batch.problem({code: 'missing-part', where: row.id, detail: `tool-results/${name}`});
	}
	return output ?? {text};
};

const exitCodeOf = (text: string, result: Record<string, unknown>): number | undefined => {
	const stated = /^(?:Error: )?Exit code (\d{1,10})\b/.exec(text)?.[1];
	return numberOf(result['exitCode']) ?? (stated === undefined ? undefined : Number(stated));
};

const filesOf = (
	path: string | undefined,
	result: Record<string, unknown>,
): FileTouch | undefined => {
	if (path === undefined) return undefined;
	if (result['type'] === 'create') return {path, change: 'create'};
	return listOf(result['structuredPatch']).length > 0 ? {path, change: 'edit'} : undefined;
};

const factsOf = (
	{context}: Row,
	block: Record<string, unknown>,
	{result, text}: {result: Record<string, unknown>; text: string},
): ToolFacts => {
	const callId = stringOf(block['tool_use_id']);
	const path = textOf(result['filePath']);
	const touched = filesOf(path, result);
	return compact({
		name: callId === undefined ? undefined : recall(context.progress.calls, callId),
		callId,
		isError: block['is_error'] === true ? true : undefined,
		files: touched === undefined ? undefined : [touched],
		exitCode: exitCodeOf(text, result),
		durationMs: numberOf(result['durationMs']) ?? numberOf(result['totalDurationMs']),
		patch: path === undefined ? undefined : structuredPatch(path, result['structuredPatch']),
		agentId:
			agentIdOf(result['agentId']) ??
			(callId === undefined ? undefined : recall(context.progress.agents, callId)),
	});
};

/** `toolUseResult` is the richer copy: an object, or a text that says no more than the block does. */
export const resultEvent = (
	row: Row,
	{block, place}: Block,
	toolUseResult?: unknown,
): AdapterEvent => {
	const result = recordOf(toolUseResult);
	const stated = contentText(block['content']);
	const output = outputOf(row, stated === '' ? streams(result) : stated);
	const event = eventOf(
		row,
		{block: place, text: output.text},
		{kind: 'tool_result', tool: factsOf(row, block, {result, text: stated})},
	);
	return output.fullLength === undefined ? event : {...event, fullLength: output.fullLength};
};
