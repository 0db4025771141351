/** What both forms of transcripts share: the place of a file, and what it says of its session. */

import type {SessionFacts} from '../model.js';
import {createBatch} from '../shared/batch.js';
import {at, isRecord, listOf, recordOf} from '../shared/narrow.js';
import type {Source} from '../types.js';
import type {Carried, Reading} from './messages.js';

/** `Source.extra` of a transcript. */
export interface TranscriptPlace {
	/** Sub-agents only. */
	readonly parentId?: string;
	/** Directory that the name of the project's folder stands for, where a chat of the same project tells it. */
	readonly directory?: string;
}

const placeOf = ({extra}: Source): TranscriptPlace => recordOf(extra) as TranscriptPlace;

const carriedFrom = (state: unknown): Carried => {
	if (!isRecord(state)) return {calls: []};
	const calls = listOf(state['calls']).map(call => [String(at(call, 0)), String(at(call, 1))]);
	return {...(state as unknown as Carried), calls: calls as [string, string][]};
};

export const transcriptFacts = (source: Source, carried: Carried): SessionFacts => {
	const {parentId, directory} = placeOf(source);
	const cwd = carried.directory ?? directory;
	return {
		...(cwd === undefined ? {} : {cwd}),
		...(carried.model === undefined ? {} : {model: carried.model}),
		...(parentId === undefined
			? {}
			: {
					isSubagent: true,
					description: carried.task ?? null,
					parent: {id: parentId, relation: 'subagent', certainty: 'exact'},
				}),
	};
};

export const openTranscript = (source: Source, state: unknown): Reading => ({
	batch: createBatch(source.sessionId ?? ''),
	carried: carriedFrom(state),
	isSubagent: placeOf(source).parentId !== undefined,
	isTyped: () => true,
});
