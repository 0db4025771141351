/** Transcripts of agents that take after Claude Code: a file a session, and beside it a folder of its name for its sub-agents. */

/** What the place says of a transcript; `Source.extra`. */
export interface TranscriptPlace {
	readonly id: string;
	/** Of a sub-agent: `id` is then its parent's. */
	readonly agentId?: string;
}

const SUBAGENT = /^[^/]+\/([^/]+)\/subagents\/agent-([^/]+)\.jsonl$/;

/** By the path below `projects`; `main` has the id of a session as its first group. */
export const transcriptPlace = (path: string, main: RegExp): TranscriptPlace | undefined => {
	const [, parent, agentId] = SUBAGENT.exec(path) ?? [];
	if (parent !== undefined && agentId !== undefined) return {id: parent, agentId};
	const id = main.exec(path)?.[1];
	return id === undefined ? undefined : {id};
};
