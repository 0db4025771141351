import {printError, printOut} from '../terminal/print.js';
import {sanitize, sanitizeLine} from '../terminal/sanitize.js';

/** Plain lines on stdout; false when nobody reads any longer. */
export const printLines = (lines: readonly string[]): boolean =>
	lines.length === 0 || printOut(`${lines.join('\n')}\n`);

/** The one document of `--json`. */
export const printJson = (document: unknown): void => {
	printOut(`${JSON.stringify(document)}\n`);
};

/** The objects of `--jsonl`. */
export const printJsonLines = (rows: readonly unknown[]): void => {
	printLines(rows.map(row => JSON.stringify(row)));
};

/** One clean line that keeps its blanks: indentation and columns. */
export const plainLine = (text: string): string => sanitize(text).replaceAll('\n', ' ').trimEnd();

/** A remark beside the answer: one line on stderr. */
export const note = (text: string): void => {
	printError(`backscroll: ${sanitizeLine(text)}\n`);
};
