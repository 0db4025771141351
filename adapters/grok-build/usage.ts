/** Token counts of a turn. */

import {compact} from '../shared/compact.js';
import {isRecord, numberOf, textOf} from '../shared/narrow.js';
import type {Line, Reading} from './state.js';

const TICKS_PER_USD = 1e10;

/** The wire has camelCase names; snake_case is read too. */
const field = (usage: Record<string, unknown>, name: string): unknown =>
	usage[name] ?? usage[name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)];

const count = (usage: Record<string, unknown>, name: string): number => {
	const stated = numberOf(field(usage, name)) ?? 0;
	return Number.isSafeInteger(stated) ? Math.max(0, stated) : 0;
};

const costOf = (usage: Record<string, unknown>): number | undefined => {
	const ticks = numberOf(field(usage, 'costUsdTicks'));
	const flags = ['costIsPartial', 'usageIsIncomplete'].map(name => field(usage, name));
	return ticks === undefined || flags.includes(true) ? undefined : ticks / TICKS_PER_USD;
};

export const turnUsage = (
	{batch, state}: Reading,
	{update, key, atMs}: Pick<Line, 'update' | 'key' | 'atMs'>,
): void => {
	const {usage} = update;
	if (!isRecord(usage)) return;
	const [input, output, reasoning] = [
		count(usage, 'inputTokens'),
		count(usage, 'outputTokens'),
		count(usage, 'reasoningTokens'),
	];
	const cacheRead = count(usage, 'cachedReadTokens');
	// Reasoning is part of the output unless the total says otherwise.
	const isBeside = reasoning > 0 && count(usage, 'totalTokens') === input + output + reasoning;
	batch.usage(
		compact({
			key,
			// The stated input holds what was read from the cache.
			input: Math.max(0, input - cacheRead),
			output: isBeside ? output + reasoning : output,
			cacheRead,
			cacheWrite: count(usage, 'cacheCreationTokens'),
			reasoning: reasoning === 0 ? undefined : reasoning,
			model: textOf(state.model),
			costUsd: costOf(usage),
			atMs,
		}),
	);
};
