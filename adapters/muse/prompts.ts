/** What a person said. The same input is stated up to three times: as accepted, as the prompt of the run, and as shown. */

import type {AdapterEvent} from '../model.js';
import {compact} from '../shared/compact.js';
import {capText, oneLine} from '../shared/content.js';
import {at, listOf, stringOf, textOf} from '../shared/narrow.js';
import {isSlashCommand} from '../shared/slash-command.js';
import {type Reading, type Row, rememberShown} from './state.js';

/** Nobody types into the log of a sub-agent: that is its task. */
const promptEvent = (
	{parentId, state}: Reading,
	{key, atMs, locator}: Row,
	text: string,
): AdapterEvent => {
	const place = {...capText(text), ...compact({key, atMs, locator})};
	if (parentId !== undefined) {
		state.task ??= oneLine(text);
		return {...place, kind: 'meta'};
	}
	const input = isSlashCommand(text) ? {input: 'command' as const} : {};
	return {...place, kind: 'message', role: 'user', ...input};
};

export const prompt = (reading: Reading, row: Row, text: string): void => {
	reading.batch.event(promptEvent(reading, row, text));
};

/** The prompt of a run stands where it was first stated; the text that is shown instead of it wins. */
const runPrompt = (
	reading: Reading,
	row: Row,
	stated: {text: string; isDisplay: boolean},
): void => {
	const {state, batch} = reading;
	const {text, isDisplay} = stated;
	state.intent = null;
	const known = state.shown.find(({runId}) => runId === row.runId);
	// Only two prompts that are both sent and not repeated by a frame are two.
	const isSame =
		known !== undefined && (isDisplay || known.isDisplay || known.event.key === row.key);
	if (isSame && known.isDisplay && !isDisplay) return;
	const {key, atMs, locator} = isSame ? known.event : row;
	const event = promptEvent(reading, {...row, ...compact({key, atMs, locator})}, text);
	batch.event(event);
	if (row.runId !== undefined) rememberShown(state, {runId: row.runId, event, isDisplay});
};

export const started = (reading: Reading, row: Row): void => {
	const {state, batch} = reading;
	const text = textOf(row.event['prompt']);
	if (text !== undefined) {
		runPrompt(reading, row, {text, isDisplay: false});
		return;
	}
	// Without a prompt it is a scheduled run or a task, unless somebody's input waits.
	if (state.intent !== null) batch.event(state.intent);
	state.intent = null;
};

export const display = (reading: Reading, row: Row): void => {
	const text = textOf(row.event['text']);
	if (text !== undefined) runPrompt(reading, row, {text, isDisplay: true});
};

/** Input as it was accepted; the run that it begins repeats it. */
export const intent = (reading: Reading, row: Row): void => {
	const texts = listOf(row.payload['refill_blocks'])
		.filter(block => at(block, 'kind') === 'text')
		.map(block => stringOf(at(block, 'text')) ?? '');
	const text = texts.join('\n');
	if (text.trim() !== '') reading.state.intent = promptEvent(reading, row, text);
};

/** Typed while a run goes on. */
export const queued = (reading: Reading, row: Row): void => {
	const {event} = row;
	if (at(event, 'source', 'source') !== 'user_steer') return;
	const text =
		textOf(at(event, 'payload', 'prompt')) ?? textOf(event['prompt']) ?? textOf(event['body']);
	if (text === undefined) return;
	if (reading.state.intent?.text === text) reading.state.intent = null;
	prompt(reading, row, text);
};
