/** Who wrote a user message: the agent says so itself, in `origin`. */

import type {PromptInput} from '../model.js';
import {recordOf, stringOf, textOf} from '../shared/narrow.js';
import {contentText, type Json} from './content.js';
import {emit, emitMeta, noteTask, noteTurn, type Row} from './row.js';

/** `user` if nothing is stated. */
export const originKind = (origin: unknown): string => stringOf(recordOf(origin)['kind']) ?? 'user';

interface Told {
	readonly text: string;
	readonly input?: PromptInput;
}

/** Undefined: not typed. */
const typedOf = (text: string, origin: Json): Told | undefined => {
	const kind = originKind(origin);
	if (kind === 'user') return {text};
	// `! command`; its output follows as a message of its own.
	const isShell = kind === 'shell_command' && origin['phase'] === 'input';
	return isShell ? {text: `! ${text}`, input: 'command'} : undefined;
};

/** Skills and commands were called by a person, but their text is made: the name stands before it. */
const nameOf = (origin: Json): string | undefined =>
	['skill_activation', 'plugin_command'].includes(originKind(origin))
		? (textOf(origin['name']) ?? textOf(origin['skillName']) ?? textOf(origin['commandName']))
		: undefined;

/** A user message under its key. */
export const emitPrompt = (
	row: Row,
	content: unknown,
	{id, origin}: {id: string | undefined; origin: Json},
): void => {
	const {context} = row;
	const text = contentText(content);
	if (text.trim() === '') return;
	const typed = context.isSubagent ? undefined : typedOf(text, origin);
	noteTask(context, text);
	if (typed === undefined) {
		const name = nameOf(origin);
		emitMeta(row, {id}, name === undefined ? text : `/${name}\n${text}`);
		return;
	}
	const key = emit(row, {id}, {kind: 'message', role: 'user', ...typed});
	noteTurn(context, key);
};
