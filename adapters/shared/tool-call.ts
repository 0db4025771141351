/** Tool calls of agents that name their arguments in one of the common ways. */
import type {FileTouch, ToolFacts} from '../types.js';
import {argumentLines, type CallArguments, subjectOf} from './call-arguments.js';
import {compact} from './compact.js';
import {isRecord, listOf, stringOf, textOf} from './narrow.js';
import {replacementPatch} from './text-patch.js';

/** Arguments that say what a call is about, in the order in which they are looked for. */
const SUBJECTS = [
	'command',
	'pattern',
	'query',
	'url',
	'file_path',
	'filePath',
	'path',
	'description',
	'task',
	'prompt',
	'name',
] as const;

/** Names in lower case. */
const CHANGES: Readonly<Record<string, FileTouch['change']>> = {
	edit: 'edit',
	multiedit: 'edit',
	read: 'read',
	readfile: 'read',
	readmediafile: 'read',
	strreplacefile: 'edit',
	write: 'write',
	writefile: 'write',
};

const SHELLS: ReadonlySet<string> = new Set(['bash', 'exec', 'shell']);

const PATHS = ['file_path', 'filePath', 'path'] as const;
const BEFORE = ['old_string', 'oldText', 'oldString', 'old'] as const;
const AFTER = ['new_string', 'newText', 'newString', 'new', 'content'] as const;

const firstText = (args: CallArguments, names: readonly string[]): string | undefined =>
	names.map(name => stringOf(args[name])).find(text => text !== undefined);

/** One replacement in the call itself, or several in a list of their own. */
const replacements = (args: CallArguments): readonly (readonly [string, string])[] => {
	const nested = args['edits'] ?? args['edit'];
	const edits = isRecord(nested) ? [nested] : listOf(nested).filter(isRecord);
	return (edits.length > 0 ? edits : [args]).flatMap(edit => {
		const after = firstText(edit, AFTER);
		return after === undefined ? [] : [[firstText(edit, BEFORE) ?? '', after] as const];
	});
};

/** What is known of a call from its arguments; name and call id are the caller's. */
export const callFacts = (name: string, args: CallArguments): ToolFacts => {
	const key = name.toLowerCase();
	const change = Object.hasOwn(CHANGES, key) ? CHANGES[key] : undefined;
	const path = textOf(firstText(args, PATHS));
	const isTouch = change !== undefined && path !== undefined;
	return compact({
		subject: subjectOf(args, SUBJECTS),
		files: isTouch ? [{path, change}] : undefined,
		patch: isTouch && change !== 'read' ? replacementPatch(path, replacements(args)) : undefined,
	});
};

/** A call as text: the command of a shell, else its arguments. */
export const callText = (name: string, args: CallArguments): string =>
	(SHELLS.has(name.toLowerCase()) ? textOf(args['command']) : undefined) ?? argumentLines(args);
