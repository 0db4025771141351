/** `.forge.db`: a conversation is one document in a row. */

import {at, listOf, textOf} from '../shared/narrow.js';
import type {DocumentTable} from '../shared/rows/documents.js';
import type {ListedSession} from '../shared/rows/sessions.js';
import {hasColumns, listOfColumns} from '../shared/session-parts/schema.js';
import {columnsOf, type ForeignDatabase} from '../shared/sqlite.js';

export const CONVERSATIONS: DocumentTable = {
	name: 'conversations',
	where: 'conversation_id = ?',
	columns: ['title', 'created_at', 'updated_at'],
	document: 'context',
	messagesIn: context => listOf(at(context, 'messages')),
};

export const listSessions = (db: ForeignDatabase): readonly ListedSession[] | undefined => {
	const {name, document} = CONVERSATIONS;
	if (!hasColumns(db, name, ['conversation_id', document])) return undefined;
	const columns = listOfColumns(db, name, ['conversation_id', 'updated_at', 'title']);
	return db
		.all(
			`SELECT ${columns}, octet_length(${document}) AS bytes FROM ${name}
			WHERE ${document} IS NOT NULL ORDER BY conversation_id`,
		)
		.flatMap(({conversation_id, ...mark}) => {
			const id = textOf(conversation_id);
			return id === undefined ? [] : [{id, mark: JSON.stringify(Object.values(mark))}];
		});
};

const OPEN = '<current_working_directory>';
const DIRECTORY = /<current_working_directory>([^<]+)<\/current_working_directory>/;

export const directoryIn = (text: string): string | undefined =>
	textOf(DIRECTORY.exec(text)?.[1]?.trim());

/** A path as it stands in JSON. */
const unescaped = (text: string): string => {
	try {
		return String(JSON.parse(`"${text}"`));
	} catch {
		return text; // cut off within an escape: nothing that a path would lose by
	}
};

/** The directory that another conversation of the same workspace states: `workspace_id` is its hash. */
export const siblingDirectory = (db: ForeignDatabase, id: string): string | undefined => {
	const {name, document} = CONVERSATIONS;
	if (!columnsOf(db, name).has('workspace_id')) return undefined;
	const row = db.get(
		`SELECT substr(${document}, instr(${document}, ?), 4096) AS part FROM ${name}
		WHERE workspace_id = (SELECT workspace_id FROM ${name} WHERE conversation_id = ?)
			AND instr(${document}, ?) > 0 LIMIT 1`,
		OPEN,
		id,
		OPEN,
	);
	const part = textOf(row?.['part']);
	const path = part === undefined ? undefined : directoryIn(part);
	return path === undefined ? undefined : unescaped(path);
};
