/** What is known of a tool call from its input. */

import type {ToolFacts} from '../model.js';
import type {FileChange} from '../shared/calls/changes.js';
import {compact} from '../shared/compact.js';
import {oneLine} from '../shared/content.js';
import {entryOf, listOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {readable} from './parts.js';
import {callPatch} from './patch.js';

type Input = Record<string, unknown>;

/** The argument that matters; of several the first that is there. Tools that are not here: their first text. */
const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
	Agent: ['description', 'prompt'],
	Bash: ['command'],
	BashOutput: ['bash_id', 'shell_id'],
	Edit: ['file_path'],
	Glob: ['pattern'],
	Grep: ['pattern'],
	KillShell: ['shell_id', 'bash_id'],
	LS: ['path'],
	MultiEdit: ['file_path'],
	NotebookEdit: ['notebook_path'],
	NotebookRead: ['notebook_path'],
	Read: ['file_path'],
	Skill: ['skill', 'command'],
	Task: ['description', 'prompt'],
	TaskCreate: ['subject'],
	WebFetch: ['url'],
	WebSearch: ['query'],
	Write: ['file_path'],
};

const FILES: Readonly<Record<string, readonly [field: string, change: FileChange]>> = {
	Edit: ['file_path', 'edit'],
	MultiEdit: ['file_path', 'edit'],
	NotebookEdit: ['notebook_path', 'edit'],
	NotebookRead: ['notebook_path', 'read'],
	Read: ['file_path', 'read'],
	Write: ['file_path', 'write'],
};

const todoCounts = (todos: readonly unknown[]): string => {
	const done = todos.filter(todo => recordOf(todo)['status'] === 'completed').length;
	return `${done} of ${todos.length} done`;
};

const subjectOf = (name: string, input: Input): string | undefined => {
	if (name === 'TodoWrite') return todoCounts(listOf(input['todos']));
	const fields = entryOf(SUBJECTS, name) ?? Object.keys(input);
	const text = fields.flatMap(field => textOf(input[field]) ?? []).at(0);
	return text === undefined ? undefined : oneLine(text);
};

/** Tool facts apart from name and call id. */
export const callFacts = (name: string, input: Input): ToolFacts => {
	const [field, change] = entryOf(FILES, name) ?? [];
	const path = field === undefined ? undefined : textOf(input[field]);
	return compact({
		subject: subjectOf(name, input),
		files: path === undefined || change === undefined ? undefined : [{path, change}],
		patch: callPatch(name, path, input),
	});
};

/** A call as text: the command of a shell, else its arguments. */
export const callText = (name: string, input: Input): string => {
	const command = name === 'Bash' ? stringOf(input['command']) : undefined;
	return command ?? readable(input);
};
