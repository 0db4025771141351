/** What is known of the tool calls of Gemini CLI and its forks. */

import type {ToolFacts} from '../../model.js';
import {argumentLines, type CallArguments, subjectOf} from '../calls/arguments.js';
import type {Changes} from '../calls/changes.js';
import {compact} from '../compact.js';
import {entryOf, firstText, isRecord, listOf, numberOf, recordOf, stringOf} from '../narrow.js';
import {capPatch, replacementPatch} from '../text-patch.js';

const SHELL = new Set(['run_shell_command', 'shell']);

/** The argument that matters; of several the first that is there. Tools that are not here: their first text. */
const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
	agent: ['description', 'prompt'],
	edit: ['file_path'],
	glob: ['pattern'],
	google_web_search: ['query'],
	grep_search: ['pattern'],
	invoke_agent: ['agent_name', 'prompt'],
	list_directory: ['dir_path', 'path'],
	read_file: ['file_path', 'absolute_path', 'path'],
	replace: ['file_path'],
	run_shell_command: ['command'],
	save_memory: ['fact'],
	search_file_content: ['pattern'],
	skill: ['skill'],
	task: ['description', 'prompt'],
	web_fetch: ['url', 'prompt'],
	web_search: ['query'],
	write_file: ['file_path'],
};

const FILES: Changes = {
	edit: 'edit',
	notebook_edit: 'edit',
	read_file: 'read',
	replace: 'edit',
	write_file: 'write',
};
const PATHS = ['file_path', 'absolute_path', 'notebook_path', 'path'] as const;

/** What an edit is about to replace; its result has the whole diff, but a call that was refused has no result. */
const REPLACED: Readonly<Record<string, (args: CallArguments) => readonly [string, string]>> = {
	edit: args => [stringOf(args['old_string']) ?? '', stringOf(args['new_string']) ?? ''],
	replace: args => [stringOf(args['old_string']) ?? '', stringOf(args['new_string']) ?? ''],
	write_file: args => ['', stringOf(args['content']) ?? ''],
};

/** Facts of a call apart from its name and id. */
export const callFacts = (name: string, args: CallArguments): ToolFacts => {
	const change = entryOf(FILES, name);
	const path = firstText(args, PATHS);
	const replaced = entryOf(REPLACED, name)?.(args);
	return compact({
		subject: subjectOf(args, entryOf(SUBJECTS, name) ?? []),
		files: path === undefined || change === undefined ? undefined : [{path, change}],
		patch:
			path === undefined || replaced === undefined ? undefined : replacementPatch(path, [replaced]),
	});
};

/** A call as text: the command of a shell, else its arguments line by line. */
export const callText = (name: string, args: CallArguments): string => {
	const command = SHELL.has(name) ? stringOf(args['command']) : undefined;
	return command ?? argumentLines(args);
};

/** `Index: …` and a rule stand before the diff, `Current` and `Proposed` behind the names. */
const patchOf = (diff: string | undefined): string | undefined => {
	const start = diff?.search(/^--- /m) ?? -1;
	if (diff === undefined || start === -1) return undefined;
	const heads = /^--- ([^\t\n]*)[^\n]*\n\+\+\+ ([^\t\n]*)[^\n]*/;
	return capPatch(diff.slice(start).replace(heads, '--- $1\n+++ $2').trimEnd());
};

const EXIT_CODE = /^Exit Code: (-?\d{1,10})$/m;

const exitCodeOf = (
	name: string,
	text: string,
	display: Record<string, unknown>,
): number | undefined => {
	if (!SHELL.has(name)) return undefined;
	const stated = EXIT_CODE.exec(text)?.[1];
	return numberOf(display['exitCode']) ?? (stated === undefined ? undefined : Number(stated));
};

export interface Outcome {
	/** What the tool answered, as shown. */
	readonly text: string;
	/** What the terminal showed of it: a text, or an object that depends on the tool. */
	readonly display: unknown;
	readonly isError: boolean;
}

/** Facts of a result apart from its name and id. */
export const resultFacts = (name: string, {text, display, isError}: Outcome): ToolFacts => {
	const shown = recordOf(display);
	const exitCode = exitCodeOf(name, text, shown);
	const hasFailed = isError || (exitCode !== undefined && exitCode !== 0);
	return compact({
		isError: hasFailed ? true : undefined,
		exitCode,
		patch: patchOf(stringOf(shown['fileDiff'])),
	});
};

/** Text of what the terminal showed; for results that hold nothing else. */
export const displayText = (display: unknown): string => {
	if (typeof display === 'string') return display;
	if (Array.isArray(display)) return display.map(terminalLine).join('\n');
	return firstText(display, ['fileDiff', 'text', 'result', 'output', 'summary']) ?? '';
};

/** A line of a terminal's screen is a list of runs with the same look. */
const terminalLine = (runs: unknown): string =>
	listOf(runs)
		.map(run => (isRecord(run) ? (stringOf(run['text']) ?? '') : ''))
		.join('')
		.trimEnd();
