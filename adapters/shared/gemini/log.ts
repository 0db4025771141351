/**
 * A session as Gemini CLI records it: a log of operations on an ordered list of messages (since about 0.37), or one document that
 * holds the list (before). The log is replayed here. Nothing that was ever on the list is lost: a restored list (`$set.messages`,
 * written on resume and after a compression) adds what is new and takes nothing away; only a rewind does, and leaves a mark.
 */

import type {Locator, SessionFacts} from '../../model.js';
import {listOf, recordOf, stringOf, textOf} from '../narrow.js';
import {timeMs} from '../time.js';
import {type Json, type LoggedCall, type LoggedMessage, messageOf} from './message.js';
import {textsOf} from './parts.js';
import {isAcknowledgement, tell} from './prompts.js';

const isUser = ({type}: LoggedMessage): boolean => type === 'user';

/** Calls of the newer version, with the results that only the older one had. */
const mergedCalls = (
	older: readonly LoggedCall[],
	newer: readonly LoggedCall[],
): readonly LoggedCall[] => {
	if (newer.length === 0) return older;
	return newer.map((call, index) => {
		const before = older.find(({id}) => id !== undefined && id === call.id) ?? older[index];
		const isSame = before?.id === call.id && before?.name === call.name;
		return isSame && call.result === undefined ? {...call, result: before.result} : call;
	});
};

const hasContent = ({pieces}: LoggedMessage): boolean =>
	pieces.some(piece => piece.kind !== 'text' || piece.text !== '');

/** `base` with what only `other` has. */
const filled = (base: LoggedMessage, other: LoggedMessage): LoggedMessage => ({
	...base,
	atMs: base.atMs ?? other.atMs,
	pieces: hasContent(base) ? base.pieces : other.pieces,
	shown: base.shown ?? other.shown,
	thoughts: base.thoughts.text === '' ? other.thoughts : base.thoughts,
	tokens: base.tokens ?? other.tokens,
	model: base.model ?? other.model,
	made: base.made ?? other.made,
});

export interface SessionLog {
	/** Takes one record; returns the name of a kind that is not known. */
	apply(record: Json, locator: Locator): string | undefined;
	messages(): readonly LoggedMessage[];
	sessionId(): string | undefined;
	/** The session's own statement of its kind: a sub-agent's task is no prompt. */
	isSubagent(): boolean;
	facts(): SessionFacts;
}

interface State {
	readonly messages: Map<string, LoggedMessage>;
	/** All fields that a header or `$set` gave, the last ones. */
	meta: Json;
	sessionId: string | undefined;
	startMs: number | undefined;
}

/** Fields that `$set` is known to set. */
const FIELDS: ReadonlySet<string> = new Set([
	'directories',
	'kind',
	'lastUpdated',
	'memoryScratchpad',
	'messages',
	'projectHash',
	'sessionId',
	'startTime',
	'summary',
]);

const idOf = (message: unknown): string | undefined => textOf(recordOf(message)['id']);

/** A line of its own: the newer version counts; only its time and what it lacks come from the older one. */
const put = ({messages}: State, message: LoggedMessage): void => {
	const known = messages.get(message.id);
	if (known === undefined) messages.set(message.id, message);
	else {
		messages.set(message.id, {
			...filled(message, known),
			atMs: known.atMs ?? message.atMs,
			calls: mergedCalls(known.calls, message.calls),
		});
	}
};

/** A message of a restored list: without model and tokens, at the time of the resume, outputs perhaps masked (0.61.0). */
const restore = ({messages}: State, message: LoggedMessage): void => {
	const known = messages.get(message.id);
	if (known === undefined) messages.set(message.id, message);
	else {
		messages.set(message.id, {
			...filled(known, message),
			calls: mergedCalls(message.calls, known.calls),
			isUndone: false,
		});
	}
};

/** A compression leaves context, summary and an invented answer on the list. */
const markMade = (list: readonly LoggedMessage[], isKnown: (id: string) => boolean) =>
	list.map((message, index): LoggedMessage => {
		const [before, after] = [list[index - 1], list[index + 1]];
		const isAnswer = (one: LoggedMessage | undefined): boolean =>
			one !== undefined && !isUser(one) && isAcknowledgement(textsOf(one.pieces).text);
		if (isKnown(message.id)) return message;
		if (isUser(message) && isAnswer(after) && tell(textsOf(message.pieces).text) !== 'meta') {
			return {...message, made: 'summary'};
		}
		return isAnswer(message) && before !== undefined && isUser(before)
			? {...message, made: 'acknowledgement'}
			: message;
	});

const restoreList = (state: State, list: unknown, locator: Locator): void => {
	const messages = listOf(list).flatMap(message => {
		const id = idOf(message);
		return id === undefined ? [] : [messageOf(recordOf(message), id, locator)];
	});
	for (const message of markMade(messages, id => state.messages.has(id))) restore(state, message);
};

const setMeta = (state: State, {messages, ...meta}: Json, locator: Locator): void => {
	state.meta = {...state.meta, ...meta};
	state.sessionId ??= textOf(meta['sessionId']);
	state.startMs ??= timeMs(meta['startTime']);
	restoreList(state, messages, locator);
};

/** Back to before a message: it and all that came after it is undone; an id that is not on the list undoes everything. */
const rewind = ({messages}: State, target: unknown): void => {
	const ids = [...messages.keys()];
	const from = ids.indexOf(stringOf(target) ?? '');
	for (const id of ids.slice(Math.max(0, from))) {
		const message = messages.get(id);
		if (message !== undefined) messages.set(id, {...message, isUndone: true});
	}
};

const factsOf = ({messages, meta, startMs}: State): SessionFacts => {
	const models = [...messages.values()].flatMap(({model}) => model ?? []);
	const directories = listOf(meta['directories']).flatMap(path => textOf(path) ?? []);
	const summary = textOf(meta['summary']);
	const lastMs = timeMs(meta['lastUpdated']);
	return {
		...(summary === undefined ? {} : {generatedTitle: summary}),
		...(directories[0] === undefined ? {} : {cwd: directories[0]}),
		...(directories.length < 2 ? {} : {directories}),
		...(models.length === 0 ? {} : {model: models.at(-1) ?? null}),
		...(startMs === undefined ? {} : {bornAtMs: startMs, createdAtMs: startMs}),
		...(lastMs === undefined ? {} : {updatedAtMs: lastMs}),
	};
};

const OPERATIONS: Readonly<
	Record<string, (state: State, record: Json, locator: Locator) => string | undefined>
> = {
	$set(state, record, locator) {
		const fields = recordOf(record['$set']);
		setMeta(state, fields, locator);
		const strange = Object.keys(fields).find(name => !FIELDS.has(name));
		return strange === undefined ? undefined : `$set/${strange.slice(0, 80)}`;
	},
	$rewindTo(state, record) {
		rewind(state, record['$rewindTo']);
		return undefined;
	},
	id(state, record, locator) {
		const id = idOf(record);
		if (id === undefined) return 'message without id';
		put(state, messageOf(record, id, locator));
		return undefined;
	},
	sessionId(state, record, locator) {
		setMeta(state, record, locator);
		return undefined;
	},
};

export const createLog = (): SessionLog => {
	const state: State = {messages: new Map(), meta: {}, sessionId: undefined, startMs: undefined};
	return {
		apply(record, locator) {
			const operation = Object.keys(OPERATIONS).find(name => Object.hasOwn(record, name));
			if (operation !== undefined) return OPERATIONS[operation]?.(state, record, locator);
			return (Object.keys(record)[0] ?? 'empty record').slice(0, 80);
		},
		messages: () => [...state.messages.values()],
		sessionId: () => state.sessionId,
		isSubagent: () => state.meta['kind'] === 'subagent',
		facts: () => factsOf(state),
	};
};
