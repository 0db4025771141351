/** Calls of the editor tool that has one name and several commands, and of all other tools. */
import type {FileTouch, ToolFacts} from '../types.js';
import {argumentLines, type CallArguments} from './call-arguments.js';
import {compact} from './compact.js';
import {fileFacts} from './edit-calls.js';
import {stringOf, textOf} from './narrow.js';
import {plainCallFacts, plainCallText} from './plain-calls.js';

const COMMANDS: Readonly<Record<string, FileTouch['change']>> = {
	view: 'read',
	create: 'create',
	str_replace: 'edit',
	strReplace: 'edit',
	insert: 'edit',
	append: 'edit',
	undo_edit: 'edit',
};

/** What a call does to the file that it names, if it is one of the editor. */
const editorChange = (args: CallArguments): FileTouch['change'] | undefined => {
	const command = stringOf(args['command']) ?? '';
	const isEditor = textOf(args['path']) !== undefined && Object.hasOwn(COMMANDS, command);
	return isEditor ? COMMANDS[command] : undefined;
};

export interface EditorCall {
	readonly text: string;
	readonly facts: ToolFacts;
}

/** A call as text, and its facts. `change`: what a tool that is not the editor does to the file of its call. */
export const editorCall = (args: CallArguments, change?: FileTouch['change']): EditorCall => {
	const edited = editorChange(args);
	if (edited === undefined) return {text: plainCallText(args), facts: plainCallFacts(args, change)};
	const subject = compact({subject: textOf(args['path'])});
	return {text: argumentLines(args), facts: {...subject, ...fileFacts(edited, args)}};
};
