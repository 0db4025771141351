/** Unified diffs of edits, from what a call asks for and from what its result says was done. */
import {listOf, numberOf, recordOf, stringOf} from '../shared/narrow.js';

const PATCH_CHARS = 65_536;

/** Cut after a whole line. */
const capped = (patch: string): string =>
	patch.length <= PATCH_CHARS ? patch : patch.slice(0, patch.lastIndexOf('\n', PATCH_CHARS));

const patchOf = (path: string, hunks: readonly string[]): string | undefined =>
	hunks.length === 0 ? undefined : capped([`--- ${path}`, `+++ ${path}`, ...hunks].join('\n'));

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
	patchOf(path, listOf(hunks).flatMap(hunkText));

const linesOf = (text: string): readonly string[] =>
	text === '' ? [] : text.replace(/\n$/, '').split('\n');

/** Lines that two lists have in common from an end on. */
const commonLines = (a: readonly string[], b: readonly string[], fromEnd: boolean): number => {
	const limit = Math.min(a.length, b.length);
	let count = 0;
	while (count < limit && a.at(fromEnd ? -1 - count : count) === b.at(fromEnd ? -1 - count : count))
		count += 1;
	return count;
};

/** One hunk that replaces a text; the line numbers are those of the text, because its place in the file is not known. */
const replacement = (before: string, after: string): readonly string[] => {
	const [old, now] = [linesOf(before), linesOf(after)];
	const head = commonLines(old, now, false);
	const tail = commonLines(old.slice(head), now.slice(head), true);
	if (head === old.length && head === now.length) return [];
	const lines = [
		...old.slice(0, head).map(line => ` ${line}`),
		...old.slice(head, old.length - tail).map(line => `-${line}`),
		...now.slice(head, now.length - tail).map(line => `+${line}`),
		...old.slice(old.length - tail).map(line => ` ${line}`),
	];
	const range = (count: number): string => `${count === 0 ? 0 : 1},${count}`;
	return [[`@@ -${range(old.length)} +${range(now.length)} @@`, ...lines].join('\n')];
};

const edit = (input: Record<string, unknown>): readonly string[] =>
	replacement(stringOf(input['old_string']) ?? '', stringOf(input['new_string']) ?? '');

const HUNKS: Readonly<Record<string, (input: Record<string, unknown>) => readonly string[]>> = {
	Edit: edit,
	MultiEdit: input => listOf(input['edits']).flatMap(item => edit(recordOf(item))),
	Write: input => replacement('', stringOf(input['content']) ?? ''),
};

/** What a call is about to change. */
export const callPatch = (
	name: string,
	path: string | undefined,
	input: Record<string, unknown>,
): string | undefined => {
	const hunks = Object.hasOwn(HUNKS, name) ? HUNKS[name] : undefined;
	return hunks === undefined || path === undefined ? undefined : patchOf(path, hunks(input));
};
