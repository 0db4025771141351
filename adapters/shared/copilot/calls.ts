/** Tool calls of GitHub Copilot, by the names that the command line and the editor give them. */

import type {ToolFacts} from '../../types.js';
import {argumentLines, type CallArguments, subjectOf} from '../call-arguments.js';
import {compact} from '../compact.js';
import {type FileChange, fileFacts} from '../edit-calls.js';
import {isRecord, stringOf, textOf} from '../narrow.js';

const CHANGES: Readonly<Record<string, FileChange>> = {
	copilot_createFile: 'create',
	copilot_insertEdit: 'edit',
	copilot_multiReplaceString: 'edit',
	copilot_readFile: 'read',
	copilot_replaceString: 'edit',
	create: 'create',
	create_file: 'create',
	edit: 'edit',
	insert_edit_into_file: 'edit',
	multi_replace_string_in_file: 'edit',
	read_file: 'read',
	replace_string_in_file: 'edit',
	str_replace: 'edit',
	view: 'read',
};

/** Arguments that matter, the most telling first. A sub-agent's call has a description, and so have commands. */
const SUBJECTS = 'command pattern query path filePath url urls intent question description prompt';
const SUBJECT_NAMES = SUBJECTS.split(' ');

/** An object, JSON text of one, or the bare text of a tool without a schema. */
export const argumentsOf = (value: unknown): CallArguments => {
	if (isRecord(value)) return value;
	const text = textOf(value);
	if (text === undefined) return {};
	try {
		const parsed: unknown = JSON.parse(text);
		return isRecord(parsed) ? parsed : {input: text};
	} catch {
		return {input: text}; // free text, such as a patch
	}
};

export const callFacts = (name: string, args: CallArguments): ToolFacts => {
	const files = fileFacts(Object.hasOwn(CHANGES, name) ? CHANGES[name] : undefined, args);
	// Of a patch the first file says more than `*** Begin Patch`.
	const subject = args['input'] === undefined ? undefined : files.files?.[0]?.path;
	return compact({subject: subject ?? subjectOf(args, SUBJECT_NAMES), ...files});
};

/** A call as text: the command of a shell, the text of a tool without a schema, else the arguments. */
export const callText = (args: CallArguments): string => {
	const names = Object.keys(args);
	const bare = names.length === 1 && names[0] === 'input' ? stringOf(args['input']) : undefined;
	return stringOf(args['command']) ?? bare ?? argumentLines(args);
};

const EXIT = /completed with exit code (\d{1,3})>\s*$/;

/** A shell command that fails has `success: true`; its exit code ends the output (1.0.102 also states it apart). */
export const exitCodeIn = (output: string): number | undefined => {
	const code = EXIT.exec(output.slice(-200))?.[1];
	return code === undefined ? undefined : Number(code);
};
