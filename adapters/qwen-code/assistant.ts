/** `assistant` records: thoughts, text and calls of one model message. */

import {type AdapterEvent, eventKey} from '../model.js';
import {compact} from '../shared/compact.js';
import {capText} from '../shared/content.js';
import type {CallPart, Placed} from '../shared/gemini/parts.js';
import {callFacts, callText} from '../shared/gemini/tools.js';
import {tokenCounts} from '../shared/gemini/usage.js';
import {isRecord, numberOf, textOf} from '../shared/narrow.js';
import {eventOf} from '../shared/record-events.js';
import {remember} from './progress.js';
import type {Row} from './row.js';

interface Message {
	readonly messageId: string;
	readonly model: string | undefined;
}

/** A sub-agent writes text and calls of one message in two records, and the round only on the first (0.24.4). */
const messageOf = ({record, id}: Row): Message => {
	const [run, round] = [textOf(record['agentRunId']), numberOf(record['agentRound'])];
	return {
		messageId: run === undefined || round === undefined ? id : `${run}/${round}`,
		model: textOf(record['model']),
	};
};

const callEvent = (row: Row, {id, name, args}: CallPart, place: number): AdapterEvent => {
	const {progress} = row.context;
	const tool = name ?? 'unknown';
	if (id === undefined) remember(progress, 'namelessCalls', [tool, '']);
	else remember(progress, 'calls', [id, tool]);
	return eventOf(
		row,
		{block: place, text: capText(callText(tool, args))},
		compact({
			kind: 'tool_use' as const,
			...messageOf(row),
			tool: {...compact({name: tool, callId: id}), ...callFacts(tool, args)},
		}),
	);
};

const pieceEvents = (row: Row, piece: Placed): readonly AdapterEvent[] => {
	if (piece.kind === 'call') return [callEvent(row, piece.call, piece.place)];
	if (piece.kind !== 'text' && piece.kind !== 'thought') return [];
	const {place, kind, ...text} = piece;
	if (text.text.trim() === '') return [];
	const about = messageOf(row);
	return [
		eventOf(
			row,
			{block: place, text},
			kind === 'thought'
				? compact({kind: 'reasoning' as const, ...about})
				: compact({kind: 'message' as const, role: 'assistant' as const, ...about}),
		),
	];
};

const noteUsage = ({record, id, atMs, context}: Row, model: string | undefined): void => {
	const usage = record['usageMetadata'];
	if (!isRecord(usage)) return;
	const counts = tokenCounts({
		input: usage['promptTokenCount'],
		output: usage['candidatesTokenCount'],
		cached: usage['cachedContentTokenCount'],
		thoughts: usage['thoughtsTokenCount'],
		total: usage['totalTokenCount'],
	});
	if (counts !== undefined)
		context.batch.usage(compact({key: eventKey(id), ...counts, model, atMs}));
};

export const assistantEvents = (row: Row): readonly AdapterEvent[] => {
	const {model} = messageOf(row);
	if (model !== undefined) row.context.progress.model = model;
	noteUsage(row, model);
	return row.pieces.flatMap(piece => pieceEvents(row, piece));
};
