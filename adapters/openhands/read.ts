/** Reads one conversation: its events in their order, and what its state says of it. */

import {basename, join} from 'node:path';
import type {Problem, SessionFacts} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {readJsonFile} from '../shared/json-file.js';
import {at, isRecord, numberOf, recordOf, textOf} from '../shared/narrow.js';
import {type Batch, type Source, SourceUnreadable} from '../types.js';
import {eventNames, type Place} from './discover.js';
import {type Json, recordEvents} from './events.js';

interface Stored {
	readonly path: string;
	readonly id: string;
	readonly record: Json;
}

type Loaded = Stored | {readonly problem: Problem};

const load = (path: string): Loaded | undefined => {
	const document = readJsonFile(path);
	if (document === undefined) return undefined;
	if (document.problem !== undefined) return {problem: document.problem};
	const {value} = document;
	if (!isRecord(value)) {
		return {problem: {code: 'bad-record', where: path, detail: 'an event that is no object'}};
	}
	return {path, id: textOf(value['id']) ?? basename(path, '.json'), record: value};
};

const count = (value: unknown): number => {
	const stated = numberOf(value) ?? 0;
	return Number.isSafeInteger(stated) && stated > 0 ? stated : 0;
};

/** Totals of all models that worked on it. Prompts are counted with what came from the cache. */
const totalsOf = (state: unknown): Pick<SessionFacts, 'tokens' | 'costUsd'> => {
	const metrics = Object.values(recordOf(at(state, 'stats', 'usage_to_metrics')));
	const usages = metrics.map(entry => recordOf(at(entry, 'accumulated_token_usage')));
	const sum = (name: string) => usages.reduce((total, usage) => total + count(usage[name]), 0);
	const costs = metrics.flatMap(entry => numberOf(at(entry, 'accumulated_cost')) ?? []);
	const cacheRead = sum('cache_read_tokens');
	const tokens = {
		input: Math.max(0, sum('prompt_tokens') - cacheRead),
		output: sum('completion_tokens'),
		cacheRead,
		cacheWrite: sum('cache_write_tokens'),
		reasoning: sum('reasoning_tokens'),
	};
	const hasTokens = Object.values(tokens).some(value => value > 0);
	return compact({
		tokens: hasTokens ? tokens : undefined,
		costUsd: costs.length === 0 ? undefined : costs.reduce((a, b) => a + b),
	});
};

/** Only these fields: the state also holds the keys of the model's provider. */
const stateFacts = (state: unknown): SessionFacts => ({
	...compact({
		cwd: textOf(at(state, 'workspace', 'working_dir')),
		model: textOf(at(state, 'agent', 'llm', 'model')),
		generatedTitle: textOf(at(state, 'tags', 'title')),
	}),
	...totalsOf(state),
});

/**
 * Events that a navigation left behind: those that are neither on the way to the leaf nor behind it. An event without a parent
 * follows the one before it.
 */
const undoneIds = (events: readonly Stored[], leaf: string | undefined): ReadonlySet<string> => {
	const parents = new Map(
		events.map(({id, record}, place) => [id, textOf(record['parent_id']) ?? events[place - 1]?.id]),
	);
	const hasBranches = events.some(({record}) => textOf(record['parent_id']) !== undefined);
	if (leaf === undefined || !parents.has(leaf) || !hasBranches) return new Set();
	const live = new Set<string>();
	for (let id: string | undefined = leaf; id !== undefined && !live.has(id); id = parents.get(id)) {
		live.add(id);
	}
	const behind = new Set([leaf]);
	for (const {id} of events) {
		const parent = parents.get(id);
		if (parent === undefined || live.has(id) || !behind.has(parent)) continue;
		behind.add(id);
		live.add(id);
	}
	return new Set(events.map(({id}) => id).filter(id => !live.has(id)));
};

const placeOf = (source: Source): Place => {
	const extra = recordOf(source.extra);
	const state = textOf(extra['state']);
	return {folder: textOf(extra['folder']) ?? '', ...(state === undefined ? {} : {state})};
};

export function* read(source: Source): Generator<Batch> {
	const {folder, state: statePath} = placeOf(source);
	const names = eventNames(folder, folder === source.key);
	if (names === undefined) throw new SourceUnreadable('unreadable', `cannot list ${folder}`);
	const batch = createBatch(source.sessionId ?? basename(source.key));
	const state = statePath === undefined ? undefined : readJsonFile(statePath)?.value;
	batch.patch(stateFacts(state));
	const loaded = names.flatMap(name => load(join(folder, name)) ?? []);
	const events = loaded.flatMap(item => ('problem' in item ? [] : [item]));
	for (const item of loaded) if ('problem' in item) batch.problem(item.problem);
	const undone = undoneIds(events, textOf(at(state, 'leaf_event_id')));
	for (const {id, path, record} of events) {
		if (batch.isFull()) yield batch.take(END);
		const place = {
			key: id,
			locator: {path, pointer: ''},
			state: undone.has(id) ? ('undone' as const) : undefined,
		};
		for (const event of recordEvents(record, place, kind => batch.unknown(kind))) {
			batch.event(event);
		}
	}
	yield batch.take(END);
}
