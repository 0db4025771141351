/** Tells what a person typed from what Grok Build put into the user's place. */

import type {AdapterEvent} from '../model.js';
import {isSlashCommand} from '../shared/slash-command.js';
import type {Session} from './session.js';

const INJECTED = /^\s*<(?:user_info|system-reminder|environment_context|project_instructions)\b/;
/** Around what was typed, in what goes to the model. */
const QUERY = /^\s*<user_query>\n?([\s\S]*?)\n?<\/user_query>/;

export type PromptForm = Pick<AdapterEvent, 'kind' | 'text'> &
	Partial<Pick<AdapterEvent, 'role' | 'input'>>;

/** `isInjected`: by the agent's own mark. Nobody types into a sub-agent: that is its task. */
export const promptForm = (text: string, isInjected: boolean, session: Session): PromptForm => {
	const typed = text.replace(QUERY, '$1');
	if (isInjected || session.isSubagent || INJECTED.test(typed)) return {kind: 'meta', text: typed};
	const message = {kind: 'message', role: 'user', text: typed} as const;
	if (session.isHeadless) return {...message, input: 'headless'};
	return isSlashCommand(typed) ? {...message, input: 'command'} : message;
};
