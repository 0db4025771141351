/** One request of a chat and its response, as events. */

import {type AdapterEvent, eventKey} from '../model.js';
import type {BatchBuilder} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {capText} from '../shared/content.js';
import {at, isRecord, listOf, numberOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {timeMs} from '../shared/time.js';
import {type TurnData, turnDataOf} from './invocations.js';

/** What all events of a turn share. */
export interface Turn {
	readonly request: Record<string, unknown>;
	readonly metadata: Record<string, unknown>;
	readonly data: TurnData;
	readonly id: string;
	readonly atMs: number | undefined;
	readonly model: string | undefined;
	/** Taken back by the user. */
	readonly isUndone: boolean;
	/** Not typed: started by a task or another program. */
	readonly isHeadless: boolean;
	readonly path: string;
	readonly pointer: string;
	readonly batch: BatchBuilder;
}

/** `copilot/gpt-x` → `gpt-x`. */
const modelName = (value: unknown): string | undefined =>
	textOf(textOf(value)?.replace(/^copilot\//, ''));

/** The model that was chosen, or the one behind "auto". */
const modelOf = (request: Record<string, unknown>, metadata: unknown): string | undefined => {
	const resolution = listOf(request['response']).find(
		part => at(part, 'kind') === 'autoModeResolution',
	);
	return (
		modelName(at(metadata, 'resolvedModel')) ??
		modelName(at(resolution, 'resolvedModel')) ??
		modelName(request['modelId'])
	);
};

export const turnOf = (
	value: unknown,
	index: number,
	about: Pick<Turn, 'path' | 'batch' | 'isHeadless'>,
): Turn => {
	const request = recordOf(value);
	const metadata = recordOf(at(request, 'result', 'metadata'));
	const isRemoved = request['shouldBeRemovedOnSend'];
	return {
		...about,
		request,
		metadata,
		data: turnDataOf(metadata),
		id: textOf(request['requestId']) ?? `R${index + 1}`,
		atMs: timeMs(request['timestamp']),
		model: modelOf(request, metadata),
		isUndone: isRecord(isRemoved) || isRemoved === true || request['isHidden'] === true,
		pointer: `/requests/${index}`,
	};
};

type Fields = Omit<AdapterEvent, 'key' | 'atMs' | 'locator' | 'text' | 'fullLength' | 'state'>;

/** `part` is what the key says beside the request's id: the place in the response, or a name. */
export const eventOf = (
	turn: Turn,
	{part, text, pointer = ''}: {part?: string | number; text: string; pointer?: string},
	fields: Fields,
): AdapterEvent =>
	compact({
		key: part === undefined ? eventKey(turn.id) : `${eventKey(turn.id)}.${part}`,
		...fields,
		...(fields.kind === 'meta' || fields.role === 'user' ? {} : compact({model: turn.model})),
		atMs: turn.atMs,
		...capText(text),
		locator: {path: turn.path, pointer: turn.pointer + pointer},
		state: turn.isUndone ? ('undone' as const) : undefined,
	});

/** A note that nobody typed; nothing to say gives none. */
export const noteEvents = (
	turn: Turn,
	{part, text, pointer = ''}: {part: string | number; text: string | undefined; pointer?: string},
	kind: 'meta' | 'summary' = 'meta',
): readonly AdapterEvent[] =>
	text === undefined || text.trim() === '' ? [] : [eventOf(turn, {part, text, pointer}, {kind})];

/** Prompt tokens hold cached ones: they are not told apart. */
export const noteUsage = ({metadata, request, id, model, atMs, batch}: Turn): void => {
	const input = numberOf(metadata['promptTokens']);
	const output = numberOf(metadata['outputTokens']) ?? numberOf(request['completionTokens']);
	if (input === undefined && output === undefined) return;
	const counts = {input: input ?? 0, output: output ?? 0, cacheRead: 0, cacheWrite: 0};
	batch.usage(compact({key: eventKey(id), ...counts, model, atMs}));
};

/** Text of `{kind: 'text', text}` parts. */
export const partsText = (parts: unknown): string =>
	listOf(parts)
		.map(part => stringOf(at(part, 'text')) ?? '')
		.join('');
