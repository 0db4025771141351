import {appendFileSync, existsSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Database} from './open.js';

/** What the user says of a session; `null` takes a title or note back. Only what is named changes. */
export interface MarkChange {
	readonly starred?: boolean;
	readonly title?: string | null;
	readonly note?: string | null;
	readonly addTags?: readonly string[];
	readonly removeTags?: readonly string[];
}

interface MarkRow {
	readonly starred: number;
	readonly title: string | null;
	readonly tags: string;
	readonly note: string | null;
}

interface MarkLine extends MarkChange {
	readonly at: string;
	readonly agent: string;
	readonly id: string;
}

/** One change a line, beside the database: marks are the one thing that no source can give back. */
const marksFile = (folder: string): string => join(folder, 'marks.jsonl');

export const appendMark = (folder: string, line: MarkLine): void =>
	appendFileSync(marksFile(folder), `${JSON.stringify(line)}\n`, {mode: 0o600});

/** Applies a change to the row of a session, which need not be known yet. */
export const applyMark = (database: Database, {at, agent, id, ...change}: MarkLine): void => {
	const before = database
		.prepare('SELECT starred, title, tags, note FROM mark WHERE agent = ? AND native_id = ?')
		.get(agent, id) as MarkRow | undefined;
	const after = changed(before ?? {starred: 0, title: null, tags: '[]', note: null}, change);
	database
		.prepare('INSERT OR REPLACE INTO mark VALUES (?, ?, ?, ?, ?, ?, ?)')
		.run(agent, id, after.starred, after.title, after.tags, after.note, Date.parse(at) || 0);
};

/** Brings the marks into a new database. Returns the lines that could not be read. */
export const restoreMarks = (database: Database, folder: string): number => {
	if (!existsSync(marksFile(folder))) return 0;
	let unreadable = 0;
	for (const text of readFileSync(marksFile(folder), 'utf8').split('\n')) {
		if (text === '') continue;
		const line = parsed(text);
		if (line) applyMark(database, line);
		else unreadable++;
	}
	return unreadable;
};

/** Takes the lines of sessions out of the file: titles, tags and notes are part of what is forgotten. */
export const dropMarks = (
	folder: string,
	sessions: readonly {readonly agent: string; readonly nativeId: string}[],
): void => {
	const path = marksFile(folder);
	if (!existsSync(path)) return;
	const lines = readFileSync(path, 'utf8').split('\n');
	const kept = lines.filter(text => {
		const line = parsed(text);
		return !sessions.some(({agent, nativeId}) => line?.agent === agent && line.id === nativeId);
	});
	if (kept.length === lines.length) return;
	const draft = `${path}.new`;
	writeFileSync(draft, kept.join('\n'), {mode: 0o600});
	renameSync(draft, path);
};

/** A line as it was written by us; anything else, such as a line cut off by a full disk, is not. */
const parsed = (text: string): MarkLine | undefined => {
	try {
		const line = JSON.parse(text) as Partial<MarkLine> | null;
		return typeof line?.agent === 'string' && typeof line.id === 'string'
			? (line as MarkLine)
			: undefined;
	} catch {
		return undefined; // counted by the caller
	}
};

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
