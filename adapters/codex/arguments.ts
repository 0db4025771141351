/** Arguments of tool calls: JSON inside of JSON, written by a model. */

import {isRecord, listOf, stringOf} from '../shared/narrow.js';

export const parseRecord = (text: string): Record<string, unknown> | undefined => {
	try {
		const value: unknown = JSON.parse(text);
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined; // models write broken JSON, and then the text is shown as it is
	}
};

const print = (value: unknown): string => {
	try {
		return JSON.stringify(value) ?? '';
	} catch {
		return ''; // nested beyond the stack: the raw record is still there
	}
};

export interface CallInput {
	readonly args: Record<string, unknown>;
	/** As the record states it. */
	readonly text: string;
}

/** `arguments` is a JSON string; some versions wrote an object. `input` of custom tools is free text. */
export const callInput = (value: unknown): CallInput => {
	if (typeof value === 'string') return {args: parseRecord(value) ?? {}, text: value};
	return isRecord(value) ? {args: value, text: print(value)} : {args: {}, text: ''};
};

const SHELLS = /^(?:.*\/)?(?:ba|z|da|k|fi)?sh(?:\.exe)?$/;
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

const quote = (word: string): string =>
	PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** `["bash", "-lc", "ls | wc"]` is `ls | wc`; other lists are quoted word by word. */
export const commandLine = (command: unknown): string => {
	if (typeof command === 'string') return command;
	const words = listOf(command).map(word => stringOf(word) ?? '');
	const [shell = '', flag = '', script] = words;
	if (words.length === 3 && SHELLS.test(shell) && /^-l?c$/.test(flag)) return script ?? '';
	return words.map(quote).join(' ');
};
