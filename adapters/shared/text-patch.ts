/** Unified diffs out of what an edit call asks for: texts that are replaced, or patches as they are. */

const PATCH_CHARS = 65_536;

/** At most 64 KiB, cut after a whole line. */
export const capPatch = (patch: string): string =>
	patch.length <= PATCH_CHARS ? patch : patch.slice(0, patch.lastIndexOf('\n', PATCH_CHARS));

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

const range = (count: number): string => `${count === 0 ? 0 : 1},${count}`;

/** One hunk; its line numbers are those of the text, because its place in the file is not known. */
const hunkOf = (before: string, after: string): readonly string[] => {
	const [old, now] = [linesOf(before), linesOf(after)];
	const head = commonLines(old, now, false);
	const tail = commonLines(old.slice(head), now.slice(head), true);
	if (head === old.length && head === now.length) return [];
	return [
		`@@ -${range(old.length)} +${range(now.length)} @@`,
		...old.slice(0, head).map(line => ` ${line}`),
		...old.slice(head, old.length - tail).map(line => `-${line}`),
		...now.slice(head, now.length - tail).map(line => `+${line}`),
		...old.slice(old.length - tail).map(line => ` ${line}`),
	];
};

/** The diff of one file; undefined if nothing changes. */
export const patchOfHunks = (path: string, hunks: readonly string[]): string | undefined =>
	hunks.length === 0 ? undefined : capPatch([`--- ${path}`, `+++ ${path}`, ...hunks].join('\n'));

/** Texts, and what they are replaced by. */
export type Replaced = readonly (readonly [before: string, after: string])[];

/** The diff of replaced texts in one file; undefined if nothing changes. */
export const replacementPatch = (path: string, replaced: Replaced): string | undefined =>
	patchOfHunks(
		path,
		replaced.flatMap(([before, after]) => hunkOf(before, after)),
	);
