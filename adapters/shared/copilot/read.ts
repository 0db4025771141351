/**
 * Reads an event log of GitHub Copilot: `{type, data, id, timestamp, parentId, agentId?}`, one record a line. Sub-agents stand in
 * the log of their session; each is read by itself.
 */

import type {Problem, SessionFacts} from '../../model.js';
import type {Batch, Cursor, Source} from '../../types.js';
import {createBatch} from '../batch.js';
import {compact} from '../compact.js';
import {type LinePosition, readJsonLines} from '../jsonl.js';
import {logBatches} from '../log-batches.js';
import {type Progress, progressFrom, stateOf} from './progress.js';
import {readRecord} from './records.js';
import {type Context, rowOf} from './row.js';

export interface LogOptions {
	/** Used until a record states it. */
	readonly sessionId: string;
	readonly agentId?: string | undefined;
	/** Problems of files beside the log. */
	readonly problems?: readonly Problem[];
	readonly facts: (progress: Progress, rootId: string) => SessionFacts;
}

/** Records that say something of the whole session, or of who called whom. */
const COMMON =
	/"(?:session\.(?:start|resume|context_changed)|subagent\.started|tool\.execution_start)"/;
/** The type stands first in a record. */
const HEAD_CHARS = 200;

const isWantedBy =
	(agentId: string) =>
	(text: string): boolean =>
		text.includes(agentId) || COMMON.test(text.slice(0, HEAD_CHARS));

/** Facts that the log itself states. */
export const logFacts = (progress: Progress): SessionFacts => {
	const {cwd, branch, model, version, bornAtMs, totals} = progress;
	const directories = progress.directories.filter(directory => directory !== cwd);
	return compact({
		cwd,
		directories: directories.length === 0 ? undefined : directories,
		branch,
		model,
		agentVersion: version,
		tokens: totals,
		bornAtMs,
	});
};

export function* readLog(
	source: Source,
	from: Cursor | undefined,
	options: LogOptions,
): Generator<Batch> {
	const {agentId} = options;
	const progress = progressFrom(from?.state);
	const batch = createBatch(options.sessionId);
	const context: Context = {...compact({agentId}), progress, batch};
	// A file that is half written is read again on the next pass, so it is reported at most once.
	if (from === undefined) for (const problem of options.problems ?? []) batch.problem(problem);
	const take = (position: LinePosition): Batch => {
		const rootId = progress.sessionId ?? options.sessionId;
		batch.setSession(agentId === undefined ? rootId : `${rootId}/${agentId}`);
		batch.patch(options.facts(progress, rootId));
		return batch.take({...position, state: stateOf(progress)});
	};
	const isOwn = agentId === undefined;
	const lines = readJsonLines(source.path, from, isOwn ? {} : {isWanted: isWantedBy(agentId)});
	yield* logBatches(lines, {
		batch,
		take,
		read(line) {
			// Streamed records are not meant to be kept: their content comes again.
			if (line.record['ephemeral'] !== true) readRecord(rowOf(line, context));
		},
		// Damage is the session's, told once.
		...(isOwn ? {} : {problem: () => {}}),
	});
}
