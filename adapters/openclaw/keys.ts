/** Session keys name a conversation; a conversation has one transcript after the other. */

import type {SessionFacts} from '../model.js';
import {compact} from '../shared/compact.js';

/** Begun by the scheduler or a web hook: nobody typed anything. */
export const isAutomatedKey = (key: string): boolean =>
	/^(?:agent:[^:]+:)?(?:cron|hook):/.test(key);

export const isSubagentKey = (key: string): boolean => /(?:^|:)subagent:/.test(key);

/** What an index says of one conversation. */
export interface Conversation {
	readonly key: string;
	/** Given by the user. */
	readonly label?: string | undefined;
	/** Name of the chat, or one that a model made. */
	readonly otherName?: string | undefined;
	/** The transcript is the newest of the conversation: only that can be resumed. */
	readonly isCurrent: boolean;
	readonly isArchived: boolean;
}

export const conversationFacts = (conversation: Conversation): SessionFacts => {
	const {key, label, otherName, isCurrent, isArchived} = conversation;
	return compact({
		// A name belongs to the conversation: on each of its older transcripts it would only repeat itself.
		customTitle: isCurrent ? label : undefined,
		generatedTitle: isCurrent ? otherName : undefined,
		isSubagent: isSubagentKey(key) ? true : undefined,
		isAutomated: isAutomatedKey(key) ? true : undefined,
		archived: isArchived,
		resumeHint: isCurrent ? {key} : {earlier: key},
	});
};
