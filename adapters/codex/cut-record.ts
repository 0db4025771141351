/** Makes a record out of the head of a line that is too long to load: what is open is closed, what is half there is dropped. */

import {parseRecord} from './arguments.js';

interface Open {
	/** What closes the lists and objects that are open, innermost first. */
	readonly closers: string;
	readonly length: number;
}

interface Scan {
	closers: string[];
	/** Start of the string that the head ends in, or −1. */
	stringStart: number;
	/** The last place where everything before is whole. */
	lastComma: Open | undefined;
}

const CLOSERS: Readonly<Record<string, string>> = {'{': '}', '[': ']'};

/** Position of the quote that ends a string, or −1. */
const stringEnd = (text: string, start: number): number => {
	for (let index = start + 1; index < text.length; index += 1) {
		if (text[index] === '\\') index += 1;
		else if (text[index] === '"') return index;
	}
	return -1;
};

const scan = (head: string): Scan => {
	const found: Scan = {closers: [], stringStart: -1, lastComma: undefined};
	for (let index = 0; index < head.length; index += 1) {
		const character = head[index] ?? '';
		const closer = CLOSERS[character];
		if (character === '"') {
			const end = stringEnd(head, index);
			if (end === -1) return {...found, stringStart: index};
			index = end;
		} else if (closer !== undefined) found.closers.unshift(closer);
		else if (character === '}' || character === ']') found.closers.shift();
		else if (character === ',') found.lastComma = {closers: found.closers.join(''), length: index};
	}
	return found;
};

/** The open string without a half escape; of inline data only the type is kept. */
const cutString = (head: string, start: number): string => {
	const data = /^"data:[^,"]{0,100},/.exec(head.slice(start, start + 120))?.[0];
	if (data !== undefined) return `${head.slice(0, start)}${data}"`;
	return `${head.replace(/\\(?:u[\da-fA-F]{0,3})?$/, '').replace(/[\ud800-\udbff]$/, '')}"`;
};

export const recordFromHead = (head: string): Record<string, unknown> | undefined => {
	const {closers, stringStart, lastComma} = scan(head);
	const whole = stringStart === -1 ? head : cutString(head, stringStart);
	return (
		parseRecord(whole + closers.join('')) ??
		(lastComma && parseRecord(head.slice(0, lastComma.length) + lastComma.closers))
	);
};
