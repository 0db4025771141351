/** Tool calls and their results. Names are those of Cline 3 and its forks, of both ages. */

import type {ToolFacts} from '../../model.js';
import type {CallArguments} from '../calls/arguments.js';
import type {Changes} from '../calls/changes.js';
import {callFacts, callText} from '../calls/facts.js';
import {compact} from '../compact.js';
import {jsonText, oneLine, placeholder} from '../content.js';
import {at, entryOf, isRecord, listOf, recordOf, stringOf, textOf} from '../narrow.js';
import {searchReplacePatch} from '../search-replace.js';
import {spokenIn} from './prompts.js';

const CHANGES: Changes = {
	read_file: 'read',
	read_files: 'read',
	write_to_file: 'write',
	new_file: 'create',
	replace_in_file: 'edit',
	apply_diff: 'edit',
	edit_file: 'edit',
	insert_content: 'edit',
	search_and_replace: 'edit',
	editor: 'edit',
};

/** Tools by which the model speaks to the person, and the argument that holds its words. */
const WORDS: Readonly<Record<string, string>> = {
	attempt_completion: 'result',
	plan_mode_respond: 'response',
	ask_followup_question: 'question',
};

const REFUSAL = /^\s*The user denied this operation/;
const EXIT_CODE = /^\[Command exited with code (\d{1,9})\]/;

/** Several commands in a list are one text. */
const plainArguments = (input: unknown): CallArguments => {
	const args = recordOf(input);
	const commands = listOf(args['commands']).filter(item => typeof item === 'string');
	if (commands.length === 0) return args;
	const {commands: _, ...others} = args;
	return {command: commands.join('\n'), ...others};
};

/** Paths of calls that name several files. */
const pathsIn = (args: CallArguments): readonly string[] =>
	['files', 'paths', 'file_paths']
		.flatMap(name => listOf(args[name]))
		.flatMap(item => textOf(item) ?? textOf(at(item, 'path')) ?? []);

export interface Call {
	readonly text: string;
	readonly tool: ToolFacts;
	/** What the model says to the person with it. */
	readonly words: string | undefined;
}

export const callOf = (block: Record<string, unknown>): Call => {
	const name = textOf(block['name']) ?? 'unknown';
	const args = plainArguments(block['input']);
	const change = entryOf(CHANGES, name);
	const facts = callFacts(args, change);
	const paths = pathsIn(args);
	const [path, diff] = [textOf(args['path']), textOf(args['diff'])];
	const isEdit = path !== undefined && diff !== undefined;
	// The mode of a new task comes first, and says little.
	const task = name === 'new_task' ? textOf(args['message']) : undefined;
	const isPatch = facts.patch !== undefined && path === undefined;
	const field = entryOf(WORDS, name);
	const words = field === undefined ? undefined : textOf(args[field]);
	return {
		text: callText(args),
		tool: {
			...facts,
			...compact({
				name,
				callId: textOf(block['id']),
				subject: isPatch
					? facts.files?.[0]?.path
					: task === undefined
						? (facts.subject ?? paths[0])
						: oneLine(task),
				files:
					facts.files ??
					(change === undefined || paths.length === 0
						? undefined
						: paths.map(file => ({path: file, change}))),
				patch: facts.patch ?? (isEdit ? searchReplacePatch(path, diff) : undefined),
			}),
		},
		words,
	};
};

/** Items are content blocks, or what a built-in tool gives for each of its queries. */
const itemText = (item: unknown): string => {
	const {type, text, result, error, query} = recordOf(item);
	if (type === 'image') {
		return placeholder('image', {mediaType: textOf(at(item, 'source', 'media_type'))});
	}
	if (typeof text === 'string') return text;
	if (result !== undefined) {
		const given = typeof result === 'string' ? result : jsonText(result);
		return given === '' ? (stringOf(error) ?? '') : given;
	}
	return stringOf(error) ?? (query === undefined ? jsonText(item) : '');
};

const outputText = (content: unknown): string => {
	if (typeof content === 'string') return content;
	if (isRecord(content)) return itemText(content);
	return listOf(content).map(itemText).join('\n');
};

export interface Result {
	readonly text: string;
	readonly tool: ToolFacts;
	/** What a person answered, or said when refusing. */
	readonly spoken: string | undefined;
}

export const resultOf = (
	block: Record<string, unknown>,
	names: ReadonlyMap<string, string>,
): Result => {
	const callId = textOf(block['tool_use_id']);
	const name = textOf(block['name']) ?? names.get(callId ?? '');
	const {content} = block;
	const text = outputText(content);
	const hasFailed =
		block['is_error'] === true || listOf(content).some(item => at(item, 'success') === false);
	const code = EXIT_CODE.exec(text)?.[1];
	const isAnswer = entryOf(WORDS, name) !== undefined || REFUSAL.test(text);
	return {
		text,
		tool: compact({
			name,
			callId,
			isError: hasFailed ? true : undefined,
			exitCode: code === undefined ? undefined : Number(code),
		}),
		spoken: isAnswer ? spokenIn(text) : undefined,
	};
};
