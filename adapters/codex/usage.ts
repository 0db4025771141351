/** Token counts of requests. Two kinds of lines state them; a session that has the newer kind repeats them in the older. */

import {eventKey, type Usage} from '../model.js';
import {isRecord, numberOf, recordOf, textOf} from '../shared/narrow.js';
import {modelField} from './emit.js';
import type {Line, LineHandler, Reading, TokenTotals} from './state.js';

const countsOf = (value: unknown): TokenTotals | undefined => {
	if (!isRecord(value)) return undefined;
	const count = (name: string): number => {
		const stated = numberOf(value[name]) ?? 0;
		return Number.isSafeInteger(stated) ? Math.max(0, stated) : 0;
	};
	return {
		input: count('input_tokens'),
		cached: count('cached_input_tokens'),
		cacheWrite: count('cache_write_input_tokens'),
		output: count('output_tokens'),
		reasoning: count('reasoning_output_tokens'),
	};
};

const difference = (now: TokenTotals, before: TokenTotals | null): TokenTotals => {
	const less = (name: keyof TokenTotals): number => Math.max(0, now[name] - (before?.[name] ?? 0));
	return {
		input: less('input'),
		cached: less('cached'),
		cacheWrite: less('cacheWrite'),
		output: less('output'),
		reasoning: less('reasoning'),
	};
};

const emitUsage = (reading: Reading, line: Line, counted: {key: string; counts: TokenTotals}) => {
	const {counts, key} = counted;
	const usage: Usage = {
		key,
		// Cached tokens are part of the stated input.
		input: Math.max(0, counts.input - counts.cached - counts.cacheWrite),
		output: counts.output,
		cacheRead: counts.cached,
		cacheWrite: counts.cacheWrite,
		reasoning: counts.reasoning,
		...modelField(reading),
		...(line.atMs === undefined ? {} : {atMs: line.atMs}),
	};
	reading.batch.usage(usage);
};

/** One line per request since 0.171; it comes before the `token_count` line of the same request. */
export const usageRecord: LineHandler = (reading, line) => {
	const counts = countsOf(line.payload['usage']);
	if (counts === undefined) return;
	reading.state.hasUsageRecords = true;
	const responseId = textOf(line.payload['response_id']);
	emitUsage(reading, line, {
		key: responseId === undefined ? line.key : eventKey(responseId),
		counts,
	});
};

/**
 * `{"info": {"total_token_usage", "last_token_usage"}}`, written again whenever the rate limits change: equal totals are the
 * same request. The totals only grow, so they make the key, and a replayed copy in a fork gets the key of its original.
 */
export const tokenCount: LineHandler = (reading, line) => {
	const {state} = reading;
	if (state.hasUsageRecords) return;
	const info = recordOf(line.payload['info'] ?? line.payload);
	const totals = countsOf(info['total_token_usage']);
	const last = countsOf(info['last_token_usage']);
	if (totals === undefined) {
		if (last !== undefined) emitUsage(reading, line, {key: line.key, counts: last});
		return;
	}
	const before = state.totals;
	state.totals = totals;
	if (before?.input === totals.input && before.output === totals.output) return;
	const key = `total-${totals.input}-${totals.output}`;
	emitUsage(reading, line, {key, counts: last ?? difference(totals, before)});
};
