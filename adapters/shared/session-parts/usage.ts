/** Tokens and cost of an answer. */

import type {Usage} from '../../model.js';
import {compact} from '../compact.js';
import {at, countOf, isRecord, recordOf, textOf} from '../narrow.js';
import type {Json} from './records.js';

export type Tokens = Pick<Usage, 'input' | 'output' | 'cacheRead' | 'cacheWrite' | 'reasoning'>;

/**
 * `{input, output, reasoning, cache: {read, write}, total?}`: `input` is without the cached tokens. Most versions count reasoning
 * within `output`; where the total (1.2 and later) says that they add up, it is added.
 */
const tokensOf = (tokens: Json): Tokens => {
	const [input, output, reasoning] = [tokens['input'], tokens['output'], tokens['reasoning']].map(
		countOf,
	) as [number, number, number];
	const [cacheRead, cacheWrite] = [at(tokens, 'cache', 'read'), at(tokens, 'cache', 'write')].map(
		countOf,
	) as [number, number];
	const isApart = countOf(tokens['total']) === input + output + reasoning + cacheRead + cacheWrite;
	return {
		input,
		output: isApart ? output + reasoning : output,
		cacheRead,
		cacheWrite,
		...(reasoning === 0 ? {} : {reasoning}),
	};
};

/** Zero is what stands there when a price is not known. */
export const costOf = (value: unknown): number | undefined => {
	const cost = countOf(value);
	return cost === 0 ? undefined : cost;
};

const isEmpty = ({input, output, cacheRead, cacheWrite}: Tokens): boolean =>
	input + output + cacheRead + cacheWrite === 0;

/** OpenCode writes `modelID`, ZCode `modelId`, `session_message` an object. */
export const modelOf = (data: Json): string | undefined =>
	['modelID', 'modelId'].map(name => textOf(data[name])).find(Boolean) ??
	textOf(at(data, 'model', 'id'));

/** Undefined for an answer that was interrupted before the model told. */
export const messageUsage = (
	message: {readonly key: string; readonly atMs: number | undefined},
	data: Json,
): Usage | undefined => {
	if (!isRecord(data['tokens'])) return undefined;
	const tokens = tokensOf(data['tokens']);
	const costUsd = costOf(data['cost']);
	if (isEmpty(tokens) && costUsd === undefined) return undefined;
	return compact({...message, ...tokens, model: modelOf(data), costUsd});
};

/** Columns `tokens_*` of a session; undefined when they were never filled. */
export const sessionTokens = (row: Json): Tokens | undefined => {
	const tokens = tokensOf({
		...Object.fromEntries(
			['input', 'output', 'reasoning'].map(name => [name, row[`tokens_${name}`]]),
		),
		cache: recordOf({read: row['tokens_cache_read'], write: row['tokens_cache_write']}),
	});
	return isEmpty(tokens) ? undefined : tokens;
};
