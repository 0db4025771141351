/** Reads a session whole. */

import type {ParentLink, SessionFacts} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {at, countOf, numberOf, stringOf, textOf} from '../shared/narrow.js';
import {jsonIn, type Talk} from '../shared/rows/events.js';
import {messageRows} from '../shared/rows/messages.js';
import {sessionRow} from '../shared/rows/sessions.js';
import {type Row, withDatabase} from '../shared/sqlite.js';
import {timeMs} from '../shared/time.js';
import type {Batch, Source} from '../types.js';
import {readParts} from './parts.js';
import {MESSAGES, SESSIONS} from './tables.js';

/** `<message>$$<call>`: what a call of the tool `agent` started. */
const AGENT_SESSION = /\$\$(.+)$/;

const parentOf = (row: Row): ParentLink | undefined => {
	const id = textOf(row['parent_session_id']);
	if (id === undefined) return undefined;
	const callId = AGENT_SESSION.exec(String(row['id']))?.[1];
	return {id, relation: 'subagent', certainty: 'exact', ...compact({callId})};
};

const tokensOf = (row: Row): SessionFacts['tokens'] => {
	const [input, output] = ['prompt_tokens', 'completion_tokens'].map(name =>
		countOf(row[name]),
	) as [number, number];
	return input + output === 0 ? undefined : {input, output, cacheRead: 0, cacheWrite: 0};
};

/** What a session is called before a title is found. */
const UNTITLED = /^(?:new|untitled) session$/i;

/** The database does not say where it belongs. */
const factsOf = (row: Row, project: unknown): SessionFacts => {
	const parent = parentOf(row);
	const dataDir = textOf(at(project, 'dataDir'));
	const title = textOf(row['title']) ?? '';
	const tokens = tokensOf(row);
	const cost = numberOf(row['cost']);
	return compact({
		generatedTitle: UNTITLED.test(title) ? undefined : textOf(title),
		cwd: textOf(at(project, 'path')),
		isSubagent: parent === undefined ? undefined : true,
		parent,
		tokens,
		// Without any tokens nobody has counted.
		costUsd: cost === 0 && tokens === undefined ? undefined : cost,
		createdAtMs: timeMs(row['created_at']),
		updatedAtMs: timeMs(row['updated_at']),
		resumeHint: dataDir === undefined ? undefined : {dataDir},
	});
};

const readMessage = (row: Row, {talk, summaryId}: {talk: Talk; summaryId: unknown}): void => {
	const {batch} = talk;
	const id = textOf(row['id']);
	const parts = jsonIn(row['parts']);
	if (id === undefined || !Array.isArray(parts)) {
		const detail = 'the message has no id, or no list of parts';
		batch.problem({code: 'bad-record', where: `${MESSAGES.name} ${id}`, detail});
		return;
	}
	const model = textOf(row['model']);
	const isSummary = numberOf(row['is_summary_message']) === 1 || id === summaryId;
	// Summaries may be left to a smaller model.
	if (model !== undefined && !isSummary) batch.patch({model});
	readParts(parts, {
		role: stringOf(row['role']) ?? '',
		isSummary,
		place: {
			key: id,
			atMs: timeMs(row['created_at']),
			locator: {table: MESSAGES.name, row: id},
			model,
		},
		talk,
	});
};

export function* read({path, sessionId = '', extra}: Source): Generator<Batch> {
	const session = withDatabase(path, db => sessionRow(db, SESSIONS, sessionId));
	if (session === undefined) return;
	const batch = createBatch(sessionId);
	const facts = factsOf(session, extra);
	const isSubagent = facts.isSubagent === true;
	const talk: Talk = {batch, names: new Map(), isSubagent, task: undefined};
	batch.patch(facts);
	const {problem: report} = batch;
	for (const row of messageRows(path, MESSAGES, {sessionId, report})) {
		readMessage(row, {talk, summaryId: session['summary_message_id']});
		if (batch.isFull()) yield batch.take(END);
	}
	if (isSubagent) batch.patch({description: talk.task ?? null});
	yield batch.take(END);
}
