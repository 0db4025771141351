/** Which record says what: one table from record type to what is done with it. */

import {type AdapterEvent, eventKey} from '../model.js';
import {at, entryOf, listOf, numberOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {noteDirectory, recall} from '../shared/pairs.js';
import {assistantEvents} from './assistant.js';
import {attachmentEvents, systemEvents} from './meta.js';
import {type Progress, remember} from './progress.js';
import {blockOf, kindName, type Row} from './row.js';
import {agentIdOf} from './sidecars.js';
import {userEvents} from './user.js';

const NOTHING: readonly AdapterEvent[] = [];

/** Rows of the conversation: they have the common envelope. */
const ROWS: Readonly<Record<string, (row: Row) => readonly AdapterEvent[]>> = {
	assistant: assistantEvents,
	attachment: attachmentEvents,
	// Written by 2.1.x for a while; says early which sub-agent a call started.
	progress: ({record, context}) => {
		const [callId, agentId] = [
			textOf(record['parentToolUseID']),
			agentIdOf(at(record, 'data', 'agentId')),
		];
		const isAgent = at(record, 'data', 'type') === 'agent_progress';
		const {progress} = context;
		if (isAgent && callId && agentId && recall(progress.agents, callId) !== agentId) {
			remember(progress, 'agents', [callId, agentId]);
		}
		return NOTHING;
	},
	system: systemEvents,
	user: userEvents,
};

type Fold = (progress: Progress, record: Record<string, unknown>) => void;

/** Sets a field from a text of the record; an empty text changes nothing. */
const field =
	(name: 'aiTitle' | 'relocatedCwd' | 'continuedIn', from: string): Fold =>
	(progress, record) => {
		const text = textOf(record[from]);
		if (text !== undefined) progress[name] = text;
	};

/** As `field`, but an empty text takes the value back. */
const clearable =
	(name: 'customTitle' | 'tag', from: string): Fold =>
	(progress, record) => {
		progress[name] = textOf(record[from]) ?? null;
	};

/** Old versions wrote summaries of other sessions into a file as well: only one whose leaf is a row of this file counts. */
const noteSummary: Fold = (progress, record) => {
	const [leaf, text] = [textOf(record['leafUuid']), textOf(record['summary'])];
	if (leaf === undefined || text === undefined) return;
	if (recall(progress.rows, leaf) === undefined) remember(progress, 'summaries', [leaf, text]);
	else progress.summaryTitle = text;
};

const noteFork: Fold = (progress, record) => {
	const fork = listOf(record['sessions'])
		.map(recordOf)
		.find(({via}) => via === 'fork');
	const id = textOf(fork?.['id']);
	if (id !== undefined) progress.derivedFrom = id;
};

const noteCost: Fold = (progress, record) => {
	const total = numberOf(record['totalCostUSD']);
	if (total !== undefined) progress.costUsd = total;
};

const noteWorktree: Fold = (progress, record) => {
	const original = textOf(at(record, 'worktreeSession', 'originalCwd'));
	if (original !== undefined) progress.checkout = original;
};

/**
 * A rewind that says after which row the rest was cut away. The record may be repeated once the talk went on from there: then its
 * leaf lies behind the cut, or it was seen before.
 */
const noteRewind: Fold = (progress, record) => {
	const cut = textOf(record['cutUuid']);
	if (cut === undefined || cut === progress.cutAfter) return;
	const [place, leaf] = [cut, record['leafUuid']].map(wanted =>
		progress.rows.findLastIndex(([uuid]) => uuid === wanted),
	) as [number, number];
	const first = progress.rows.slice(place + 1).find(([, block]) => block !== '');
	if (place === -1 || leaf > place || first === undefined) return;
	progress.cutFrom = eventKey(first[0], Number(first[1]));
	progress.cutAfter = cut;
};

const METADATA: Readonly<Record<string, Fold>> = {
	'ai-title': field('aiTitle', 'aiTitle'),
	'continued-in': field('continuedIn', 'continuedInSessionId'),
	'cost-state': noteCost,
	'custom-title': clearable('customTitle', 'customTitle'),
	'derived-from': noteFork,
	'last-prompt': noteRewind,
	relocated: field('relocatedCwd', 'relocatedCwd'),
	summary: noteSummary,
	tag: clearable('tag', 'tag'),
	'worktree-state': noteWorktree,
};

/** Known, and nothing for us. The first line: copies of requests, which repeat prompts and whole system prompts. */
const SILENT = new Set(
	[
		'api-request api-request-blob api-request-shape',
		'agent-color agent-name agent-setting atis-latch attribution-snapshot bridge-session content-replacement dev-mods',
		'file-history-delta file-history-snapshot fork-context-ref history-suppression hybrid-organization isolation-latch',
		'memory-mode mode permission-mode pr-link queue-operation session-owner tools-used',
	].flatMap(line => line.split(' ')),
);

export const isSilent = (type: string): boolean =>
	SILENT.has(type) || type.startsWith('data-flow-');

/** The envelope that conversation rows share. */
const noteEnvelope = ({record, context, isSideChain}: Row): void => {
	const {progress, identity} = context;
	const cwd = textOf(record['cwd']);
	if (cwd !== undefined) {
		progress.cwd ??= cwd;
		noteDirectory(progress, cwd);
	}
	const branch = stringOf(record['gitBranch']);
	// Outside of a repository, or on a detached head, the agent writes the literal HEAD.
	if (branch !== undefined) progress.branch = branch === 'HEAD' || branch === '' ? null : branch;
	const version = textOf(record['version']);
	if (version !== undefined) progress.version = version;
	if (identity.isSubagent) return;
	if (!isSideChain) progress.isSideChain = false;
	else progress.isSideChain ??= true;
	noteOrigin(progress, record, identity.sessionId);
};

/** Copied rows name the session that they were copied from. */
const noteOrigin = (progress: Progress, record: Record<string, unknown>, ownId: string): void => {
	const forkedFrom = textOf(at(record, 'forkedFrom', 'sessionId'));
	if (forkedFrom !== undefined && forkedFrom !== ownId) progress.forkedFrom ??= forkedFrom;
	const requested = textOf(record['requestSessionId']);
	if (requested !== undefined && requested !== ownId) progress.requestSessionId ??= requested;
};

/** Remembers a row and looks whether a summary was waiting for it. */
const noteRow = (row: Row, events: readonly AdapterEvent[]): void => {
	const {progress} = row.context;
	const uuid = textOf(row.record['uuid']);
	if (uuid === undefined) return;
	const [first] = events;
	remember(progress, 'rows', [uuid, first === undefined ? '' : String(blockOf(row, first))]);
	if (progress.summaries.length === 0) return;
	const title = recall(progress.summaries, uuid);
	if (title !== undefined) progress.summaryTitle = title;
};

const rowEvents = (row: Row, read: (row: Row) => readonly AdapterEvent[]): void => {
	const {progress, batch} = row.context;
	noteEnvelope(row);
	const events = read(row);
	for (const event of events) {
		closeCut(row, event.key);
		batch.event(event);
		if (event.role === 'user' && row.atMs !== undefined) progress.lastPromptMs = row.atMs;
	}
	noteRow(row, events);
};

/** What a rewind cut away ends where the next event begins. */
const closeCut = ({context: {progress, batch}}: Row, key: string): void => {
	if (progress.cutFrom === undefined) return;
	batch.undo(progress.cutFrom, key);
	delete progress.cutFrom;
};

export const readRecord = (row: Row): void => {
	const {record, context} = row;
	const type = stringOf(record['type']) ?? 'none';
	if (row.atMs !== undefined) context.progress.bornAtMs ??= row.atMs;
	const read = entryOf(ROWS, type);
	const fold = entryOf(METADATA, type);
	if (read !== undefined) rowEvents(row, read);
	else if (fold !== undefined) fold(context.progress, record);
	else if (!isSilent(type)) context.batch.unknown(kindName(type));
};
