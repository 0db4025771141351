/** Exchanges of a request and a response, and what they hold: texts, calls, results, thoughts, summaries. */

import type {AdapterEvent} from '../model.js';
import type {CallArguments} from '../shared/calls/arguments.js';
import {commonChange} from '../shared/calls/changes.js';
import {compact} from '../shared/compact.js';
import {at, isRecord, listOf, numberOf, stringOf, textOf} from '../shared/narrow.js';
import {
	argumentsOf,
	callForm,
	eventOf,
	type Form,
	mediaText,
	type Place,
	promptForm,
	reasoningForm,
	replyForm,
	resultForm,
} from '../shared/rows/events.js';

/** Fields are in snake case as a rule, in camel case in some versions. */
export const field = (value: unknown, name: string): unknown =>
	at(value, name) ??
	at(
		value,
		name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
	);

const textField = (value: unknown, name: string): string => stringOf(field(value, name)) ?? '';

export interface Session {
	readonly isSubagent: boolean;
	readonly names: Map<string, string>;
	/** Of billing: one may stand in several exchanges. */
	readonly transactions: Set<string>;
}

export interface Exchange {
	readonly entry: unknown;
	/** Request and response. */
	readonly body: unknown;
	readonly requests: readonly unknown[];
	readonly responses: readonly unknown[];
	/** The key of each half is the base with its name. */
	readonly base: string;
	readonly place: Place;
}

const imageText = (image: unknown): string =>
	mediaText('image', {data: field(image, 'image_data')});

const nodeText = (node: unknown): string => textField(field(node, 'text_node'), 'content');

const resultText = (result: unknown): string => {
	const parts = listOf(field(result, 'content_nodes')).map(node => {
		const image = field(node, 'image_content');
		return image === undefined ? textField(node, 'text_content') : imageText(image);
	});
	return [textField(result, 'content'), ...parts].filter(text => text !== '').join('\n');
};

const resultOf = (result: unknown, {names}: Session): Form => {
	const durationMs = numberOf(field(result, 'duration_ms'));
	const facts = {
		callId: textOf(field(result, 'tool_use_id')),
		isError: field(result, 'is_error') === true,
		...compact({durationMs}),
	};
	return resultForm(resultText(result), facts, names);
};

/** What older versions put into a text when history was cut. */
const OLD_SUMMARY = /^\s*<supervisor>[\s\S]*<summary/;

const summaryTexts = ({entry, requests}: Exchange, said: string): readonly string[] => {
	const nodes = requests.flatMap(
		node => textOf(field(field(node, 'history_summary_node'), 'summary_text')) ?? [],
	);
	const isSummary = at(entry, 'isHistorySummary') === true || OLD_SUMMARY.test(said);
	return isSummary && said.trim() !== '' ? [...nodes, said] : nodes;
};

const requestForms = (exchange: Exchange, session: Session): readonly Form[] => {
	const {body, requests} = exchange;
	const results = requests.flatMap(node => field(node, 'tool_result_node') ?? []);
	const texts = requests.map(nodeText).filter(text => text.trim() !== '');
	const images = requests.flatMap(node => field(node, 'image_node') ?? []).map(imageText);
	const said = texts.length > 0 ? texts.join('\n') : textField(body, 'request_message');
	const summaries = summaryTexts(exchange, said);
	const words = summaries.includes(said) ? images : [said, ...images];
	const text = words.filter(part => part.trim() !== '').join('\n');
	return [
		...results.map(result => resultOf(result, session)),
		...summaries.map((summary): Form => ({kind: 'summary', text: summary})),
		...(text === ''
			? []
			: [session.isSubagent ? ({kind: 'meta', text} as const) : promptForm(text)]),
	];
};

/** The editor's `command` says what it does with the file, and is none of a shell. */
const argumentsIn = (name: string, json: unknown): CallArguments => {
	const args = argumentsOf(json);
	if (name !== 'str-replace-editor') return args;
	const {command, ...others} = args;
	return {...others, ...compact({action: command})};
};

/** Told by what a node holds: the numbers of its types differ by version. */
const responseForm = (node: unknown, {names}: Session, place: Place): Form | undefined => {
	const call = field(node, 'tool_use');
	if (isRecord(call)) {
		const name = textOf(field(call, 'tool_name')) ?? 'unknown';
		const args = argumentsIn(name, field(call, 'input_json'));
		const callId = textOf(field(call, 'tool_use_id'));
		return callForm({name, callId, args}, {change: commonChange(name), names, place});
	}
	const thinking = field(node, 'thinking');
	const thought = textOf(at(thinking, 'summary')) ?? textOf(at(thinking, 'content'));
	if (thought !== undefined) return reasoningForm(thought, place);
	const said = textOf(at(node, 'content')) ?? textOf(nodeText(node));
	return said === undefined ? undefined : replyForm(said, place);
};

const isReply = (form: Form | undefined): boolean => form?.role === 'assistant';

const responseForms = (
	{body, responses}: Exchange,
	session: Session,
	place: Place,
): readonly (Form | undefined)[] => {
	const forms = responses.map(node => responseForm(node, session, place));
	const said = textOf(textField(body, 'response_text'));
	// Otherwise the text repeats the nodes.
	return said === undefined || forms.some(isReply) ? forms : [replyForm(said, place), ...forms];
};

/** One event for each form; its block is its place, shown or not. */
const eventsOf = (place: Place, forms: readonly (Form | undefined)[]): readonly AdapterEvent[] =>
	forms.flatMap((form, block) => (form === undefined ? [] : [eventOf(place, block, form)]));

export const exchangeEvents = (exchange: Exchange, session: Session): readonly AdapterEvent[] => {
	const {base, place} = exchange;
	const {atMs} = place;
	// Only the end of an exchange has a time.
	const asked = {...place, key: `${base}-request`, atMs: atMs === undefined ? atMs : atMs - 1};
	const answered = {...place, key: `${base}-response`};
	return [
		...eventsOf(asked, requestForms(exchange, session)),
		...eventsOf(answered, responseForms(exchange, session, answered)),
	];
};
