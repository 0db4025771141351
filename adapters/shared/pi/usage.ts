/** Tokens and cost, of replies and of what the agent asked models for beside them. */

import type {Usage} from '../../model.js';
import {compact} from '../compact.js';
import {isRecord, numberOf, recordOf, textOf} from '../narrow.js';
import type {Entry} from './entry.js';
import {modelOf} from './events.js';

/** One entry has at most one: its own, or its message's. */
export const usageOf = ({record, message, id, atMs}: Entry): Usage | undefined => {
	const usage = [message['usage'], record['usage']].find(isRecord);
	if (usage === undefined || Object.keys(usage).length === 0) return undefined;
	const reasoning = numberOf(usage['reasoning']);
	return compact({
		key: id,
		input: numberOf(usage['input']) ?? 0,
		output: numberOf(usage['output']) ?? 0,
		cacheRead: numberOf(usage['cacheRead']) ?? 0,
		cacheWrite: numberOf(usage['cacheWrite']) ?? 0,
		reasoning: reasoning === 0 ? undefined : reasoning,
		model: modelOf(message) ?? textOf(record['model']),
		costUsd: numberOf(recordOf(usage['cost'])['total']),
		atMs,
	});
};
