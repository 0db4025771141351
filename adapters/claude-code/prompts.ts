/** Tells what a person typed from what the agent put into user records. */

import type {PromptInput} from '../model.js';
import {listOf, recordOf, stringOf, textOf} from '../shared/narrow.js';

/** What a text in a user record is. */
export type Told =
	| {readonly kind: 'message'; readonly text: string; readonly input?: PromptInput}
	| {readonly kind: 'meta' | 'summary'; readonly text: string};

/** Commands that the program handles itself: the model never gets them. */
const LOCAL_COMMANDS = new Set(
	[
		'add-dir agents bashes bug chrome clear color compact config context copy cost desktop doctor effort exit export',
		'extra-usage fast feedback help hooks ide install-github-app install-slack-app keybindings login logout mcp memory',
		'mobile model new output-style passes permissions plugin plugins privacy-settings quit release-notes reload-plugins',
		'remote-control remote-env rename reset resume rewind sandbox sandbox-toggle skills stats status statusline stickers',
		'tag tasks terminal-setup theme todos upgrade usage vim voice',
	].flatMap(line => line.split(' ')),
);

/** Beginnings of texts that nobody typed. Tags with attributes have no closing bracket here. */
const INJECTED = [
	'<command-message>',
	'<command-args>',
	'<local-command-stdout>',
	'<local-command-stderr>',
	'<local-command-caveat>',
	'Caveat: The messages below',
	'<bash-stdout>',
	'<bash-stderr>',
	'<task-notification>',
	'<system-reminder>',
	'<user-memory-input>',
	'<user-prompt-submit-hook>',
	'<teammate-message',
	'<cross-session-message',
	'<channel ',
	'<ide_selection>',
	'<ide_opened_file>',
	'[Request interrupted by user',
	'[Image: source: ',
	'Stop hook feedback:',
];
const PLUGIN_MESSAGE = /^The [^\n]{1,80} plugin sent a message:/;
/** Compaction summaries before `isCompactSummary` existed. */
const OLD_SUMMARY = 'This session is being continued from a previous conversation';

/** Context that the agent or an IDE puts around or into typed text. */
const SPANS = ['system-reminder', 'ide_selection', 'ide_opened_file', 'ide_diagnostics'] as const;
const PASTED = /<\/?pasted_content(?: [^>\n]{0,80})?>\n?/g;

/** Removes `<tag>…</tag>` spans in linear time; one that is not closed stays. */
const withoutSpan = (text: string, tag: string): string => {
	const [open, close] = [`<${tag}>`, `</${tag}>`];
	let result = '';
	let from = 0;
	for (let start = text.indexOf(open); start !== -1; start = text.indexOf(open, from)) {
		const end = text.indexOf(close, start);
		if (end === -1) break;
		result += text.slice(from, start);
		from = end + close.length;
	}
	return result + text.slice(from);
};

/** Typed text without wrappers; the very text if it has none. */
const bareText = (text: string): string => {
	if (!text.includes('<')) return text;
	const bare = SPANS.reduce(withoutSpan, text).replaceAll(PASTED, '');
	return bare === text ? text : bare.trim();
};

const inner = (text: string, tag: string): string | undefined => {
	const start = text.indexOf(`<${tag}>`);
	if (start === -1) return undefined;
	const from = start + tag.length + 2;
	const end = text.indexOf(`</${tag}>`, from);
	return text.slice(from, end === -1 ? undefined : end).trim();
};

const commandOf = (text: string): Told | undefined => {
	const name = textOf(inner(text, 'command-name'))?.replace(/^\/*/, '');
	if (name === undefined || name === '') return undefined;
	const args = inner(text, 'command-args') ?? '';
	return {
		kind: 'message',
		text: args === '' ? `/${name}` : `/${name} ${args}`,
		input: LOCAL_COMMANDS.has(name) ? 'local' : 'command',
	};
};

/** Reads one text of a user record that carries no mark of its own. */
export const readPrompt = (text: string): Told => {
	const bare = bareText(text);
	const lead = bare.trimStart();
	const command = /^<command-(?:name|message|args)>/.test(lead) ? commandOf(lead) : undefined;
	if (command !== undefined) return command;
	if (lead.startsWith('<bash-input>')) {
		return {kind: 'message', text: `! ${inner(lead, 'bash-input') ?? ''}`, input: 'command'};
	}
	if (lead.startsWith(OLD_SUMMARY)) return {kind: 'summary', text};
	const isInjected =
		lead === '' || INJECTED.some(start => lead.startsWith(start)) || PLUGIN_MESSAGE.test(lead);
	return isInjected ? {kind: 'meta', text} : {kind: 'message', text: bare};
};

const HOST_TURNS = new Set([
	'scheduled',
	'task_notification',
	'auto_continuation',
	'host_synthetic',
	'peer',
	'system',
]);

/** True if the record itself says that nobody typed it. */
export const isMarkedInjected = (record: Record<string, unknown>): boolean =>
	record['isMeta'] === true ||
	record['isVisibleInTranscriptOnly'] === true ||
	!isHuman(record['origin']) ||
	record['promptSource'] === 'system' ||
	HOST_TURNS.has(stringOf(record['turnOrigin']) ?? '');

/** No origin, one without a kind, or a human one. */
const isHuman = (origin: unknown): boolean =>
	(textOf(recordOf(origin)['kind']) ?? 'human') === 'human';

/** A prompt given by a script, by the agent's own mark. */
const isHeadless = (record: Record<string, unknown>): boolean =>
	record['promptSource'] === 'sdk' || (stringOf(record['entrypoint']) ?? '').startsWith('sdk-');

/** Who gave a prompt; undefined = typed. A local command stays one, whoever gave it: the model never saw it. */
export const inputOf = (
	record: Record<string, unknown>,
	input: PromptInput | undefined,
): PromptInput | undefined => (input !== 'local' && isHeadless(record) ? 'headless' : input);

/** A prompt that was typed while the agent worked: `{prompt, commandMode: 'prompt'}` in an attachment row. */
export const queuedPrompt = (record: Record<string, unknown>): unknown => {
	const attachment = recordOf(record['attachment']);
	const isTyped =
		attachment['type'] === 'queued_command' &&
		attachment['commandMode'] === 'prompt' &&
		attachment['isMeta'] !== true &&
		record['isMeta'] !== true &&
		isHuman(attachment['origin']);
	const prompt = attachment['prompt'];
	return isTyped && (textOf(prompt) !== undefined || listOf(prompt).length > 0)
		? prompt
		: undefined;
};
