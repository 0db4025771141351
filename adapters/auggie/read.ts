/** Reads a session: its exchanges in order, what they cost, and where they were had. */

import {eventKey, type SessionFacts, type Usage} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {readDocument} from '../shared/document.js';
import {at, countOf, isRecord, listOf, numberOf, textOf} from '../shared/narrow.js';
import type {Place} from '../shared/rows/events.js';
import {timeMs} from '../shared/time.js';
import type {Batch, Source} from '../types.js';
import {type Exchange, exchangeEvents, field, type Session} from './exchanges.js';

const costOf = ({responses}: Exchange, {transactions}: Session): number | undefined => {
	const costs = responses.flatMap(node => {
		const billing = field(node, 'billing_metadata');
		const [id, cost] = [
			textOf(field(billing, 'transaction_id')),
			numberOf(field(billing, 'cost_usd')),
		];
		if (cost === undefined || (id !== undefined && transactions.has(id))) return [];
		if (id !== undefined) transactions.add(id);
		return [cost];
	});
	return costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0);
};

const usageOf = (exchange: Exchange, session: Session): Usage | undefined => {
	const {responses, base, place} = exchange;
	const usage = responses.map(node => field(node, 'token_usage')).findLast(isRecord);
	const costUsd = costOf(exchange, session);
	if (usage === undefined && costUsd === undefined) return undefined;
	const count = (name: string): number => countOf(field(usage, name));
	return compact({
		key: eventKey(base),
		input: count('input_tokens'),
		output: count('output_tokens'),
		cacheRead: count('cache_read_input_tokens'),
		cacheWrite: count('cache_creation_input_tokens'),
		model: place.model,
		costUsd,
		atMs: place.atMs,
	});
};

const sequenceOf = (entry: unknown): number =>
	numberOf(at(entry, 'sequenceId')) ?? Number.POSITIVE_INFINITY;

const bySequence = (a: unknown, b: unknown): number => {
	const [first, second] = [sequenceOf(a), sequenceOf(b)];
	return first === second ? 0 : first - second;
};

/** In the order of their numbers: an exchange may have been put in between later. */
const exchangesOf = (path: string, history: unknown, model: string | undefined) =>
	listOf(history)
		.map((entry, index) => {
			const body = at(entry, 'exchange') ?? entry;
			const base = textOf(field(body, 'request_id')) ?? String(index);
			const place: Place = {
				key: base,
				atMs: timeMs(at(entry, 'finishedAt')),
				locator: {path, pointer: `/chatHistory/${index}`},
				model,
			};
			const [requests, responses] = ['request_nodes', 'response_nodes'].map(name =>
				listOf(field(body, name)),
			) as [readonly unknown[], readonly unknown[]];
			return {entry, body, base, place, requests, responses};
		})
		.toSorted((a, b) => bySequence(a.entry, b.entry));

/** The folder that the first request was made in. */
const folderOf = (exchanges: readonly Exchange[]): string | undefined => {
	const states = exchanges.flatMap(({requests}) =>
		requests.flatMap(node => field(node, 'ide_state_node') ?? []),
	);
	const folders = states.flatMap(state => listOf(field(state, 'workspace_folders')).slice(0, 1));
	const stated = folders.map(
		folder => textOf(field(folder, 'repository_root')) ?? textOf(field(folder, 'folder_root')),
	);
	return stated.find(folder => folder !== undefined);
};

const factsOf = (document: unknown, exchanges: readonly Exchange[]): SessionFacts => {
	const id = textOf(at(document, 'parentConversationId'));
	const parent = {id: id ?? '', relation: 'subagent', certainty: 'exact'} as const;
	return compact({
		customTitle: textOf(at(document, 'customTitle')),
		generatedTitle: textOf(at(document, 'title')),
		cwd: folderOf(exchanges) ?? textOf(at(document, 'workspaceRoot')),
		model: textOf(at(document, 'agentState', 'modelId')),
		createdAtMs: timeMs(at(document, 'created')),
		updatedAtMs: timeMs(at(document, 'modified')),
		isSubagent: id === undefined ? undefined : true,
		parent: id === undefined ? undefined : parent,
	});
};

export function* read(source: Source): Generator<Batch> {
	const document = readDocument(source.path);
	const model = textOf(at(document, 'agentState', 'modelId'));
	const exchanges = exchangesOf(source.path, document['chatHistory'], model);
	const facts = factsOf(document, exchanges);
	const batch = createBatch(source.sessionId ?? '');
	batch.patch(facts);
	const session: Session = {
		isSubagent: facts.isSubagent === true,
		names: new Map(),
		transactions: new Set(),
	};
	for (const exchange of exchanges) {
		for (const event of exchangeEvents(exchange, session)) batch.event(event);
		const usage = usageOf(exchange, session);
		if (usage !== undefined) batch.usage(usage);
	}
	yield batch.take(END);
}
