/** What is known of tool calls and their results. The stores name one tool in several ways: `Read`, `read_file`, `read_file_v2`. */

import type {FileTouch, ToolFacts} from '../model.js';
import {argumentLines, type CallArguments, subjectOf} from '../shared/calls/arguments.js';
import type {Changes} from '../shared/calls/changes.js';
import {compact} from '../shared/compact.js';
import {
	entryOf,
	firstString,
	firstText,
	listOf,
	recordOf,
	stringOf,
	textOf,
} from '../shared/narrow.js';
import {type Replaced, replacementPatch} from '../shared/text-patch.js';
import {pathOfUri} from './uri.js';

const PATHS = [
	'path',
	'file_path',
	'filePath',
	'targetFile',
	'target_file',
	'relativeWorkspacePath',
	'target_notebook',
	'effectiveUri',
] as const;

const SUBJECTS = [
	'command',
	'pattern',
	'globPattern',
	'glob_pattern',
	'query',
	'search_term',
	...PATHS,
	'url',
	'description',
	'prompt',
] as const;

/** By names in lower case, without underscores and version. */
const CHANGES: Changes = {
	createfile: 'create',
	delete: 'delete',
	deletefile: 'delete',
	editfile: 'edit',
	editnotebook: 'edit',
	multistrreplace: 'edit',
	read: 'read',
	readfile: 'read',
	searchreplace: 'edit',
	strreplace: 'edit',
	write: 'write',
	writefile: 'write',
};

const PATCH_CHANGES: Changes = {
	Add: 'create',
	Delete: 'delete',
	Update: 'edit',
};
const PATCH_FILE = /^\*\*\* (Add|Delete|Update) File: (.+?)\s*$/gm;

const plainName = (name: string): string =>
	name
		.toLowerCase()
		.replace(/_v\d+$/, '')
		.replaceAll('_', '');

const pathOf = (args: CallArguments): string | undefined => {
	const path = firstText(args, PATHS);
	return path === undefined ? undefined : (pathOfUri(path) ?? path);
};

/** The patch of an `apply_patch`, which is its only argument. */
const patchIn = (args: CallArguments): string | undefined => {
	const [text, ...others] = Object.values(args).map(stringOf);
	return others.length === 0 && text?.includes('*** Begin Patch') ? text : undefined;
};

const patchedFiles = (args: CallArguments): readonly FileTouch[] =>
	[...(patchIn(args) ?? '').matchAll(PATCH_FILE)].flatMap(([, action = '', path = '']) => {
		const change = PATCH_CHANGES[action];
		return change === undefined ? [] : [{path, change}];
	});

const filesOf = (name: string, args: CallArguments): readonly FileTouch[] => {
	const plain = plainName(name);
	const path = pathOf(args);
	const change = entryOf(CHANGES, plain);
	return change === undefined || path === undefined ? patchedFiles(args) : [{path, change}];
};

const replacedIn = (args: CallArguments): Replaced => {
	const before = firstString(args, ['old_string', 'oldString']);
	const after = firstString(args, ['new_string', 'newString']);
	return before === undefined || after === undefined ? [] : [[before, after]];
};

/** What a whole file becomes. An edit's content is only a sketch of the change. */
const writtenIn = (args: CallArguments, {change}: FileTouch): Replaced => {
	const content = firstString(args, ['contents', 'content', 'streamingContent']);
	return content === undefined || change === 'edit' ? [] : [['', content]];
};

const patchOf = (args: CallArguments, [file]: readonly FileTouch[]): string | undefined => {
	if (file === undefined || file.change === 'read') return undefined;
	const edits = listOf(args['edits']).flatMap(edit => replacedIn(recordOf(edit)));
	const all = [...replacedIn(args), ...edits];
	return replacementPatch(file.path, all.length > 0 ? all : writtenIn(args, file));
};

/** Facts of a call apart from its name and id. */
export const callFacts = (name: string, args: CallArguments): ToolFacts => {
	const files = filesOf(name, args);
	const patched = textOf(
		patchedFiles(args)
			.map(({path}) => path)
			.join(', '),
	);
	return compact({
		subject: patched ?? subjectOf(args, SUBJECTS),
		files: files.length === 0 ? undefined : files,
		patch: patchOf(args, files),
	});
};

/** A call as text: the command of a shell or the patch itself, else its arguments. */
export const callText = (args: CallArguments): string =>
	stringOf(args['command']) ?? patchIn(args) ?? argumentLines(args);

/** Shell results are framed: the exit code stands near an end. */
const FRAME_CHARS = 400;
const EXIT_CODE = /\b(?:exit code:?|exited with code) (-?\d{1,10})\b/i;

/** Facts of a result apart from its name and id; what the record does not state is told from its text. */
export const resultFacts = (text: string, isError?: boolean): ToolFacts => {
	const frame = `${text.slice(0, FRAME_CHARS)}\n${text.slice(FRAME_CHARS).slice(-FRAME_CHARS)}`;
	const code = EXIT_CODE.exec(frame)?.[1];
	const exitCode = code === undefined ? undefined : Number(code);
	const hasFailed = isError ?? (text.trimStart().startsWith('Error:') || (exitCode ?? 0) !== 0);
	return compact({isError: hasFailed || undefined, exitCode});
};
