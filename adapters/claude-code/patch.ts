/** Unified diffs of edits, from what a call asks for and from what its result says was done. */

import {entryOf, listOf, numberOf, recordOf, stringOf} from '../shared/narrow.js';
import {patchOfHunks, type Replaced, replacementPatch} from '../shared/text-patch.js';

const hunkText = (value: unknown): readonly string[] => {
	const hunk = recordOf(value);
	const lines = listOf(hunk['lines']).flatMap(line => stringOf(line) ?? []);
	const [oldStart, oldLines, newStart, newLines] = [
		'oldStart',
		'oldLines',
		'newStart',
		'newLines',
	].map(name => numberOf(hunk[name]) ?? 0);
	if (lines.length === 0) return [];
	return [[`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines].join('\n')];
};

/** `toolUseResult.structuredPatch`: hunks with line numbers of the file. */
export const structuredPatch = (path: string, hunks: unknown): string | undefined =>
	patchOfHunks(path, listOf(hunks).flatMap(hunkText));

type Input = Record<string, unknown>;

const edit = (input: Input): Replaced => [
	[stringOf(input['old_string']) ?? '', stringOf(input['new_string']) ?? ''],
];

const REPLACED: Readonly<Record<string, (input: Input) => Replaced>> = {
	Edit: edit,
	MultiEdit: input => listOf(input['edits']).flatMap(item => edit(recordOf(item))),
	Write: input => [['', stringOf(input['content']) ?? '']],
};

/** What a call is about to change. */
export const callPatch = (
	name: string,
	path: string | undefined,
	input: Input,
): string | undefined => {
	const replaced = entryOf(REPLACED, name)?.(input);
	return replaced === undefined || path === undefined
		? undefined
		: replacementPatch(path, replaced);
};
