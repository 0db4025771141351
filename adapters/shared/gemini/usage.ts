/** Token counts in the terms of the Gemini API. */

import type {Usage} from '../../model.js';
import {compact} from '../compact.js';
import {numberOf} from '../narrow.js';

export interface StatedTokens {
	readonly input: unknown;
	readonly output: unknown;
	/** Part of the input. */
	readonly cached: unknown;
	readonly thoughts: unknown;
	readonly total: unknown;
}

export type TokenCounts = Pick<
	Usage,
	'input' | 'output' | 'cacheRead' | 'cacheWrite' | 'reasoning'
>;

const count = (value: unknown): number => {
	const stated = numberOf(value) ?? 0;
	return Number.isSafeInteger(stated) ? Math.max(0, stated) : 0;
};

/**
 * Undefined when nothing is stated. Thoughts stand beside the output (Gemini CLI 0.61.0: total = input + output + thoughts) or within it (Qwen Code 0.24.4 with an
 * OpenAI-like service: total = input + output): the total tells.
 */
export const tokenCounts = (stated: StatedTokens): TokenCounts | undefined => {
	if (numberOf(stated.input) === undefined && numberOf(stated.output) === undefined)
		return undefined;
	const [input, output, thoughts] = [stated.input, stated.output, stated.thoughts].map(count) as [
		number,
		number,
		number,
	];
	const cacheRead = Math.min(count(stated.cached), input);
	const isWithin = count(stated.total) === input + output;
	return compact({
		input: input - cacheRead,
		output: isWithin ? output : output + thoughts,
		cacheRead,
		cacheWrite: 0,
		reasoning: thoughts === 0 ? undefined : thoughts,
	});
};
