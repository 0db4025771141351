/** Token counts: of single calls (`session.usage_record`), and totals of the session (`session.shutdown`). */

import {eventKey, type Usage} from '../../model.js';
import {compact} from '../compact.js';
import {at, countOf, numberOf, recordOf, textOf} from '../narrow.js';
import type {Row} from './row.js';

type Counts = Pick<Usage, 'input' | 'output' | 'cacheRead' | 'cacheWrite' | 'reasoning'>;

/** The service counts cached tokens as input, too. */
const countsOf = (value: unknown): Counts => {
	const usage = recordOf(value);
	const [cacheRead, cacheWrite] = [
		countOf(usage['cacheReadTokens']),
		countOf(usage['cacheWriteTokens']),
	];
	return compact({
		input: Math.max(0, countOf(usage['inputTokens']) - cacheRead - cacheWrite),
		output: countOf(usage['outputTokens']),
		cacheRead,
		cacheWrite,
		reasoning: numberOf(usage['reasoningTokens']),
	});
};

/** `cost` counts premium requests, not money. */
export const noteUsage = ({id, atMs, data, context}: Row): void => {
	const usage = recordOf(data['usage']);
	const key = eventKey(textOf(usage['apiCallId']) ?? id);
	context.batch.usage(compact({key, ...countsOf(usage), model: textOf(usage['model']), atMs}));
};

const NOTHING: Counts = {input: 0, output: 0, cacheRead: 0, cacheWrite: 0};

const sum = (a: Counts, b: Counts): Counts =>
	compact({
		input: a.input + b.input,
		output: a.output + b.output,
		cacheRead: a.cacheRead + b.cacheRead,
		cacheWrite: a.cacheWrite + b.cacheWrite,
		reasoning:
			a.reasoning === undefined && b.reasoning === undefined
				? undefined
				: (a.reasoning ?? 0) + (b.reasoning ?? 0),
	});

/** Counted from the session's begin, over resumes: the last one holds all. */
export const noteTotals = ({data, context: {progress}}: Row): void => {
	const metrics = at(data, 'agentMetrics', 'main', 'modelMetrics') ?? data['modelMetrics'];
	const models = Object.values(recordOf(metrics));
	if (models.length === 0) return;
	progress.totals = models.map(model => countsOf(at(model, 'usage'))).reduce(sum, NOTHING);
};
