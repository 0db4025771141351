/** Reads a transcript whole: which branch is live is known at its end only. */

import type {AdapterEvent, SessionFacts} from '../model.js';
import {type BatchBuilder, createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {oneLine} from '../shared/content.js';
import {readJsonFile} from '../shared/json-file.js';
import {readJsonLines} from '../shared/jsonl.js';
import {at, entryOf, listOf, recordOf, stringOf, textOf} from '../shared/narrow.js';

import {timeMs} from '../shared/time.js';
import type {TranscriptPlace} from '../shared/transcript-place.js';
import type {Batch, Source} from '../types.js';
import {type Leaf, type Node, undoneRows} from './branches.js';
import {
	assistantEvents,
	attachmentEvents,
	isTyped,
	noteEvents,
	type Row,
	usageOf,
	userEvents,
} from './rows.js';

type Json = Readonly<Record<string, unknown>>;
type Pair = readonly [row: string, event: AdapterEvent];

/** Mutable on purpose: one record after the other is folded into it. */
interface Fold {
	readonly place: TranscriptPlace;
	readonly batch: BatchBuilder;
	readonly names: Map<string, string>;
	readonly nodes: Map<string, Node>;
	/** The newest of the nodes. */
	lastId: string | null;
	readonly events: Pair[];
	leaf: Leaf;
	facts: SessionFacts;
	/** Stated by the records. */
	sessionId?: string;
	agentId?: string;
	relocated?: string;
}

const ROWS: Readonly<Record<string, (row: Row) => readonly AdapterEvent[]>> = {
	assistant: assistantEvents,
	attachment: attachmentEvents,
	progress: noteEvents,
	system: noteEvents,
	user: userEvents,
};

type Note = (fold: Fold, record: Json) => void;

/** A field of the facts, from a text of the record. */
const fact =
	(name: 'customTitle' | 'generatedTitle' | 'tag', from: string): Note =>
	(fold, record) => {
		const text = textOf(record[from]);
		if (text !== undefined) fold.facts = {...fold.facts, [name]: text};
	};

const NOTES: Readonly<Record<string, Note>> = {
	'active-leaf': (fold, record) => {
		fold.leaf = {id: stringOf(record['leafUuid']) ?? null, isStated: true};
	},
	'ai-title': fact('generatedTitle', 'aiTitle'),
	'custom-title': fact('customTitle', 'customTitle'),
	relocated: (fold, record) => {
		const cwd = textOf(record['relocatedCwd']);
		if (cwd !== undefined) fold.relocated = cwd;
	},
	summary: (fold, record) => {
		const text = textOf(record['summary']);
		if (text !== undefined) fold.facts = {generatedTitle: text, ...fold.facts};
	},
	tag: fact('tag', 'tag'),
	'workspace-directories': (fold, record) => {
		const directories = listOf(record['directories']).flatMap(path => textOf(path) ?? []);
		if (directories.length > 0) fold.facts = {...fold.facts, directories};
	},
};

const SILENT = new Set(
	'content-replacement file-history-snapshot last-prompt mode runtime-config session_meta token-stats worktree-state'.split(
		' ',
	),
);

const noteEnvelope = (fold: Fold, record: Json): void => {
	const origin = textOf(at(record, 'forkedFrom', 'sessionId'));
	const own = fold.sessionId ?? textOf(record['sessionId']);
	if (own !== undefined) fold.sessionId = own;
	const agentId = fold.agentId ?? textOf(record['agentId']);
	if (agentId !== undefined) fold.agentId = agentId;
	const {cwd, bornAtMs, parent} = fold.facts;
	const fork = {id: origin ?? '', relation: 'fork', certainty: 'exact'} as const;
	fold.facts = {
		...fold.facts,
		...compact({
			cwd: cwd ?? textOf(record['cwd']),
			branch: textOf(record['gitBranch']),
			agentVersion: textOf(record['version']),
			model: textOf(at(record, 'message', 'model')),
			bornAtMs: bornAtMs ?? timeMs(record['timestamp']),
			parent: parent ?? (origin === undefined || origin === own ? undefined : fork),
		}),
	};
};

const isCompaction = ({subtype, isCompactSummary}: Json): boolean =>
	subtype === 'compact_boundary' || isCompactSummary === true;

/** What the older form does not state, and what was on a damaged line, is the row before; so is what a compaction cut off. */
const parentOf = (record: Json, {nodes, lastId}: Fold): string | null => {
	const stated = textOf(record['parentUuid']) ?? textOf(record['logicalParentUuid']);
	if (stated !== undefined && nodes.has(stated)) return stated;
	if (record['parentUuid'] === null && stated === undefined && !isCompaction(record)) return null;
	return lastId;
};

const noteNode = (fold: Fold, row: Row, hasPrompt: boolean): void => {
	const {record} = row;
	const id = textOf(record['uuid']);
	if (id === undefined) return;
	fold.nodes.set(id, {id, parent: parentOf(record, fold), isPrompt: hasPrompt});
	fold.lastId = id;
	const isTalk = record['type'] !== 'system' || record['subtype'] === 'compact_boundary';
	if (isTalk && record['type'] !== 'progress') fold.leaf = {id, isStated: false};
};

const readRow = (fold: Fold, row: Row, read: (row: Row) => readonly AdapterEvent[]): void => {
	noteEnvelope(fold, row.record);
	const events = read(row);
	noteNode(fold, row, isTyped(row) && events.some(({role}) => role === 'user'));
	for (const event of events) fold.events.push([textOf(row.record['uuid']) ?? '', event]);
	const usage = row.record['type'] === 'assistant' ? usageOf(row) : undefined;
	if (usage !== undefined) fold.batch.usage(usage);
};

const readRecord = (fold: Fold, record: Json, place: Row['place']): void => {
	const type = stringOf(record['type']) ?? 'none';
	const {batch, names} = fold;
	const read = entryOf(ROWS, type);
	const note = entryOf(NOTES, type);
	if (read !== undefined) {
		const isSubagent = fold.place.agentId !== undefined;
		readRow(fold, {record, place, names, isSubagent, unknown: kind => batch.unknown(kind)}, read);
	} else if (note !== undefined) note(fold, record);
	else if (type === 'session_meta') noteEnvelope(fold, record);
	else if (!SILENT.has(type)) batch.unknown(oneLine(type, 80));
};

const readLines = (path: string, fold: Fold): void => {
	for (const line of readJsonLines(path)) {
		const {record, problem, number, offset, length} = line;
		if (problem !== undefined) {
			fold.batch.problem(problem);
			continue;
		}
		readRecord(fold, record, {
			key: textOf(record['uuid']) ?? textOf(record['id']) ?? `L${number}`,
			atMs: timeMs(record['timestamp']),
			locator: {offset, length},
			model: textOf(at(record, 'message', 'model')),
		});
	}
};

/** `agent-<id>.meta.json`: the task, and the call that started it. */
const subagentFacts = (source: Source, parent: string): SessionFacts => {
	const beside = readJsonFile(source.files[1]?.path ?? '')?.value;
	const callId = textOf(at(beside, 'toolUseId'));
	return compact({
		isSubagent: true,
		description: textOf(at(beside, 'description')),
		parent: compact({
			id: parent,
			relation: 'subagent' as const,
			certainty: 'exact' as const,
			callId,
		}),
	});
};

const emitEvents = ({batch, events, nodes, leaf}: Fold): void => {
	const undone = undoneRows(nodes, leaf);
	for (const [row, event] of events) {
		batch.event(undone.has(row) ? {...event, state: 'undone'} : event);
	}
};

export function* read(source: Source): Generator<Batch> {
	const place = recordOf(source.extra) as unknown as TranscriptPlace;
	const batch = createBatch('');
	const fold: Fold = {
		place,
		batch,
		names: new Map(),
		nodes: new Map(),
		lastId: null,
		events: [],
		leaf: {id: null, isStated: false},
		facts: {},
	};
	readLines(source.path, fold);
	const {facts, relocated, agentId} = fold;
	const root =
		source.sessionId ?? (place.agentId === undefined ? fold.sessionId : undefined) ?? place.id;
	const isSubagent = place.agentId !== undefined;
	batch.setSession(isSubagent ? `${root}/${agentId ?? place.agentId}` : root);
	batch.patch({
		...facts,
		...(relocated === undefined ? {} : {cwd: relocated}),
		...(isSubagent ? subagentFacts(source, root) : {}),
	});
	emitEvents(fold);
	yield batch.take(END);
}
