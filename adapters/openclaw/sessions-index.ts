/** `sessions.json`: which transcript a conversation is at, up to 2026.7.1. */

import {join} from 'node:path';
import type {ParentLink, SessionFacts} from '../model.js';
import {compact} from '../shared/compact.js';
import {readJsonFile} from '../shared/json-file.js';
import {isRecord, recordOf, textOf} from '../shared/narrow.js';
import {conversationFacts} from './keys.js';

export interface Indexed {
	readonly key: string;
	readonly facts: SessionFacts;
}

type Entries = Readonly<Record<string, unknown>>;

/** The parent's key is stated, not which of its transcripts: that it is the current one is likely, no more. */
const parentOf = (entry: Record<string, unknown>, entries: Entries): ParentLink | undefined => {
	const key = textOf(entry['spawnedBy']) ?? textOf(entry['parentSessionKey']);
	const id = key === undefined ? undefined : textOf(recordOf(entries[key])['sessionId']);
	return id === undefined ? undefined : {id, relation: 'subagent', certainty: 'unknown'};
};

const indexed = (key: string, entry: Record<string, unknown>, entries: Entries): Indexed => {
	const facts = conversationFacts({
		key,
		label: textOf(entry['label']),
		otherName: textOf(entry['displayName']) ?? textOf(entry['autoLabel']),
		isCurrent: true,
		isArchived: typeof entry['archivedAt'] === 'number',
	});
	const parent = facts.isSubagent === true ? parentOf(entry, entries) : undefined;
	return {key, facts: compact({...facts, parent})};
};

/** By session id. */
export const sessionsIndex = (folder: string): ReadonlyMap<string, Indexed> => {
	const entries = recordOf(readJsonFile(join(folder, 'sessions.json'))?.value);
	const found = new Map<string, Indexed>();
	for (const [key, entry] of Object.entries(entries)) {
		const id = isRecord(entry) ? textOf(entry['sessionId']) : undefined;
		if (isRecord(entry) && id !== undefined) found.set(id, indexed(key, entry, entries));
	}
	return found;
};
