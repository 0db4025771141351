/** What the agent answers: the parts of a response; of a response without parts the rounds with the model. */

import {basename} from 'node:path';
import type {AdapterEvent} from '../model.js';
import {compact} from '../shared/compact.js';
import {oneLine} from '../shared/content.js';
import {copilotCallFacts, copilotCallText} from '../shared/copilot/calls.js';
import {fileUriPath} from '../shared/file-uri.js';
import {at, entryOf, firstText, isRecord, listOf, stringOf, textOf} from '../shared/narrow.js';
import {type Invocation, invocationOf, labelOf, resultText} from './invocations.js';
import {eventOf, noteEvents, type Turn} from './turn.js';

interface Part {
	readonly part: Record<string, unknown>;
	readonly kind: string;
	readonly place: number;
}

const partsOf = ({request}: Turn): readonly Part[] => {
	const {response} = request;
	const items: readonly unknown[] = typeof response === 'string' ? [response] : listOf(response);
	return items.map((item, place) => {
		const part = isRecord(item) ? item : {value: item};
		return {part, kind: textOf(part['kind']) ?? 'markdownContent', place};
	});
};

const uriPath = (uri: unknown): string | undefined =>
	['fsPath', 'path'].map(name => textOf(at(uri, name))).find(path => path !== undefined) ??
	fileUriPath(at(uri, 'external') ?? uri);

/** A file, a place in one, or a symbol: its name. */
const referenceText = (part: Record<string, unknown>): string => {
	const target = part['inlineReference'];
	const path =
		uriPath(target) ?? uriPath(at(target, 'uri')) ?? uriPath(at(target, 'location', 'uri'));
	const name = textOf(part['name']) ?? textOf(at(target, 'name'));
	return name ?? (path === undefined ? '' : basename(path));
};

const markdownText = ({value, content}: Record<string, unknown>): string =>
	stringOf(value) ?? stringOf(at(value, 'value')) ?? labelOf(content) ?? '';

/** Parts that make one text together. */
const TEXTS: Readonly<Record<string, (part: Record<string, unknown>) => string>> = {
	inlineReference: referenceText,
	markdownContent: markdownText,
	markdownVuln: markdownText,
};

const thinkingText = ({value}: Record<string, unknown>): string =>
	stringOf(value) ??
	listOf(value)
		.map(part => stringOf(part) ?? '')
		.join('');

const statusText = (part: Record<string, unknown>): string | undefined =>
	labelOf(part['content']) ?? labelOf(part['message']) ?? labelOf(part['title']);

const questionText = (part: Record<string, unknown>): string =>
	[part['title'], part['message']].flatMap(value => labelOf(value) ?? []).join('\n');

const editText = (part: Record<string, unknown>): string | undefined => {
	const paths = [part['uri'], ...listOf(part['edits']).map(edit => at(edit, 'resource'))];
	const named = [...new Set(paths.flatMap(uri => uriPath(uri) ?? []))];
	return named.length === 0 ? undefined : `edited ${named.join(', ')}`;
};

const hookText = (part: Record<string, unknown>): string | undefined =>
	firstText(part, ['systemMessage', 'stopReason', 'hookType']);

/** Notes: shown by the editor, said by nobody. */
const NOTES: Readonly<Record<string, (part: Record<string, unknown>) => string | undefined>> = {
	confirmation: questionText,
	elicitationSerialized: questionText,
	hook: hookText,
	info: statusText,
	notebookEditGroup: editText,
	progressMessage: statusText,
	progressTaskSerialized: statusText,
	questionCarousel: questionText,
	textEditGroup: editText,
	warning: statusText,
	workspaceEdit: editText,
};

const SILENT = new Set(
	[
		'autoModeResolution clearToPreviousToolInvocation codeblockUri command disabledClaudeHooks extensions',
		'mcpServersStarting multiDiffData prepareToolInvocation pullRequest treeData undoStop',
	].flatMap(kinds => kinds.split(' ')),
);

const callEvents = (
	turn: Turn,
	{part, pointer}: {readonly part: string | number; readonly pointer: string},
	{name, callId, ...call}: Invocation,
): readonly AdapterEvent[] => {
	const tool = compact({name, callId});
	const asked = eventOf(
		turn,
		{part, text: call.callText, pointer},
		{kind: 'tool_use', tool: {...tool, ...call.callFacts}},
	);
	if (call.result === undefined) return [asked];
	const {text, isError, exitCode} = call.result;
	const came = compact({...tool, isError: isError || undefined, exitCode});
	return [
		asked,
		eventOf(turn, {part: `${part}.result`, text, pointer}, {kind: 'tool_result', tool: came}),
	];
};

/** Everything but texts. The key of a part is its place, from 1: 0 is the request itself. */
const partEvents = (turn: Turn, {part, kind, place}: Part): readonly AdapterEvent[] => {
	const where = {part: place + 1, pointer: `/response/${place}`};
	if (kind === 'toolInvocationSerialized') {
		return callEvents(turn, where, invocationOf(part, turn.data));
	}
	if (kind === 'thinking') {
		const text = thinkingText(part);
		return text.trim() === '' ? [] : [eventOf(turn, {...where, text}, {kind: 'reasoning'})];
	}
	const note = entryOf(NOTES, kind);
	if (note !== undefined) return noteEvents(turn, {...where, text: note(part)});
	if (!SILENT.has(kind)) turn.batch.unknown(`part/${oneLine(kind, 80)}`);
	return [];
};

const SPOKEN = {kind: 'message', role: 'assistant'} as const;

/** Neighbouring texts are one message; what is not shown does not part them. */
const shownEvents = (turn: Turn, parts: readonly Part[]): readonly AdapterEvent[] => {
	const events: AdapterEvent[] = [];
	let run: {readonly place: number; text: string} | undefined;
	const close = (): void => {
		if (run !== undefined && run.text.trim() !== '') {
			const where = {part: run.place + 1, pointer: pointerOf(turn, run.place)};
			events.push(eventOf(turn, {...where, text: run.text}, SPOKEN));
		}
		run = undefined;
	};
	for (const item of parts) {
		const textOfPart = entryOf(TEXTS, item.kind);
		if (textOfPart !== undefined) {
			run ??= {place: item.place, text: ''};
			run.text += textOfPart(item.part);
			continue;
		}
		const others = partEvents(turn, item);
		if (others.length > 0) close();
		events.push(...others);
	}
	close();
	return events;
};

/** In early documents the whole response is one text. */
const pointerOf = ({request}: Turn, place: number): string =>
	typeof request['response'] === 'string' ? '/response' : `/response/${place}`;

const thoughtEvents = (turn: Turn, {thinking}: Turn['data']['rounds'][number], index: number) => {
	const pointer = `/result/metadata/toolCallRounds/${index}`;
	return thinking === undefined
		? []
		: [
				eventOf(
					turn,
					{part: `round${index}.thinking`, text: thinking, pointer},
					{kind: 'reasoning'},
				),
			];
};

const roundEvents = (turn: Turn): readonly AdapterEvent[] =>
	turn.data.rounds.flatMap((round, index) => {
		const pointer = `/result/metadata/toolCallRounds/${index}`;
		const {response, calls} = round;
		const said =
			response === undefined
				? []
				: [eventOf(turn, {part: `round${index}`, text: response, pointer}, SPOKEN)];
		const called = calls.flatMap(({id, name, args}, place) => {
			const text = id === undefined ? undefined : resultText(turn.data.results.get(id));
			const call = {
				name,
				callId: id,
				callText: copilotCallText(args),
				callFacts: copilotCallFacts(name, args),
			};
			const result = text === undefined ? undefined : {text, isError: false};
			const where = {part: `round${index}.${place}`, pointer: `${pointer}/toolCalls/${place}`};
			return callEvents(turn, where, {...call, result});
		});
		return [...thoughtEvents(turn, round, index), ...said, ...called];
	});

/** The last one stands for all before it. */
const summaryText = ({metadata}: Turn): string | undefined => {
	const stated = textOf(at(listOf(metadata['summaries']).at(-1), 'text'));
	const older = textOf(at(metadata['summary'], 'text')) ?? textOf(metadata['summary']);
	const inRounds = listOf(metadata['toolCallRounds']).map(round => textOf(at(round, 'summary')));
	return stated ?? older ?? inRounds.findLast(text => text !== undefined);
};

export const responseEvents = (turn: Turn): readonly AdapterEvent[] => {
	const parts = partsOf(turn);
	const shown = shownEvents(turn, parts);
	const isEmpty = !shown.some(({kind}) => kind !== 'meta');
	const hasThought = shown.some(({kind}) => kind === 'reasoning');
	const thoughts =
		isEmpty || hasThought
			? []
			: turn.data.rounds.flatMap((round, index) => thoughtEvents(turn, round, index));
	return [
		...noteEvents(
			turn,
			{part: 'summary', text: summaryText(turn), pointer: '/result/metadata'},
			'summary',
		),
		...thoughts,
		...shown,
		...(isEmpty ? roundEvents(turn) : []),
		...noteEvents(turn, {
			part: 'error',
			text: textOf(at(turn.request, 'result', 'errorDetails', 'message')),
			pointer: '/result/errorDetails',
		}),
	];
};
