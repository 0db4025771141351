/**
 * The messages of a session are a forest: abandoned retries, threads of summarizers and rewritten copies hang beside the transcript,
 * which is the way from the session's tip up to a root.
 */

import {at, numberOf, textOf} from '../shared/narrow.js';

export interface Forest {
	/** Node → its parent; null for a root. */
	readonly parents: ReadonlyMap<number, number | null>;
	/** Node that goes on after a compaction → tip of the history that it stands for. */
	readonly splices: ReadonlyMap<number, number>;
}

/** A sub-agent, whose messages are a way of their own in the same forest. */
export interface AgentTip {
	readonly agentId: string;
	readonly tip: number;
	/** Node of the parent's transcript that names the sub-agent. */
	readonly namedBy?: number;
}

/** The keys of a row's own metadata stand flat, or below `extensions`. */
const markOf = (metadata: unknown, name: string): unknown =>
	at(metadata, name) ?? at(metadata, 'extensions', name);

export const spliceOf = (metadata: unknown): number | undefined =>
	numberOf(markOf(metadata, 'summarized_from'));

/** The sub-agent that a node names. */
export const agentOf = (node: number, metadata: unknown): AgentTip | undefined => {
	const agentId = textOf(markOf(metadata, 'subagent/agent_id'));
	const tip = numberOf(markOf(metadata, 'subagent/chain_node_id'));
	return agentId === undefined || tip === undefined ? undefined : {agentId, tip, namedBy: node};
};

/** One entry a sub-agent: the newest tip (parents have smaller ids than their children), and whoever names it. */
export const mergeTips = (tips: readonly AgentTip[]): readonly AgentTip[] => {
	const merged = new Map<string, AgentTip>();
	for (const tip of tips) {
		const before = merged.get(tip.agentId);
		merged.set(tip.agentId, {...before, ...tip, tip: Math.max(before?.tip ?? 0, tip.tip)});
	}
	return [...merged.values()].sort((a, b) => (a.agentId < b.agentId ? -1 : 1));
};

/** The nodes from a tip up to the root, and what was compacted on the way, each once: a damaged forest may run in circles. */
export const walkUp = ({parents, splices}: Forest, tip: number): ReadonlySet<number> => {
	const nodes = new Set<number>();
	const tips = [tip];
	for (let next = tips.pop(); next !== undefined; next = tips.pop()) {
		let node: number | null | undefined = next;
		while (node !== null && node !== undefined && parents.has(node) && !nodes.has(node)) {
			nodes.add(node);
			const splice = splices.get(node);
			if (splice !== undefined) tips.push(splice);
			node = parents.get(node);
		}
	}
	return nodes;
};

/** Nodes as they are shown: by id, because times have ties within a second. */
export const inOrder = (nodes: ReadonlySet<number>): readonly number[] =>
	[...nodes].sort((a, b) => a - b);

/** The way of one sub-agent; empty if it runs into the main transcript or that of an earlier sub-agent. */
export const agentNodes = (
	forest: Forest,
	mainTip: number,
	{agents, agentId}: {readonly agents: readonly AgentTip[]; readonly agentId: string},
): readonly number[] => {
	const claimed = new Set(walkUp(forest, mainTip));
	for (const agent of agents) {
		const nodes = walkUp(forest, agent.tip);
		const isOwn = [...nodes].every(node => !claimed.has(node));
		if (agent.agentId === agentId) return isOwn ? inOrder(nodes) : [];
		if (isOwn) for (const node of nodes) claimed.add(node);
	}
	return [];
};
