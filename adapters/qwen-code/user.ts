/** `user` records: prompts, and what the agent says in the user's place. */

import type {AdapterEvent, PromptInput} from '../model.js';
import {compact} from '../shared/compact.js';
import {promptOf, textsOf} from '../shared/gemini/parts.js';
import {tell} from '../shared/gemini/prompts.js';
import {textOf} from '../shared/narrow.js';
import {eventOf} from '../shared/record-events.js';
import {noteTask} from './progress.js';
import {toolResults} from './results.js';
import {metaEvents, type Row} from './row.js';

/** What a person says: without a subtype, while the agent works, or by voice. */
const TYPED: ReadonlySet<string | undefined> = new Set([
	undefined,
	'mid_turn_user_message',
	'realtime_message',
]);
const INJECTED: ReadonlySet<string | undefined> = new Set(['cron', 'notification', 'goal_runtime']);

/** By the agent's own mark (absent in 0.15.10). */
const isTyped = ({record, subtype}: Row): boolean =>
	TYPED.has(subtype) && (record['provenance'] ?? 'real_user') === 'real_user';

/** A turn begins; a message in between does not. */
export const isTurn = (row: Row): boolean =>
	row.type === 'user' && row.subtype === undefined && isTyped(row);

/** `displayText` says what was typed when something was added; with files that are named by `@`, a record before does. */
const shownText = ({payload, pieces, context: {progress}}: Row): string | undefined => {
	const first = pieces.find(({kind}) => kind === 'text');
	const isTypedText = first?.kind === 'text' && first.text.trim() === progress.typedText?.trim();
	return textOf(payload['displayText']) ?? (isTypedText ? progress.typedText : undefined);
};

const inputOf = ({subtype, context: {progress}}: Row, text: string): PromptInput | undefined => {
	if (progress.isScheduled === true && subtype === undefined) return 'headless';
	// Whatever stands in a user record went to the model.
	return tell(text) === 'command' ? 'command' : undefined;
};

const promptEvents = (row: Row): readonly AdapterEvent[] => {
	const {text, place, added} = promptOf(row.pieces, shownText(row));
	if (text.text.trim() === '') return metaEvents(row, place, added);
	const input = inputOf(row, text.text);
	const prompt = eventOf(
		row,
		{block: place, text},
		tell(text.text) === 'summary'
			? {kind: 'summary'}
			: compact({kind: 'message' as const, role: 'user' as const, input}),
	);
	// The block behind all parts is always free.
	return [prompt, ...metaEvents(row, row.pieces.length, added)];
};

const spoken = (row: Row): readonly AdapterEvent[] => {
	const {context, pieces, subtype} = row;
	const {progress, identity} = context;
	if (identity.isSubagent) noteTask(progress, textsOf(pieces).text);
	if (identity.isSubagent || !isTyped(row)) return metaEvents(row, 0, textsOf(pieces));
	if (subtype !== undefined) return promptEvents(row);
	const {sentCommand} = progress;
	delete progress.sentCommand;
	const events =
		sentCommand === undefined ? promptEvents(row) : metaEvents(row, 0, textsOf(pieces));
	delete progress.typedText;
	return events;
};

export const userEvents = (row: Row): readonly AdapterEvent[] => {
	const {subtype, context} = row;
	if (!TYPED.has(subtype) && !INJECTED.has(subtype)) {
		context.batch.unknown(`user/${(subtype ?? '').slice(0, 80)}`);
	}
	return [...spoken(row), ...toolResults(row)];
};
