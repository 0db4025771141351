/** Reads a session, or one of its sub-agents, whole. */

import type {SessionFacts} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {isRecord, listOf, numberOf, textOf} from '../shared/narrow.js';
import {type Row, withDatabase} from '../shared/sqlite.js';
import {timeMs} from '../shared/time.js';
import type {Batch, Source} from '../types.js';
import {jsonOf, loadCallStates, loadNodes, loadSession, type Session} from './database.js';
import {type AgentTip, agentNodes, inOrder, walkUp} from './forest.js';
import {callIdsOf, type Reading, readNode} from './messages.js';

/** Messages that are held at a time: each may carry pictures. */
const CHUNK = 50;
/** `Source.extra` of a sub-agent. */
export interface Place {
	readonly parentId: string;
	readonly agentId: string;
}

const placeOf = ({extra}: Source): Place | undefined =>
	isRecord(extra) ? (extra as unknown as Place) : undefined;

interface Transcript {
	readonly session: Session;
	readonly nodes: readonly number[];
	readonly agent: AgentTip | undefined;
	/** The call that started the sub-agent. */
	readonly callId: string | undefined;
}

const nodesOf = (session: Session, place: Place | undefined): readonly number[] => {
	const {forest, mainTip, agents} = session;
	if (mainTip === undefined) return [];
	return place === undefined
		? inOrder(walkUp(forest, mainTip))
		: agentNodes(forest, mainTip, {agents, agentId: place.agentId});
};

const loadTranscript = (path: string, sessionId: string, place: Place | undefined) =>
	withDatabase(path, (db): Transcript | undefined => {
		const session = loadSession(db, sessionId);
		if (session === undefined) return undefined;
		const agent = session.agents.find(({agentId}) => agentId === place?.agentId);
		const [named] = agent?.namedBy === undefined ? [] : loadNodes(db, sessionId, [agent.namedBy]);
		return {
			session,
			nodes: nodesOf(session, place),
			agent,
			callId: textOf(named?.message?.['tool_call_id']),
		};
	});

/** JSON: a list of paths, or of objects that hold one. */
const otherDirectories = (text: unknown): readonly string[] =>
	listOf(jsonOf(text)).flatMap(
		item => textOf(item) ?? (isRecord(item) ? (textOf(item['path']) ?? []) : []),
	);

const sessionFacts = (row: Row, model: string | undefined): SessionFacts => {
	const [createdAtMs, updatedAtMs] = [row['created_at'], row['last_activity_at']].map(timeMs);
	return {
		cwd: textOf(row['working_directory']) ?? null,
		directories: otherDirectories(row['workspace_dirs']),
		// May be an alias such as `adaptive`: replies name the real one.
		model: model ?? textOf(row['model']) ?? null,
		...(createdAtMs === undefined ? {} : {createdAtMs}),
		...(updatedAtMs === undefined ? {} : {updatedAtMs}),
	};
};

const factsOf = (
	{session, agent, callId}: Transcript,
	place: Place | undefined,
	{model, task}: Reading,
): SessionFacts => {
	const {row} = session;
	const facts = sessionFacts(row, model);
	if (place !== undefined && agent !== undefined) {
		return {
			...facts,
			isSubagent: true,
			description: task ?? null,
			parent: {
				id: place.parentId,
				relation: 'subagent',
				certainty: 'exact',
				...(callId === undefined ? {} : {callId}),
			},
		};
	}
	return {
		...facts,
		generatedTitle: textOf(row['title']) ?? null,
		// `devin list` does not show it any more.
		archived: numberOf(row['hidden']) === 1,
	};
};

const readChunk = (path: string, sessionId: string, nodes: readonly number[]) =>
	withDatabase(path, db => {
		const messages = loadNodes(db, sessionId, nodes);
		return {messages, states: loadCallStates(db, sessionId, messages.flatMap(callIdsOf))};
	});

export function* readDatabase(source: Source): Generator<Batch> {
	const place = placeOf(source);
	const {path, sessionId: ownId = ''} = source;
	const sessionId = place?.parentId ?? ownId;
	const transcript = loadTranscript(path, sessionId, place);
	if (transcript === undefined) return;
	// A session without messages still has a title and a directory, a sub-agent nothing.
	if (place !== undefined && transcript.nodes.length === 0) return;
	const batch = createBatch(ownId);
	const reading: Reading = {
		batch,
		isSubagent: place !== undefined,
		calls: new Map(),
		hasPrompt: false,
		model: undefined,
		task: undefined,
	};
	const {nodes} = transcript;
	for (let first = 0; first < nodes.length; first += CHUNK) {
		const {messages, states} = readChunk(path, sessionId, nodes.slice(first, first + CHUNK));
		for (const node of messages) readNode(node, states, reading);
		batch.patch(factsOf(transcript, place, reading));
		if (batch.isFull()) yield batch.take(END);
	}
	batch.patch(factsOf(transcript, place, reading));
	yield batch.take(END);
}
