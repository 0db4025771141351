/** What a person typed, apart from what the gateway put around it. The agent's own mark is `provenance`, patterns come second. */

import {at, recordOf, textOf} from '../shared/narrow.js';
import type {Json} from '../shared/pi/entry.js';
import type {Dialect, Prompt} from '../shared/pi/events.js';

/** Blocks before a message that came through a channel. */
const METADATA =
	/^\s*(?:Conversation info|Sender|Forwarded message context|Location)\b[^\n]{0,80}:[ \t]*\n```json\n[\s\S]*?\n```\s*/;
/** `[WhatsApp +1555 Mon 2026-01-05 16:26 PST] text` */
const ENVELOPE = /^\s*\[[A-Z][^\]\n]{0,160}\d{4}-\d\d-\d\d[^\]\n]{0,40}\]\s*/;
const MESSAGE_ID = /\s*\n\[message_id: [^\]\n]*\]\s*$/;

/** Texts of the gateway, in stores without marks. */
const INJECTED =
	/^\s*(?:System:|\[System|Read HEARTBEAT\.md|\[cron:|Pre-compaction memory flush|\[Subagent (?:Context|Task)\]|\[Inter-session message\]|A new session was started via \/)/;
/** The task stands behind a description of what a sub-agent is. */
const TASK = /^\s*(?:\[Subagent Context\][\s\S]*?)?\[Subagent Task\]:?\s*/;

const readTyped = (text: string): Prompt => {
	let rest = text;
	for (let match = METADATA.exec(rest); match !== null; match = METADATA.exec(rest)) {
		rest = rest.slice(match[0].length);
	}
	const added = text.slice(0, text.length - rest.length).trim();
	const typed = rest.replace(ENVELOPE, '').replace(MESSAGE_ID, '');
	return added === '' ? {typed} : {typed, added};
};

const markOf = (message: Json): string | undefined =>
	textOf(recordOf(message['provenance'])['kind']);

const readPrompt = (text: string, message: Json): Prompt => {
	const mark = markOf(message);
	const isInjected = mark === undefined ? INJECTED.test(text) : mark !== 'external_user';
	return isInjected ? {added: text} : readTyped(text);
};

/** In a run of the scheduler a text without a mark is the job's: only marked ones may come from a person. */
const readJob = (text: string, message: Json): Prompt => {
	const prompt = readPrompt(text, message);
	if (prompt.typed === undefined || markOf(message) !== undefined) return prompt;
	return {...prompt, input: 'headless'};
};

/** Replies that were delivered to a channel are written once more; `NO_REPLY` stands for none. */
const MIRRORS: ReadonlySet<unknown> = new Set(['delivery-mirror', 'gateway-injected']);

const isSilent = (text: string, message: Json): boolean =>
	MIRRORS.has(message['model']) ||
	at(message, 'provider') === 'openclaw' ||
	/^\s*NO_REPLY\s*$/i.test(text);

export const dialectOf = (kind: {
	readonly isSubagent: boolean;
	readonly isAutomated: boolean;
}): Dialect => ({
	readPrompt: kind.isAutomated ? readJob : readPrompt,
	isSilent,
	taskOf: text => text.replace(TASK, ''),
	isSubagent: kind.isSubagent,
});
