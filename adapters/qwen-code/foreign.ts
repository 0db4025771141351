import {foreignBy} from '../shared/foreign.js';
import {recordOf, textOf} from '../shared/narrow.js';

/** A transcript that lies anywhere: its messages have `parts` where those of Claude Code have `content`. */
export const foreign = foreignBy({
	idIn: ({uuid, message, sessionId}) =>
		textOf(uuid) !== undefined && Array.isArray(recordOf(message)['parts']) && sessionId,
	at: id => `projects/imported/chats/${id}.jsonl`,
});
