/** One record of an event log on its way to events. */

import type {BatchBuilder} from '../batch.js';
import type {JsonRecord} from '../jsonl.js';
import {recordOf, stringOf, textOf} from '../narrow.js';
import type {RecordPlace} from '../record-events.js';
import {timeMs} from '../time.js';
import type {Progress} from './progress.js';

/** What stays the same for all records of one read. */
export interface Context {
	/** The sub-agent whose records are wanted; absent: those of the session itself. */
	readonly agentId?: string;
	readonly progress: Progress;
	readonly batch: BatchBuilder;
}

export interface Row extends RecordPlace {
	readonly type: string;
	readonly data: Record<string, unknown>;
	/** The sub-agent that it belongs to. */
	readonly agentId: string | undefined;
	readonly context: Context;
}

/** Early versions name only the call that a sub-agent works for. */
const agentOf = (
	type: string,
	record: Record<string, unknown>,
	data: Record<string, unknown>,
): string | undefined =>
	textOf(record['agentId']) ??
	textOf(data['parentToolCallId']) ??
	(type.startsWith('subagent.') ? textOf(data['toolCallId']) : undefined);

export const rowOf = ({record, number, offset, length}: JsonRecord, context: Context): Row => {
	const type = stringOf(record['type']) ?? 'none';
	const data = recordOf(record['data']);
	return {
		type,
		data,
		id: textOf(record['id']) ?? `L${number}`,
		agentId: agentOf(type, record, data),
		atMs: timeMs(record['timestamp']),
		locator: {offset, length},
		context,
	};
};
