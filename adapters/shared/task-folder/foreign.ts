/** The talk of a task that lies anywhere: a list of messages as the model got them, or of what the panel showed. */

import {isRecord, listOf, textOf} from '../narrow.js';

type Json = Readonly<Record<string, unknown>>;

const isShown = ({type, say, ask}: Json): boolean =>
	(type === 'say' && textOf(say) !== undefined) || (type === 'ask' && textOf(ask) !== undefined);

/** Whether a prompt of the model has a mark that the program put in. */
export const hasMark = ({role, content}: Json, mark: string): boolean =>
	role === 'user' &&
	listOf(content).some(part => isRecord(part) && textOf(part['text'])?.includes(mark) === true);

/** Both kinds are of a shape that nothing else has: the state of the editor stands behind each prompt. */
export const isTaskRecord = (record: Json): boolean =>
	isShown(record) || hasMark(record, '<environment_details>');

export const taskPlace = (id: string, record: Json): string =>
	`tasks/${id}/${isShown(record) ? 'ui_messages' : 'api_conversation_history'}.json`;
