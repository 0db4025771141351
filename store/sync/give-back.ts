import type {Database} from '../open.js';
import {indexText} from '../search/normalise.js';
import {prepared} from '../statements.js';
import {indexColumn, searchableText} from './text.js';
import type {Writer} from './write-group.js';

interface CopiedRow {
	readonly id: number;
	readonly session_id: number;
	readonly kind: 'message';
	readonly role: 'user' | 'assistant' | null;
	readonly text: string;
	readonly tool_name: string | null;
	readonly subject: string | null;
}

/**
 * A parent is about to go: what its forks copied from it is theirs again, shown, counted and indexed. Returns the children.
 */
export const giveBackCopies = ({database, index}: Writer, parentId: number): readonly number[] => {
	const sql = prepared(database);
	const children = sql(
		`WITH RECURSIVE family(id) AS (SELECT id FROM session WHERE parent_id = @parentId
			UNION SELECT session.id FROM session JOIN family ON session.parent_id = family.id) SELECT id FROM family`,
	).all({parentId}) as {id: number}[];
	for (const {id} of children) {
		const rows = sql(
			`SELECT id, session_id, kind, role, text, tool_name, subject FROM event WHERE session_id = ? AND state = 'copied'
			AND copy_of IN (SELECT id FROM event WHERE session_id = ?)`,
		).all(id, parentId) as CopiedRow[];
		for (const row of rows) {
			sql("UPDATE event SET state = 'live', copy_of = NULL, is_indexed = 1 WHERE id = ?").run(
				row.id,
			);
			const {kind, role, text, tool_name, subject} = row;
			const event = {
				key: '',
				kind,
				...(role && {role}),
				text,
				tool: {...(tool_name && {name: tool_name}), ...(subject && {subject})},
				locator: {offset: 0, length: 0},
			};
			index.add(indexColumn(event), row.id, indexText(searchableText(event)));
		}
		giveBackUsage(database, id, parentId);
	}
	// What the links pass found by equal records is known no longer; what a store states stays.
	sql(
		`UPDATE session SET parent_native = NULL, parent_relation = NULL, parent_certainty = NULL WHERE parent_id = ?
		AND NOT EXISTS (SELECT 1 FROM source WHERE session_id = session.id AND facts ->> '$.parent' IS NOT NULL)`,
	).run(parentId);
	sql('UPDATE session SET parent_id = NULL, parent_event = NULL WHERE parent_id = ?').run(parentId);
	return children.map(({id}) => id);
};

/** By key; a fork that has no copies left, of an agent whose keys are places in a file, gets all of it. */
const giveBackUsage = (database: Database, id: number, parentId: number): void => {
	const sql = prepared(database);
	const hasCopies =
		sql("SELECT 1 FROM event WHERE session_id = ? AND state = 'copied' LIMIT 1").get(id) !==
		undefined;
	const mine = hasCopies
		? 'AND key IN (SELECT key FROM usage WHERE session_id = @parentId)'
		: 'AND @parentId = @parentId';
	sql(`UPDATE usage SET state = 'live' WHERE session_id = @id AND state = 'copied' ${mine}`).run({
		id,
		parentId,
	});
};
