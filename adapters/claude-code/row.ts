/** One record of a transcript on its way to events. */

import {type AdapterEvent, eventKey} from '../model.js';
import type {BatchBuilder} from '../shared/batch.js';
import type {JsonRecord} from '../shared/jsonl.js';
import {recordOf, textOf} from '../shared/narrow.js';
import type {RecordPlace} from '../shared/record-events.js';
import {timeMs} from '../shared/time.js';
import type {Identity, Progress} from './progress.js';

/** What stays the same for all rows of one read. */
export interface Context {
	readonly identity: Identity;
	readonly progress: Progress;
	readonly batch: BatchBuilder;
	/** Where oversized tool outputs of the session lie. */
	readonly outputFolder: string;
}

export interface Row extends RecordPlace {
	readonly record: Record<string, unknown>;
	/** A sub-agent's file, or a side chain inside of a session's file (before sub-agents had files): nobody typed there. */
	readonly isSideChain: boolean;
	readonly context: Context;
}

export const rowOf = ({record, number, offset, length}: JsonRecord, context: Context): Row => ({
	record,
	id: textOf(record['uuid']) ?? `L${number}`,
	atMs: timeMs(record['timestamp']),
	locator: {offset, length},
	isSideChain: context.identity.isSubagent || record['isSidechain'] === true,
	context,
});

/** Block number in the key of an event of this row. */
export const blockOf = (row: Row, {key}: AdapterEvent): number =>
	Number(key.slice(eventKey(row.id).length + 1));

export interface Block {
	readonly type: string;
	/** Place in the record's content, shown or not. */
	readonly place: number;
	readonly block: Record<string, unknown>;
}

/** Content of a message: a string counts as one text block. */
export const blocksOf = (content: unknown): readonly Block[] | undefined => {
	if (typeof content === 'string') {
		return [{type: 'text', place: 0, block: {type: 'text', text: content}}];
	}
	if (!Array.isArray(content)) return undefined;
	return content.map((item: unknown, place) => {
		const block = typeof item === 'string' ? {type: 'text', text: item} : recordOf(item);
		return {type: textOf(block['type']) ?? 'none', place, block};
	});
};

/** Type names come from the file: keep counters readable. */
export const kindName = (kind: string): string => kind.slice(0, 80);
