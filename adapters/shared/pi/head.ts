/** The head of a log: what its header says, read anew on each pass because parts of it are rewritten in place. */

import type {SessionFacts} from '../../model.js';
import {readJsonLines} from '../jsonl.js';
import {listOf, stringOf, textOf} from '../narrow.js';
import {timeMs} from '../time.js';
import type {Json} from './entry.js';

export interface Head {
	readonly header: Json;
	/** `{type: 'title'}` before the header: oh-my-pi overwrites its 256 bytes when the title changes. */
	readonly slot: Json | undefined;
}

/** Records that are looked at for the header. */
const HEAD_RECORDS = 20;

/** Undefined for a log without a header: it has no session. */
export const readHead = (path: string): Head | undefined => {
	let slot: Json | undefined;
	let left = HEAD_RECORDS;
	for (const {record} of readJsonLines(path)) {
		if (record?.['type'] === 'title') slot ??= record;
		if (record?.['type'] === 'session' && textOf(record['id']) !== undefined) {
			return {header: record, slot};
		}
		left -= 1;
		if (left === 0) return undefined;
	}
	return undefined;
};

export const headId = ({header}: Head): string => stringOf(header['id']) ?? '';

export const headFacts = ({header}: Head): SessionFacts => {
	const atMs = timeMs(header['timestamp']);
	const others = listOf(header['additionalDirectories']).flatMap(path => textOf(path) ?? []);
	return {
		cwd: textOf(header['cwd']) ?? null,
		...(others.length === 0 ? {} : {directories: others}),
		...(atMs === undefined ? {} : {bornAtMs: atMs, createdAtMs: atMs}),
	};
};
