import stripAnsi from 'strip-ansi';
import {widthOf} from './width.js';

const tabColumns = 4;

const loneSurrogate = /\p{Surrogate}/gu;

const newlineVariants = /\r\n?|[\u2028\u2029]/g;

/** C0 without newline and tab, DEL, C1, and what turns the direction of text around: nothing of this may reach a terminal. */
const forbidden =
	/[\0-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** One test for all of the above and for surrogates: most text has none and is returned as it is. */
const suspicious =
	/[\0-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/;

/**
 * Drops every byte that a terminal might obey; tabs stay, for exports to a file. Stripping escape sequences only makes the rest
 * pleasant to read; the boundary is the character filter, since a strip pass leaves live sequences behind in `ESC ESC[31m [2J`.
 */
export function sanitizeForFile(text: string): string {
	if (!suspicious.test(text)) return text;
	return stripAnsi(text)
		.replace(newlineVariants, '\n')
		.replace(forbidden, '')
		.replace(loneSurrogate, '\ufffd');
}

/** As `sanitizeForFile`, with tabs expanded to stops of four: Ink counts a tab as no column at all. */
export function sanitize(text: string): string {
	const clean = sanitizeForFile(text);
	return clean.includes('\t') ? clean.split('\n').map(expandTabs).join('\n') : clean;
}

/** For titles, paths and labels: one line, each run of white space one blank. */
export function sanitizeLine(text: string): string {
	return sanitizeForFile(text).replace(/\s+/g, ' ').trim();
}

function expandTabs(line: string): string {
	const [first = '', ...others] = line.split('\t');
	let expanded = first;
	let column = widthOf(first);
	for (const part of others) {
		const blanks = tabColumns - (column % tabColumns);
		expanded += ' '.repeat(blanks) + part;
		column += blanks + widthOf(part);
	}
	return expanded;
}
