/** Lines beyond the limit: mostly the richer copy of a tool's output, which stands behind everything that is shown. */

import type {LongLine} from '../shared/jsonl.js';
import {recordOf, stringOf} from '../shared/narrow.js';
import {isSilent} from './records.js';

/** End of the last whole member of the outermost object, or -1. */
const lastMemberEnd = (head: string): number => {
	let depth = 0;
	let end = -1;
	for (let index = 0; index < head.length; index++) {
		const char = head[index];
		if (char === '"') index = closingQuote(head, index);
		else if (char === '{' || char === '[') depth += 1;
		else if (char === '}' || char === ']') depth -= 1;
		else if (char === ',' && depth === 1) end = index;
	}
	return end;
};

/** Place of the quote that ends a string, or the end of the text. */
const closingQuote = (text: string, start: number): number => {
	for (let index = start + 1; index < text.length; index++) {
		if (text[index] === '\\') index += 1;
		else if (text[index] === '"') return index;
	}
	return text.length;
};

const wholeMembers = (head: string): Record<string, unknown> => {
	try {
		return recordOf(JSON.parse(`${head.slice(0, lastMemberEnd(head))}}`));
	} catch {
		return {}; // not an object at all: the caller reports the long line
	}
};

/** The record without its members from the oversized one on, if nothing that is shown is lost with them. */
export const recordOfHead = ({head}: LongLine): Record<string, unknown> | undefined => {
	const record = wholeMembers(head);
	const isWhole = record['message'] !== undefined && record['uuid'] !== undefined;
	return isWhole || isSilent(stringOf(record['type']) ?? '') ? record : undefined;
};
