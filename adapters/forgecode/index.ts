/** ForgeCode: all conversations in one database, each with its whole context as one document. */

import {join} from 'node:path';
import type {SessionFacts} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {at, textOf} from '../shared/narrow.js';
import {agentRoots, statedPath} from '../shared/roots.js';
import {
	documentOf,
	messageRow,
	rawMessageIn,
	rowsIn,
	type StoredDocument,
} from '../shared/rows/documents.js';

import {discoverSessions} from '../shared/rows/sessions.js';
import {withDatabase} from '../shared/sqlite.js';
import {timeMs} from '../shared/time.js';
import type {
	Adapter,
	Batch,
	ResumePlan,
	ResumeRequest,
	Root,
	Source,
	Surroundings,
} from '../types.js';
import {readEntry, type Talk, textOfEntry} from './messages.js';
import {CONVERSATIONS, directoryIn, listSessions, siblingDirectory} from './tables.js';

const DATABASE = '.forge.db';

/** The folder of early versions is still the one that is used where it exists. */
const roots = (around: Surroundings): readonly Root[] => {
	const early = join(around.home, 'forge');
	const stated = statedPath(around.env['FORGE_CONFIG']);
	const found = agentRoots(around, {
		standard: join(around.home, '.forge'),
		stated,
		resumeEnv: path => ({FORGE_CONFIG: path}),
	});
	return stated === undefined && found.every(({path}) => path !== early)
		? [{path: early, from: 'default', resumeEnv: {}}, ...found]
		: found;
};

/** Only the first entries can hold the system prompt. */
const HEAD = 3;

const directoryOf = (path: string, id: string, {messages}: StoredDocument): string | undefined => {
	const stated = messages
		.slice(0, HEAD)
		.map(entry => directoryIn(textOfEntry(entry)))
		.find(directory => directory !== undefined);
	return stated ?? withDatabase(path, db => siblingDirectory(db, id));
};

const factsOf = (
	{row}: StoredDocument,
	cwd: string | undefined,
	isSubagent: boolean,
): SessionFacts =>
	compact({
		generatedTitle: textOf(row['title']),
		cwd,
		isSubagent: isSubagent ? true : undefined,
		createdAtMs: timeMs(row['created_at']),
		updatedAtMs: timeMs(row['updated_at'] ?? row['created_at']),
	});

function* read({path, sessionId = ''}: Source): Generator<Batch> {
	const stored = documentOf(path, CONVERSATIONS, sessionId);
	if (stored === undefined) return;
	const batch = createBatch(sessionId);
	const isSubagent = at(stored.value, 'initiator') === 'agent';
	const talk: Talk = {batch, names: new Map(), isSubagent, hasPrompt: false, task: undefined};
	batch.patch(factsOf(stored, directoryOf(path, sessionId, stored), isSubagent));
	if (stored.problem !== undefined) batch.problem(stored.problem);
	for (const [index, entry] of stored.messages.entries()) {
		const locator = {table: CONVERSATIONS.name, row: messageRow(stored, index)};
		// Messages have no time.
		readEntry(entry, {key: String(index), atMs: undefined, locator}, talk);
		if (batch.isFull()) yield batch.take(END);
	}
	batch.patch(compact({description: talk.task}));
	yield batch.take(END);
}

/** A UUID; never an option. */
const CONVERSATION_ID = /^\w[\w-]*$/;

const resume = ({id, cwd, isSubagent, resumeEnv}: ResumeRequest): ResumePlan => {
	if (isSubagent)
		return {reason: 'sub-agents cannot be resumed, only the conversation that started them'};
	if (!CONVERSATION_ID.test(id)) return {reason: `${id} is no conversation id of ForgeCode`};
	if (cwd === null) {
		return {reason: 'conversations belong to a directory, and that of this one is not known'};
	}
	return {argv: ['forge', '--conversation-id', id], cwd, env: resumeEnv};
};

export const forgecode: Adapter = {
	id: 'forgecode',
	label: 'ForgeCode',
	shortLabel: 'Forge',
	parserVersion: 1,
	checked: ['2026-04-12'],
	// Messages have no ids.
	hasGlobalKeys: false,
	roots,
	discover: ({path}) => discoverSessions(join(path, DATABASE), listSessions),
	read,
	raw: (source, locator) =>
		'table' in locator ? rawMessageIn(source.path, CONVERSATIONS, locator.row) : undefined,
	rows: source =>
		rowsIn(CONVERSATIONS, documentOf(source.path, CONVERSATIONS, source.sessionId ?? '')),
	resume,
};
