/** Reads a log of events whole: later lines change steps that earlier ones began. */

import type {AdapterEvent} from '../model.js';
import {type BatchBuilder, createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {oneLine} from '../shared/content.js';
import {readJsonLines} from '../shared/jsonl.js';
import {at, countOf, entryOf, listOf, stringOf, textOf} from '../shared/narrow.js';
import {eventOf, type Place, promptForm} from '../shared/rows/events.js';
import {timeMs} from '../shared/time.js';
import type {Batch, Source} from '../types.js';
import {STEPS, type Step, stepEvents} from './steps.js';

interface Prompt {
	readonly kind: 'prompt';
	readonly text: string;
	place: Place;
}
interface Failure {
	readonly kind: 'failure';
	readonly text: string;
	readonly place: Place;
}
type Part = Prompt | Failure | {readonly kind: 'step'; step: Step};

/** Mutable on purpose: one line after the other is folded into it. */
interface Fold {
	readonly batch: BatchBuilder;
	readonly parts: Part[];
	/** Steps of this turn by their id. */
	readonly steps: Map<string, {readonly kind: 'step'; step: Step}>;
	readonly keys: Set<string>;
	readonly directories: Set<string>;
}

const uniqueKey = ({keys}: Fold, id: string, line: string): string => {
	const key = keys.has(id) ? `${id}-${line}` : id;
	keys.add(key);
	return key;
};

const foldStep = (fold: Fold, state: unknown, place: Place): void => {
	const id = textOf(at(state, 'stepId')) ?? place.key;
	const known = fold.steps.get(id);
	if (known !== undefined) {
		const {key} = known.step.place;
		known.step = {...known.step, state, place: {...place, key}};
		return;
	}
	const step = {
		state,
		id,
		beganAtMs: place.atMs,
		place: {...place, key: uniqueKey(fold, id, place.key)},
	};
	const part = {kind: 'step' as const, step};
	fold.steps.set(id, part);
	fold.parts.push(part);
};

const foldUsage = ({batch}: Fold, state: unknown, {key, atMs}: Place): void => {
	for (const [index, used] of listOf(at(state, 'modelUsage')).entries()) {
		const count = (name: string): number => countOf(at(used, name));
		const model = textOf(at(used, 'model'));
		if (model !== undefined) batch.patch({model});
		batch.usage({
			key: index === 0 ? key : `${key}.${index}`,
			input: count('inputTokens'),
			output: count('outputTokens'),
			cacheRead: count('cacheInputTokens'),
			cacheWrite: count('cacheCreateTokens'),
			...compact({model, atMs}),
		});
	}
};

const foldFailure = ({parts}: Fold, state: unknown, place: Place): void => {
	const said = [at(state, 'errorCode'), at(state, 'message')].flatMap(part => textOf(part) ?? []);
	if (said.length > 0) parts.push({kind: 'failure', text: said.join(': '), place});
};

type Reader = (fold: Fold, state: unknown, place: Place) => void;

const READERS: Readonly<Record<string, Reader>> = {
	...Object.fromEntries(Object.keys(STEPS).map(kind => [kind, foldStep])),
	AgentFailureEvent: foldFailure,
	CurrentDirectoryUpdatedEvent: ({directories}, state) => {
		const directory = textOf(at(state, 'currentDirectory'));
		if (directory !== undefined) directories.add(directory);
	},
	LlmResponseMetadataEvent: foldUsage,
};

/** Prompts have no time of their own: that of the next event is theirs. */
const datePrompts = ({parts}: Fold, atMs: number | undefined): void => {
	for (const part of parts.slice(parts.findLastIndex(({kind}) => kind !== 'prompt') + 1)) {
		if (part.kind === 'prompt' && part.place.atMs === undefined) part.place = {...part.place, atMs};
	}
};

const foldRecord = (fold: Fold, record: Readonly<Record<string, unknown>>, place: Place): void => {
	if (record['kind'] === 'UserPromptEvent') {
		fold.steps.clear();
		fold.parts.push({kind: 'prompt', text: stringOf(record['prompt']) ?? '', place});
		return;
	}
	datePrompts(fold, place.atMs);
	const state = at(record, 'event', 'agentEvent');
	const kind = textOf(at(state, 'kind')) ?? textOf(record['kind']) ?? 'none';
	const read = entryOf(READERS, kind);
	if (read === undefined) fold.batch.unknown(oneLine(kind, 80));
	else read(fold, state, place);
};

const partEvents = (part: Part): readonly AdapterEvent[] => {
	if (part.kind === 'step') return stepEvents(part.step);
	const {text, place} = part;
	if (text.trim() === '') return [];
	return [eventOf(place, 0, part.kind === 'prompt' ? promptForm(text) : {kind: 'meta', text})];
};

export function* read(source: Source): Generator<Batch> {
	const batch = createBatch(source.sessionId ?? '');
	const fold: Fold = {
		batch,
		parts: [],
		steps: new Map(),
		keys: new Set(),
		directories: new Set(),
	};
	for (const line of readJsonLines(source.path)) {
		const {record, problem, number, offset, length} = line;
		if (problem !== undefined) batch.problem(problem);
		else {
			const atMs = timeMs(record['timestampMs']);
			foldRecord(fold, record, {key: `L${number}`, atMs, locator: {offset, length}});
		}
	}
	if (fold.directories.size > 0) batch.patch({directories: [...fold.directories]});
	for (const part of fold.parts) for (const event of partEvents(part)) batch.event(event);
	yield batch.take(END);
}
