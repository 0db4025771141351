/** Token counts: each is written as `usage.record` and at the end of its step, in either order, or only once. */

import {eventKey, type Usage} from '../model.js';
import {compact} from '../shared/compact.js';
import {numberOf, recordOf, textOf} from '../shared/narrow.js';
import type {Row} from './row.js';

type Counts = Pick<Usage, 'input' | 'output' | 'cacheRead' | 'cacheWrite'>;

/** Names of the new layout, of the legacy one, and of a public sample. */
const FIELDS: Readonly<Record<keyof Counts, readonly string[]>> = {
	input: ['inputOther', 'input_other', 'input_tokens'],
	output: ['output', 'output_tokens'],
	cacheRead: ['inputCacheRead', 'input_cache_read'],
	cacheWrite: ['inputCacheCreation', 'input_cache_creation'],
};

const countOf = (usage: Record<string, unknown>, field: keyof Counts): number =>
	FIELDS[field].map(name => numberOf(usage[name])).find(count => count !== undefined) ?? 0;

const countsOf = (value: unknown): Counts | undefined => {
	const usage = recordOf(value);
	if (Object.keys(usage).length === 0) return undefined;
	return {
		input: countOf(usage, 'input'),
		output: countOf(usage, 'output'),
		cacheRead: countOf(usage, 'cacheRead'),
		cacheWrite: countOf(usage, 'cacheWrite'),
	};
};

/** `from` names the kind of record: equal counts of another kind, right after, are the same ones. */
export const noteUsage = (row: Row, value: unknown, from: string): void => {
	const counts = countsOf(value);
	if (counts === undefined) return;
	const {progress, batch} = row.context;
	const numbers = Object.values(counts).join(' ');
	const open = progress.openUsage;
	const isSame = open !== undefined && open.from !== from && open.numbers === numbers;
	const key = isSame ? open.key : eventKey(row.place);
	if (isSame) delete progress.openUsage;
	else progress.openUsage = {key, from, numbers};
	const model = progress.model ?? textOf(row.record['model']);
	batch.usage(compact({key, ...counts, model, atMs: row.atMs}));
};
