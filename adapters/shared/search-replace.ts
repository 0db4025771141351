/** Edits that models write as SEARCH/REPLACE blocks. */

import {type Replaced, replacementPatch} from './text-patch.js';

// Markers differ by agent and age: `<<<<<<< SEARCH` or `------- SEARCH`, some with a line number below.
const BLOCK =
	/^(?:-{5,}|<{5,}) SEARCH>?[ \t]*\r?\n(?::start_line:[^\n]*\n(?:-{5,}\r?\n)?)?([\s\S]*?)^={5,}[ \t]*\r?\n([\s\S]*?)^(?:\+{5,}|>{5,}) REPLACE/gm;

/** The texts that are replaced, and what replaces them. */
const searchReplaceBlocks = (text: string): Replaced =>
	[...text.matchAll(BLOCK)].map(([, before = '', after = '']) => [before, after] as const);

/** The blocks as a diff of one file; undefined if there are none. */
export const searchReplacePatch = (path: string, text: string): string | undefined =>
	replacementPatch(path, searchReplaceBlocks(text));
