/** One entry → events. Pure: what an entry says does not depend on the ones before. */

import {type AdapterEvent, eventKey, type PromptInput} from '../../model.js';
import {SOUGHT_FIRST} from '../calls/arguments.js';
import {commonChange} from '../calls/changes.js';
import {callFacts, callText} from '../calls/facts.js';
import {compact} from '../compact.js';
import {booleanOf, entryOf, numberOf, recordOf, stringOf, textOf} from '../narrow.js';
import {capPatch} from '../text-patch.js';
import {type Block, blocksOf, blockText, contentText} from './content.js';
import type {Entry, Json} from './entry.js';

/** What a user message is made of: what a person typed, and what the agent added to it. */
export interface Prompt {
	/** Absent: nobody typed it. */
	readonly typed?: string;
	readonly added?: string;
	readonly input?: PromptInput;
}

/** In what the agents of this form differ. */
export interface Dialect {
	readPrompt(text: string, message: Json): Prompt;
	/** A reply that is no reply: a copy of one, or a word that stands for silence. */
	isSilent(text: string, message: Json): boolean;
	/** What a sub-agent is to do, out of the first message that it gets. */
	taskOf(text: string): string;
	/** User messages of a sub-agent come from its parent. */
	readonly isSubagent: boolean;
}

type Fields = Omit<AdapterEvent, 'key' | 'atMs' | 'locator'>;
type Reader = (entry: Entry, dialect: Dialect) => readonly AdapterEvent[];

const eventOf = ({id, atMs, locator}: Entry, block: number, fields: Fields): AdapterEvent =>
	compact({key: eventKey(id, block), ...fields, atMs, locator});

/** An event of a text, none if there is nothing in it. */
const plain = (kind: 'meta' | 'summary', text: (entry: Entry) => unknown): Reader => {
	return entry => {
		const content = contentText(text(entry));
		return content === '' ? [] : [eventOf(entry, 0, {kind, text: content})];
	};
};

const nothing: Reader = () => [];

const joined = (texts: readonly (string | undefined)[]): string =>
	texts.filter(text => text !== undefined && text.trim() !== '').join('\n');

/** oh-my-pi marks what it sends in the user's name. */
const isAgentMade = (message: Json): boolean =>
	message['attribution'] === 'agent' || message['synthetic'] === true;

const user: Reader = (entry, dialect) => {
	const {message} = entry;
	const blocks = blocksOf(message['content']);
	const texts = blocks.filter(({type}) => type === 'text').map(blockText);
	const media = blocks.filter(({type}) => type !== 'text').map(blockText);
	const {typed, added, input} =
		dialect.isSubagent || isAgentMade(message)
			? {added: joined(texts)}
			: dialect.readPrompt(joined(texts), message);
	const prompt = typed === undefined ? '' : joined([typed, ...media]);
	const rest = typed === undefined ? joined([added, ...media]) : (added ?? '');
	const events: AdapterEvent[] = [];
	if (prompt !== '') {
		const fields = {kind: 'message', role: 'user', text: prompt} as const;
		events.push(eventOf(entry, 0, input === undefined ? fields : {...fields, input}));
	}
	if (rest !== '') {
		const block = prompt === '' ? 0 : Math.max(1, blocks.length);
		events.push(eventOf(entry, block, {kind: 'meta', text: rest}));
	}
	return events;
};

const thinkingText = ({block}: Block): string => textOf(block['thinking']) ?? '';

/** A call or a thought is no message, whatever the reply around it is. */
const withoutRole = ({role: _, ...fields}: Fields): Fields => fields;

const toolCall = (entry: Entry, {block, place}: Block, common: Fields): AdapterEvent => {
	const name = stringOf(block['name']) ?? '';
	const args = recordOf(block['arguments']);
	return eventOf(entry, place, {
		...withoutRole(common),
		kind: 'tool_use',
		text: callText(args),
		tool: compact({
			name,
			callId: textOf(block['id']),
			...callFacts(args, commonChange(name), SOUGHT_FIRST),
		}),
	});
};

/** The concrete model, where an alias was asked for. */
export const modelOf = (message: Json): string | undefined =>
	textOf(message['responseModel']) ?? textOf(message['model']);

const replyBlock = (entry: Entry, block: Block, common: Fields): AdapterEvent | undefined => {
	if (block.type === 'toolCall') return toolCall(entry, block, common);
	const isThought = block.type === 'thinking';
	const text = isThought ? thinkingText(block) : (blockText(block) ?? '');
	if (text.trim() === '') return undefined;
	const fields = isThought ? {...withoutRole(common), kind: 'reasoning' as const} : common;
	return eventOf(entry, block.place, {...fields, text});
};

const assistant: Reader = (entry, dialect) => {
	const {message, id} = entry;
	const blocks = blocksOf(message['content']);
	const whole = joined(blocks.filter(({type}) => type === 'text').map(blockText));
	const about = compact({text: '', messageId: id, model: modelOf(message)});
	const common: Fields = dialect.isSilent(whole, message)
		? {...about, kind: 'meta'}
		: {...about, kind: 'message', role: 'assistant'};
	const events = blocks.flatMap(block => replyBlock(entry, block, common) ?? []);
	const error = message['stopReason'] === 'error' ? textOf(message['errorMessage']) : undefined;
	if (error === undefined) return events;
	const place = Math.max(1, blocks.length);
	return [...events, eventOf(entry, place, {kind: 'meta', text: `Error: ${error}`})];
};

/** The end of what the shell tool returns when a command fails (1.6.0). */
const EXIT_CODE = /\nCommand exited with code (\d{1,10})\s*$/;

const toolResult: Reader = entry => {
	const {message} = entry;
	const text = contentText(message['content']);
	const details = recordOf(message['details']);
	const stated = EXIT_CODE.exec(text)?.[1];
	const patch = textOf(details['patch']);
	return [
		eventOf(entry, 0, {
			kind: 'tool_result',
			text,
			tool: compact({
				name: textOf(message['toolName']),
				callId: textOf(message['toolCallId']),
				isError: booleanOf(message['isError']) || undefined,
				exitCode:
					numberOf(details['exitCode']) ?? (stated === undefined ? undefined : Number(stated)),
				durationMs: numberOf(message['durationMs']),
				patch: patch?.startsWith('--- ') ? capPatch(patch) : undefined,
			}),
		}),
	];
};

/** `! command`, typed by a person; with `!!` the model is not told. */
const bashExecution: Reader = entry => {
	const {command, output, exitCode, excludeFromContext} = entry.message;
	const code = numberOf(exitCode);
	const isFailure = code !== undefined && code !== 0;
	return [
		eventOf(entry, 0, {
			kind: 'message',
			role: 'user',
			input: excludeFromContext === true ? 'local' : 'command',
			text: `! ${stringOf(command) ?? ''}`,
		}),
		eventOf(entry, 1, {
			kind: 'tool_result',
			text: stringOf(output) ?? '',
			tool: compact({name: 'bash', isError: isFailure || undefined, exitCode: code}),
		}),
	];
};

/** Roles that are not here are the agent's own, and so is what they say. */
const ROLES: Readonly<Record<string, Reader>> = {
	assistant,
	bashExecution,
	branchSummary: plain('summary', ({message}) => message['summary']),
	compactionSummary: plain('summary', ({message}) => message['summary']),
	// The prompt of the system, since 1.x.
	system: nothing,
	toolResult,
	user,
};

const ownRole = plain('meta', ({message}) => message['content']);

const READERS: Readonly<Record<string, Reader>> = {
	branch_summary: plain('summary', ({record}) => record['summary']),
	compaction: plain('summary', ({record}) => record['summary']),
	custom_message: plain('meta', ({record}) => record['content']),
	message: (entry, dialect) => {
		const role = stringOf(entry.message['role']) ?? '';
		return (entryOf(ROLES, role) ?? ownRole)(entry, dialect);
	},
	reset: plain('meta', () => 'The context was reset.'),
	reset_boundary: plain('meta', () => 'The context was reset.'),
};

/** Entries that are known and say nothing of the talk. */
const SILENT: ReadonlySet<string> = new Set([
	'context_edit',
	'credential_pin',
	'custom',
	'label',
	'mode_change',
	'model_change',
	'model_usage',
	'service_tier_change',
	'session_info',
	'session_init',
	'thinking_level_change',
	'title_change',
	'ttsr_injection',
	'usage',
]);

export const isKnown = ({type}: Entry): boolean => SILENT.has(type) || Object.hasOwn(READERS, type);

export const entryEvents = (entry: Entry, dialect: Dialect): readonly AdapterEvent[] => {
	const read = entryOf(READERS, entry.type);
	return read?.(entry, dialect) ?? [];
};
