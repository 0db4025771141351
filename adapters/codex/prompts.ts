/** Tells what a person typed from what Codex put into user-role messages. */

import {oneLine} from '../shared/content.js';
import {at, listOf, stringOf, textOf} from '../shared/narrow.js';
import {isToolList, itemText} from './content.js';
import {blockKey, emit} from './emit.js';
import {addPrompt} from './names.js';
import {outputOf} from './outputs.js';
import {type Line, pushBounded, type Reading} from './state.js';

/** How injected texts begin in versions that do not mark their content items. */
const INJECTED_HEADS: readonly string[] = [
	'<environment_context>',
	'<user_instructions>',
	'# AGENTS.md instructions',
	'<INSTRUCTIONS>',
	'<turn_aborted>',
	'<subagent_notification>',
	'<skill>',
	'<user_action>',
	'<recommended_plugins>',
	'<model_switch>',
	'<personality_spec>',
	'<collaboration_mode>',
	'<permissions instructions>',
	'<skills_instructions>',
	'<apps_instructions>',
	'<plugins_instructions>',
	'<codex_internal_context',
	'<codex_delegation>',
	'<heartbeat>',
	'<context_window',
	'<realtime_',
	'<hook_prompt',
	'Another language model started to solve this problem and produced a summary',
];

const ENVIRONMENT = '<environment_context>';
const SHELL_COMMAND =
	/^\s*<user_shell_command>\s*<command>\n?([\s\S]*?)\n?<\/command>(?:\s*<result>\n?([\s\S]*?)\n?<\/result>)?/;
/** Editor extensions put open files and selections in front of the prompt. */
const EDITOR_CONTEXT = /^\s*# [\s\S]*?(?:^|\n)## My request for Codex:[^\S\n]*\n?([\s\S]*)$/;

const MAX_TURNS = 200;

const isInjectedText = (text: string): boolean => {
	const head = text.slice(0, 1000).trimStart();
	return INJECTED_HEADS.some(start => head.startsWith(start));
};

/** What the record itself says of its content items, index by index (0.171.0). */
interface ItemMarks {
	readonly kinds: readonly unknown[];
	readonly metadata: readonly unknown[];
}

const marksOf = (payload: Record<string, unknown>): ItemMarks => {
	const passthrough = payload['internal_chat_message_metadata_passthrough'];
	return {
		kinds: listOf(at(passthrough, 'content_item_kinds')),
		metadata: listOf(at(passthrough, 'content_item_metadata')),
	};
};

const isInjected = (marks: ItemMarks, index: number, text: string): boolean => {
	const kind = stringOf(marks.kinds[index]);
	if (kind !== undefined && kind !== 'unknown') return !kind.startsWith('user.');
	const provenance = stringOf(at(marks.metadata[index], 'provenance', 'type'));
	return provenance === undefined ? isInjectedText(text) : provenance !== 'user';
};

/** A run of items of one sort; wrapper items count to the run around them. */
interface Part {
	readonly isTyped: boolean;
	readonly block: number;
	readonly texts: string[];
}

interface PromptText {
	readonly text: string;
	readonly block: number;
}

/** Typed items are one prompt wherever they stand; injected ones make an event per run. */
const partsOf = (payload: Record<string, unknown>): readonly Part[] => {
	const marks = marksOf(payload);
	const parts: Part[] = [];
	let typed: Part | undefined;
	for (const [block, item] of listOf(payload['content']).entries()) {
		const text = itemText(item);
		const isTyped = !isInjected(marks, block, text ?? '');
		let part = isTyped ? typed : parts.at(-1);
		if (part === undefined || part.isTyped !== isTyped) {
			part = {isTyped, block, texts: []};
			parts.push(part);
		}
		if (isTyped) typed = part;
		const isShown = text !== undefined && text.trim() !== '' && (isTyped || !isToolList(text));
		if (isShown) part.texts.push(text);
	}
	return parts;
};

/** Headers had no directory before 2025-08; the environment block has. */
const noteEnvironment = ({state}: Reading, text: string): void => {
	if (state.environmentCwd !== null || !text.trimStart().startsWith(ENVIRONMENT)) return;
	const [, tagged, stated] =
		/<cwd>([^<\n]+)<\/cwd>|^Current working directory: (.+)$/m.exec(text.slice(0, 4096)) ?? [];
	state.environmentCwd = textOf(tagged ?? stated)?.trim() ?? null;
};

/** `exec` sessions: what is not triggered by a user was given by a script. */
const isHeadless = ({state}: Reading): boolean =>
	state.header?.isExec === true && state.trigger !== 'user';

/** Remembers where a turn of the user began, for `thread_rolled_back`. A prompt typed into a running turn begins none. */
const noteTurnStart = ({state}: Reading, key: string): void => {
	if (state.turn === 'prompted') return;
	if (state.turn === 'open') state.turn = 'prompted';
	state.turnStarts = pushBounded(state.turnStarts, key, MAX_TURNS);
};

/** `! command`, and what it printed as a result of its own. */
const emitShellCommand = (reading: Reading, line: Line, part: Part, match: RegExpExecArray) => {
	const [, command = '', result] = match;
	const text = `! ${command.trim()}`;
	emit(reading, line, {kind: 'message', role: 'user', text, input: 'command'}, part.block);
	if (result === undefined) return;
	const {text: printed, ...tool} = outputOf(result);
	const afterItems = part.block + listOf(line.payload['content']).length;
	emit(reading, line, {kind: 'tool_result', text: printed, tool}, afterItems);
};

const emitPrompt = (reading: Reading, line: Line, {text, block}: PromptText): void => {
	const {state} = reading;
	if (state.header?.facts.isSubagent === true) {
		// Nobody types into the file of a sub-agent: this is its task, or a message of its parent.
		state.task ??= oneLine(text);
		emit(reading, line, {kind: 'meta', text}, block);
		return;
	}
	state.promptHeads = addPrompt(state.promptHeads, text);
	noteTurnStart(reading, blockKey(line, block));
	const input = isHeadless(reading) ? {input: 'headless' as const} : {};
	emit(reading, line, {kind: 'message', role: 'user', text, ...input}, block);
};

const emitTyped = (reading: Reading, line: Line, part: Part): void => {
	const whole = part.texts.join('\n');
	const command = SHELL_COMMAND.exec(whole);
	if (command !== null) emitShellCommand(reading, line, part, command);
	else if (whole !== '') {
		const text = EDITOR_CONTEXT.exec(whole)?.[1]?.trim() || whole;
		emitPrompt(reading, line, {text, block: part.block});
	}
};

/** A message of role user. */
export const emitUserMessage = (reading: Reading, line: Line): void => {
	for (const part of partsOf(line.payload)) {
		if (part.isTyped) {
			emitTyped(reading, line, part);
			continue;
		}
		const text = part.texts.join('\n\n');
		noteEnvironment(reading, text);
		if (text !== '') emit(reading, line, {kind: 'meta', text}, part.block);
	}
};
