/** Reads a transcript from a cursor on. */

import type {Problem, SessionFacts} from '../model.js';
import {createBatch} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {readJsonFile} from '../shared/json-file.js';
import {type LinePosition, readJsonLines} from '../shared/jsonl.js';
import {flushCut, logBatches} from '../shared/log-batches.js';
import {recordOf, textOf} from '../shared/narrow.js';
import type {Batch, Cursor, Source} from '../types.js';
import type {Place} from './discover.js';
import {type Progress, progressFrom, stateOf} from './progress.js';
import {readRecord} from './records.js';
import {type Context, type Identity, rowOf} from './row.js';

/** Records of a sub-agent that are looked at for its ids. */
const IDENTITY_RECORDS = 20;
const SIDECAR_BYTES = 4 * 1024 * 1024;

/** `agent-<id>.meta.json`: what started the sub-agent. */
interface Sidecar {
	readonly agentId?: string;
	readonly description?: string;
	readonly parentId?: string;
	readonly parentAgentId?: string;
	readonly callId?: string;
	readonly model?: string;
}

const readSidecar = (source: Source, report: (problem: Problem) => void): Sidecar => {
	const path = source.files.map(file => file.path).find(file => file.endsWith('.meta.json'));
	const document = path === undefined ? undefined : readJsonFile(path, SIDECAR_BYTES);
	if (document?.problem !== undefined) report(document.problem);
	const record = recordOf(document?.value);
	return compact({
		agentId: textOf(record['agentId']),
		description: textOf(record['description']),
		parentId: textOf(record['parentSessionId']),
		parentAgentId: textOf(record['parentAgentId']),
		callId: textOf(record['toolUseId']),
		model: textOf(record['model']),
	});
};

/** The ids of a sub-agent as its side file or its records state them; those of the file's place fill in. */
const subagentIdentity = (path: string, place: Place, sidecar: Sidecar): Identity => {
	let [rootId, agentId] = [sidecar.parentId, sidecar.agentId];
	let left = rootId === undefined || agentId === undefined ? IDENTITY_RECORDS : 0;
	for (const {record} of left === 0 ? [] : readJsonLines(path)) {
		rootId ??= textOf(record?.['sessionId']);
		agentId ??= textOf(record?.['agentId']);
		left -= 1;
		if (left === 0 || (rootId !== undefined && agentId !== undefined)) break;
	}
	rootId ??= place.rootId;
	return {sessionId: `${rootId}/${agentId ?? place.agentId}`, rootId, isSubagent: true};
};

const identityOf = (source: Source, sidecar: Sidecar): Identity => {
	const place = recordOf(source.extra) as unknown as Place;
	if (place.agentId !== undefined) return subagentIdentity(source.path, place, sidecar);
	return {sessionId: place.rootId, rootId: place.rootId, isSubagent: false};
};

const parentOf = (
	{rootId, isSubagent}: Identity,
	{forkedFrom, spawnedBy}: Progress,
	{parentAgentId, callId}: Sidecar,
): SessionFacts['parent'] => {
	const certainty = 'exact' as const;
	if (isSubagent) {
		const id = parentAgentId === undefined ? rootId : `${rootId}/${parentAgentId}`;
		return compact({id, relation: 'subagent' as const, certainty, callId});
	}
	if (forkedFrom !== undefined) return {id: forkedFrom, relation: 'fork', certainty};
	// A session of its own that another one asked for: it copies nothing.
	return spawnedBy === undefined ? undefined : {id: spawnedBy, relation: 'subagent', certainty};
};

const factsOf = (identity: Identity, progress: Progress, sidecar: Sidecar): SessionFacts => {
	const {isSubagent} = identity;
	const directories = progress.directories.filter(directory => directory !== progress.cwd);
	return compact({
		customTitle: progress.customTitle,
		generatedTitle: progress.autoTitle,
		description: isSubagent ? (sidecar.description ?? progress.task) : undefined,
		cwd: progress.cwd,
		directories: directories.length === 0 ? undefined : directories,
		branch: progress.branch,
		model: progress.model ?? sidecar.model,
		agentVersion: progress.version,
		isSubagent: isSubagent ? true : undefined,
		parent: parentOf(identity, progress, sidecar),
		bornAtMs: progress.bornAtMs,
	});
};

export function* readTranscript(source: Source, from?: Cursor): Generator<Batch> {
	const problems: Problem[] = [];
	const sidecar = readSidecar(source, problem => problems.push(problem));
	const identity = identityOf(source, sidecar);
	const progress = progressFrom(from?.state);
	const batch = createBatch(identity.sessionId);
	// A side file that is half written is read again on the next pass, so it is reported at most once.
	if (from === undefined) for (const problem of problems) batch.problem(problem);
	const context: Context = {identity, progress, batch};
	const take = (position: LinePosition): Batch => {
		batch.patch(factsOf(identity, progress, sidecar));
		return batch.take({...position, state: stateOf(progress)});
	};
	yield* logBatches(readJsonLines(source.path, from), {
		batch,
		take,
		read: line => readRecord(rowOf(line, context)),
		end: () => flushCut(context),
	});
}
