import {appendFileSync} from 'node:fs';
import {join} from 'node:path';
import {type Database, explained} from './open.js';
import {prepared} from './statements.js';
import {retitleSession} from './sync/session-rows.js';
import {createWriteGroup} from './sync/write-group.js';
import type {SessionRef} from './types.js';

/** What the user says of a session; `null` takes a title or note back. Only what is named changes. */
export interface MarkChange {
	readonly starred?: boolean;
	readonly title?: string | null;
	readonly note?: string | null;
	readonly addTags?: readonly string[];
	readonly removeTags?: readonly string[];
}

const MARKS_FILE = 'marks.jsonl';

interface MarkRow {
	readonly starred: number;
	readonly title: string | null;
	readonly tags: string;
	readonly note: string | null;
}

/**
 * Changes the marks of a session, in the database and in `marks.jsonl` beside it, which outlives the loss of the database. Does
 * nothing for a session that is not there.
 * @throws StoreError
 */
export const setMark = (
	database: Database,
	folder: string,
	ref: SessionRef,
	change: MarkChange,
): void =>
	explained(folder, () => {
		const sql = prepared(database);
		const session = sql(
			"SELECT id, agent, native_id FROM session WHERE agent || ':' || native_id = ?",
		).get(ref) as {id: number; agent: string; native_id: string} | undefined;
		if (session === undefined) return;
		const key = [session.agent, session.native_id];
		const group = createWriteGroup(database, Date.now);
		group.run(0, () => {
			const before = sql(
				'SELECT starred, title, tags, note FROM mark WHERE agent = ? AND native_id = ?',
			).get(...key) as MarkRow | undefined;
			const after = changed(before ?? {starred: 0, title: null, tags: '[]', note: null}, change);
			sql('INSERT OR REPLACE INTO mark VALUES (?, ?, ?, ?, ?, ?, ?)').run(
				...key,
				after.starred,
				after.title,
				after.tags,
				after.note,
				Date.now(),
			);
			if (change.title !== undefined) retitleSession(group, session.id);
		});
		group.end();
		const line = JSON.stringify({
			at: new Date().toISOString(),
			agent: session.agent,
			id: session.native_id,
			...change,
		});
		appendFileSync(join(folder, MARKS_FILE), `${line}\n`, {mode: 0o600});
	});

const changed = (before: MarkRow, change: MarkChange): MarkRow => {
	const tags = new Set<string>(JSON.parse(before.tags) as readonly string[]);
	for (const tag of change.addTags ?? []) tags.add(tag);
	for (const tag of change.removeTags ?? []) tags.delete(tag);
	return {
		starred: Number(change.starred ?? before.starred === 1),
		title: change.title === undefined ? before.title : change.title,
		tags: JSON.stringify([...tags].sort()),
		note: change.note === undefined ? before.note : change.note,
	};
};
