/** Reads a session whole. */

import {eventKey, type SessionFacts, type Usage} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {at, countOf, listOf, numberOf, textOf} from '../shared/narrow.js';
import {jsonIn} from '../shared/rows/events.js';
import {messageRows} from '../shared/rows/messages.js';
import {sessionRow} from '../shared/rows/sessions.js';
import {hasColumns, listOfColumns} from '../shared/session-parts/schema.js';
import {type ForeignDatabase, type Row, withDatabase} from '../shared/sqlite.js';
import {timeMs} from '../shared/time.js';
import type {Batch, Source} from '../types.js';
import {readBlocks, type Talk} from './blocks.js';
import {MESSAGES, SESSIONS} from './tables.js';

const LEDGER = 'usage_ledger';
const LEDGER_NEEDS = ['session_id', 'input_tokens', 'output_tokens'];
const LEDGER_COLUMNS = [
	...LEDGER_NEEDS,
	'created_timestamp',
	'model',
	'cache_read_tokens',
	'cache_write_tokens',
	'cost',
];

interface Session {
	readonly row: Row;
	/** One row for each answer of the model, in newer stores. */
	readonly ledger: readonly Row[];
}

const loadSession = (db: ForeignDatabase, id: string): Session | undefined => {
	const row = sessionRow(db, SESSIONS, id);
	if (row === undefined) return undefined;
	if (!hasColumns(db, LEDGER, LEDGER_NEEDS)) return {row, ledger: []};
	const columns = listOfColumns(db, LEDGER, LEDGER_COLUMNS);
	const ledger = db.all(
		`SELECT rowid AS place, ${columns} FROM ${LEDGER} WHERE session_id = ? ORDER BY rowid`,
		id,
	);
	return {row, ledger};
};

const countIn = (row: Row, name: string): number => countOf(row[name]);

const ledgerUsage = (row: Row): Usage => ({
	key: eventKey(`ledger-${row['place']}`),
	input: countIn(row, 'input_tokens'),
	output: countIn(row, 'output_tokens'),
	cacheRead: countIn(row, 'cache_read_tokens'),
	cacheWrite: countIn(row, 'cache_write_tokens'),
	...compact({
		model: textOf(row['model']),
		costUsd: numberOf(row['cost']),
		atMs: timeMs(row['created_timestamp']),
	}),
});

/** What is not accumulated is of the last turn only. */
const tokensOf = (row: Row): SessionFacts['tokens'] => {
	const tokens = {
		input: countIn(row, 'accumulated_input_tokens'),
		output: countIn(row, 'accumulated_output_tokens'),
		cacheRead: countIn(row, 'accumulated_cache_read_tokens'),
		cacheWrite: countIn(row, 'accumulated_cache_write_tokens'),
	};
	return tokens.input + tokens.output > 0 ? tokens : undefined;
};

const isSubagent = (row: Row): boolean => row['session_type'] === 'sub_agent';

const parentOf = (row: Row): SessionFacts['parent'] => {
	const id = textOf(row['parent_session_id']);
	if (id === undefined) return undefined;
	const relation = isSubagent(row) ? 'subagent' : 'fork';
	return {id, relation, certainty: isSubagent(row) ? 'exact' : 'unknown'};
};

/** What a session is called before anybody has named it. */
const UNNAMED = /^(?:new session(?: \d+)?|cli session)$/i;

const factsOf = ({row, ledger}: Session): SessionFacts => {
	const name = textOf(row['name']) ?? textOf(row['description']);
	const isNamed = numberOf(row['user_set_name']) === 1;
	const hasName = isNamed || !UNNAMED.test(name ?? '');
	return {
		archived: textOf(row['archived_at']) !== undefined,
		...compact({
			[isNamed ? 'customTitle' : 'generatedTitle']: hasName ? name : undefined,
			cwd: textOf(row['working_dir']),
			model:
				textOf(at(jsonIn(row['model_config_json']), 'model_name')) ??
				textOf(ledger.at(-1)?.['model']),
			hiddenBy: row['session_type'] === 'hidden' ? 'hidden' : undefined,
			isSubagent: isSubagent(row) ? true : undefined,
			parent: parentOf(row),
			tokens: ledger.length === 0 ? tokensOf(row) : undefined,
			costUsd: numberOf(row['accumulated_cost']),
			createdAtMs: timeMs(row['created_at']),
			updatedAtMs: timeMs(row['updated_at']),
		}),
	};
};

const readMessage = (row: Row, {talk, key}: {readonly talk: Talk; readonly key: string}): void => {
	const {batch} = talk;
	const id = numberOf(row['id']) ?? 0;
	const content = jsonIn(row['content_json']);
	if (!Array.isArray(content)) {
		const detail = 'the content of the message is no list of blocks';
		batch.problem({code: 'bad-record', where: `${MESSAGES.name} ${id}`, detail});
		return;
	}
	const model = batch.facts().model ?? undefined;
	const atMs = timeMs(row['created_timestamp']);
	readBlocks(listOf(content), {
		place: {key, atMs, locator: {table: MESSAGES.name, row: id}, model},
		isUser: row['role'] === 'user',
		isHidden: at(jsonIn(row['metadata_json']), 'userVisible') === false,
		talk,
	});
};

export function* read({path, sessionId = ''}: Source): Generator<Batch> {
	const session = withDatabase(path, db => loadSession(db, sessionId));
	if (session === undefined) return;
	const batch = createBatch(sessionId);
	const talk: Talk = {
		batch,
		names: new Map(),
		isSubagent: isSubagent(session.row),
		isScheduled: session.row['session_type'] === 'scheduled',
		task: undefined,
	};
	batch.patch(factsOf(session));
	for (const entry of session.ledger) batch.usage(ledgerUsage(entry));
	const keys = new Set<string>();
	const {problem: report} = batch;
	for (const row of messageRows(path, MESSAGES, {sessionId, report})) {
		const id = textOf(row['message_id']);
		// An import may have brought the same id twice.
		const key = id === undefined || keys.has(id) ? `r${row['id']}` : id;
		keys.add(key);
		readMessage(row, {talk, key});
		if (batch.isFull()) yield batch.take(END);
	}
	if (talk.isSubagent) batch.patch({description: talk.task ?? null});
	yield batch.take(END);
}
