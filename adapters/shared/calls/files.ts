/** Files and diffs of calls that read or change files. Agents name the arguments in a few ways; all of them are looked for. */

import type {ToolFacts} from '../../model.js';
import {type PatchFacts, patchFacts} from '../apply-patch.js';
import {compact} from '../compact.js';
import {firstString, isRecord, listOf, textOf} from '../narrow.js';
import {capPatch, replacementPatch} from '../text-patch.js';
import type {CallArguments} from './arguments.js';
import type {FileChange} from './changes.js';

const PATHS = [
	'path',
	'file_path',
	'filePath',
	'filepath',
	'target_file',
	'notebook_path',
	'dirPath',
];
const BEFORE = ['old_str', 'old_string', 'oldStr', 'oldString', 'oldText', 'old_text', 'old'];
const AFTER = ['new_str', 'new_string', 'newStr', 'newString', 'newText', 'new_text', 'new'];
const CONTENTS = ['file_text', 'content', 'fileText'];
const LISTS = ['edits', 'edit', 'changes', 'replacements'];
const PATCHES = ['patch', 'patchText', 'input'];

const pathOf = (args: CallArguments): string | undefined => textOf(firstString(args, PATHS));

/** An edit, and the edits in its lists, each of a file of its own or of that of the call. */
const editsOf = (args: CallArguments): readonly CallArguments[] => [
	args,
	...LISTS.flatMap(name => {
		const edits = args[name];
		return isRecord(edits) ? [edits] : listOf(edits).filter(isRecord);
	}),
];

const diffsOf = (args: CallArguments, change: FileChange): string | undefined => {
	const own = pathOf(args);
	const texts = new Map<string, (readonly [string, string])[]>();
	for (const edit of editsOf(args)) {
		const path = pathOf(edit) ?? own;
		const [before, after] = [firstString(edit, BEFORE), firstString(edit, AFTER)];
		if (path === undefined || before === undefined || after === undefined) continue;
		texts.set(path, [...(texts.get(path) ?? []), [before, after]]);
	}
	const content = firstString(args, CONTENTS);
	const isNew = change === 'create' || change === 'write';
	if (isNew && own !== undefined && content !== undefined) texts.set(own, [['', content]]);
	const diffs = [...texts].flatMap(([path, replaced]) => replacementPatch(path, replaced) ?? []);
	return diffs.length === 0 ? undefined : capPatch(diffs.join('\n'));
};

/** The patch that a call holds, whatever the tool is called. */
export const patchIn = (args: CallArguments): PatchFacts | undefined =>
	patchFacts(firstString(args, PATCHES) ?? '');

/** What a call does to files, as far as its arguments tell. `change` is what the tool does to the file that it names. */
export const fileFacts = (
	change: FileChange | undefined,
	args: CallArguments,
): Pick<ToolFacts, 'files' | 'patch'> => {
	const patch = patchIn(args);
	if (patch !== undefined) return {files: patch.files, patch: capPatch(patch.diff)};
	if (change === undefined) return {};
	const paths = [...new Set(editsOf(args).flatMap(edit => pathOf(edit) ?? []))];
	return compact({
		files: paths.length === 0 ? undefined : paths.map(path => ({path, change})),
		patch: change === 'read' ? undefined : diffsOf(args, change),
	});
};
