/** Tool calls of GitHub Copilot, by the names that the command line and the editor give them. */

import type {ToolFacts} from '../../model.js';
import type {CallArguments} from '../calls/arguments.js';
import type {Changes} from '../calls/changes.js';
import {callFacts, callText} from '../calls/facts.js';
import {entryOf, isRecord, textOf} from '../narrow.js';

const CHANGES: Changes = {
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
const SUBJECTS = [
	'command',
	'pattern',
	'query',
	'path',
	'filePath',
	'url',
	'urls',
	'intent',
	'question',
	'description',
	'prompt',
] as const;

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

export const copilotCallFacts = (name: string, args: CallArguments): ToolFacts =>
	callFacts(args, entryOf(CHANGES, name), SUBJECTS);

/** A call as text: the text of a tool without a schema as it is. */
export const copilotCallText = (args: CallArguments): string => {
	const {input, ...others} = args;
	const isBare = typeof input === 'string' && Object.keys(others).length === 0;
	return isBare ? input : callText(args);
};

const EXIT = /completed with exit code (\d{1,3})>\s*$/;

/** A shell command that fails has `success: true`; its exit code ends the output (1.0.102 also states it apart). */
export const exitCodeIn = (output: string): number | undefined => {
	const code = EXIT.exec(output.slice(-200))?.[1];
	return code === undefined ? undefined : Number(code);
};
