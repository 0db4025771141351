/** Tool calls as text and facts, for agents that name the arguments in one of the usual ways. */

import type {ToolFacts} from '../../model.js';
import {compact} from '../compact.js';
import {firstText} from '../narrow.js';
import {argumentLines, type CallArguments, COMMANDS, subjectOf} from './arguments.js';
import type {FileChange} from './changes.js';
import {fileFacts, patchIn} from './files.js';

/** Facts of a call apart from its name and id. `change`: what the tool does to the file that the call names. */
export const callFacts = (
	args: CallArguments,
	change: FileChange | undefined,
	subjects?: readonly string[],
): ToolFacts => ({
	// Of a patch the first file says more than `*** Begin Patch`.
	...compact({subject: patchIn(args)?.files[0]?.path ?? subjectOf(args, subjects)}),
	...fileFacts(change, args),
});

/** A call as text: a command alone, else the arguments line by line. */
export const callText = (args: CallArguments): string =>
	firstText(args, COMMANDS) ?? argumentLines(args);
