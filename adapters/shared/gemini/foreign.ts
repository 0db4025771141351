import {foreignBy} from '../foreign.js';
import {textOf} from '../narrow.js';

/** A log or a document of Gemini CLI or a fork: both begin with the session's id and when it was begun. */
export const foreignChat = foreignBy({
	idIn: ({sessionId, startTime}) => textOf(startTime) !== undefined && sessionId,
	at: (id, {messages}) =>
		`tmp/imported/chats/session-${id}.${Array.isArray(messages) ? 'json' : 'jsonl'}`,
});
