/** Calls of the editor tool that has one name and several commands, and of all other tools. */

import type {ToolFacts} from '../../model.js';
import {compact} from '../compact.js';
import {entryOf, stringOf, textOf} from '../narrow.js';
import {argumentLines, type CallArguments} from './arguments.js';
import type {Changes, FileChange} from './changes.js';
import {callFacts, callText} from './facts.js';
import {fileFacts} from './files.js';

const COMMANDS: Changes = {
	view: 'read',
	create: 'create',
	str_replace: 'edit',
	strReplace: 'edit',
	insert: 'edit',
	append: 'edit',
	undo_edit: 'edit',
};

/** What a call does to the file that it names, if it is one of the editor. */
const editorChange = (args: CallArguments): FileChange | undefined => {
	const hasPath = textOf(args['path']) !== undefined;
	return hasPath ? entryOf(COMMANDS, stringOf(args['command'])) : undefined;
};

export interface EditorCall {
	readonly text: string;
	readonly facts: ToolFacts;
}

/** A call as text, and its facts. `change`: what a tool that is not the editor does to the file of its call. */
export const editorCall = (args: CallArguments, change?: FileChange): EditorCall => {
	const edited = editorChange(args);
	if (edited === undefined) return {text: callText(args), facts: callFacts(args, change)};
	const subject = compact({subject: textOf(args['path'])});
	return {text: argumentLines(args), facts: {...subject, ...fileFacts(edited, args)}};
};
