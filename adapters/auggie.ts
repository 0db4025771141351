/** Auggie, Augment Code's command line: one document a session, a list of exchanges of a request and a response. */

import {basename, dirname, join} from 'node:path';
import {type AdapterEvent, eventKey, type SessionFacts, type Usage} from './model.js';
import {createBatch, END} from './shared/batch.js';
import type {CallArguments} from './shared/calls/arguments.js';
import {commonChange} from './shared/calls/changes.js';
import {compact} from './shared/compact.js';
import {readDocument} from './shared/document.js';
import {foreignBy} from './shared/foreign.js';
import {at, countOf, isRecord, listOf, numberOf, stringOf, textOf} from './shared/narrow.js';
import {agentRoots} from './shared/roots.js';
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
} from './shared/rows/events.js';
import {PLAIN_ID} from './shared/session-ids.js';
import {timeMs} from './shared/time.js';
import {findFiles} from './shared/walk.js';
import type {
	Adapter,
	Batch,
	Discovered,
	ResumePlan,
	ResumeRequest,
	Root,
	Source,
	Surroundings,
} from './types.js';

const FOLDER = '.augment';
/** No variable moves the folder (0.36.0). */
const roots = (around: Surroundings): readonly Root[] =>
	agentRoots(around, {standard: join(around.home, FOLDER)});

function* discover(root: Root): Generator<Discovered> {
	const found = yield* findFiles(join(root.path, 'sessions'), {
		depth: 1,
		accept: (_, name) => name.endsWith('.json') && PLAIN_ID.test(basename(name, '.json')),
	});
	for (const {path, stamp} of found) {
		const sessionId = basename(path, '.json');
		yield {source: {key: path, path, files: [stamp], mode: 'replace', sessionId}};
	}
}

/** Fields are in snake case as a rule, in camel case in some versions. */
const field = (value: unknown, name: string): unknown =>
	at(value, name) ??
	at(
		value,
		name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
	);

const textField = (value: unknown, name: string): string => stringOf(field(value, name)) ?? '';

interface Session {
	readonly isSubagent: boolean;
	readonly names: Map<string, string>;
	/** Of billing: one may stand in several exchanges. */
	readonly transactions: Set<string>;
}

interface Exchange {
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

const exchangeEvents = (exchange: Exchange, session: Session): readonly AdapterEvent[] => {
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

function* read(source: Source): Generator<Batch> {
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

const resume = ({id, cwd, isSubagent, parentId, location}: ResumeRequest): ResumePlan => {
	if (isSubagent) {
		const parent = parentId === null ? '' : `: auggie --resume ${parentId}`;
		return {reason: `sub-agent session; its parent can be resumed${parent}`};
	}
	if (!PLAIN_ID.test(id)) return {reason: `${id} is no session id of Auggie`};
	const folder = dirname(dirname(location));
	const elsewhere = basename(folder) === FOLDER ? [] : ['--augment-cache-dir', folder];
	return {argv: ['auggie', '--resume', id, ...elsewhere], cwd, env: {}};
};

export const auggie: Adapter = {
	id: 'auggie',
	label: 'Auggie',
	shortLabel: 'Auggie',
	parserVersion: 1,
	checked: ['0.36.0', '0.32.0'],
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	foreign: foreignBy({
		idIn: ({sessionId, chatHistory}) => Array.isArray(chatHistory) && sessionId,
		at: id => `sessions/${id}.json`,
	}),
	resume,
};
