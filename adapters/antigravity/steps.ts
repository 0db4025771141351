/** Steps of a trajectory, whether they come from a transcript or a database. */

import type {CallArguments} from '../shared/calls/arguments.js';
import type {Changes} from '../shared/calls/changes.js';
import {compact} from '../shared/compact.js';
import {at, entryOf, listOf, stringOf, textOf} from '../shared/narrow.js';
import {
	argumentsOf,
	callForm,
	type Form,
	type Place,
	promptForm,
	reasoningForm,
	replyForm,
	resultForm,
} from '../shared/rows/events.js';

/** Names of arguments, as other agents have them. */
const ARGUMENTS: Readonly<Record<string, string>> = {
	AbsolutePath: 'path',
	CodeContent: 'content',
	CommandLine: 'command',
	DirectoryPath: 'path',
	Query: 'query',
	ReplacementContent: 'new_str',
	SearchPath: 'path',
	TargetContent: 'old_str',
	TargetFile: 'path',
};

const CHANGES: Changes = {
	multi_replace_file_content: 'edit',
	replace_file_content: 'edit',
	view_file: 'read',
	write_to_file: 'write',
};

const plainArguments = (value: unknown): CallArguments =>
	Object.fromEntries(
		Object.entries(argumentsOf(value)).map(([name, argument]) => [
			entryOf(ARGUMENTS, name) ?? name,
			argument,
		]),
	);

const toolForm = (call: unknown, place: Place): Form => {
	const name = textOf(at(call, 'name')) ?? 'unknown';
	const args = plainArguments(at(call, 'args'));
	// Results do not name their call: there is nothing to remember.
	return callForm(
		{name, callId: textOf(at(call, 'id')), args},
		{change: entryOf(CHANGES, name), names: new Map(), place},
	);
};

const WRAPPED = /^\s*<USER_REQUEST>\n?([\s\S]*?)\n?<\/USER_REQUEST>\s*([\s\S]*)$/;

/** What was typed, and what the agent put behind it: its time, the state of the editor. */
export const promptForms = (content: string): readonly Form[] => {
	const [, typed = content, rest = ''] = WRAPPED.exec(content) ?? [];
	const forms: readonly Form[] = [promptForm(typed), {kind: 'meta', text: rest.trim()}];
	return forms.filter(({text}) => text.trim() !== '');
};

export type Step = Readonly<Record<string, unknown>>;

const textForms = (step: Step, form: (text: string) => Form): readonly Form[] => {
	const text = textOf(step['content']);
	return text === undefined ? [] : [form(text)];
};

const metaForms = (step: Step): readonly Form[] => textForms(step, text => ({kind: 'meta', text}));

/** Thought, word and calls of the model. */
const modelForms = (step: Step, place: Place): readonly Form[] => {
	const thought = textOf(step['thinking']);
	return [
		...(thought === undefined ? [] : [reasoningForm(thought, place)]),
		...textForms(step, text => replyForm(text, place)),
		...callForms(step, place),
	];
};

const callForms = (step: Step, place: Place): readonly Form[] =>
	listOf(step['tool_calls']).map(call => toolForm(call, place));

const nameOf = (step: Step): string => (stringOf(step['type']) ?? 'step').toLowerCase();

const actionForms = (step: Step, place: Place): readonly Form[] => {
	const forms = modelForms(step, place);
	if (forms.some(({kind}) => kind === 'tool_use')) return forms;
	const text = stringOf(step['content']) ?? '';
	const messageId = place.key;
	return [
		{
			kind: 'tool_use',
			text,
			tool: {name: nameOf(step)},
			messageId,
			...compact({model: place.model}),
		},
	];
};

const isFrom = (step: Step, sources: readonly string[]): boolean =>
	sources.includes((stringOf(step['source']) ?? '').toLowerCase());

const userForms = (step: Step): readonly Form[] =>
	isFrom(step, ['user', 'user_explicit'])
		? promptForms(stringOf(step['content']) ?? '')
		: metaForms(step);

const FORMS: Readonly<Record<string, (step: Step, place: Place) => readonly Form[]>> = {
	CHECKPOINT: step => textForms(step, text => ({kind: 'summary', text})),
	CODE_ACTION: actionForms,
	// The next two replay what was said before.
	CONVERSATION_HISTORY: metaForms,
	EPHEMERAL_MESSAGE: metaForms,
	PLANNER_RESPONSE: modelForms,
	SYSTEM_MESSAGE: metaForms,
	USER_INPUT: userForms,
};

/** The forms of a step of a transcript; `report` is told of kinds that are not known. */
export const formsOf = (
	step: Step,
	place: Place,
	report: (kind: string) => void,
): readonly Form[] => {
	const type = stringOf(step['type']) ?? 'none';
	const known = entryOf(FORMS, type);
	if (known !== undefined) return known(step, place);
	if (isFrom(step, ['tool', 'executor'])) {
		const text = stringOf(step['content']) ?? '';
		return [resultForm(text, {callId: undefined, name: nameOf(step)}, new Map())];
	}
	report(type.slice(0, 80));
	// What calls tools is an answer, whatever it is called.
	const calls = callForms(step, place);
	return calls.length === 0 ? metaForms(step) : modelForms(step, place);
};
