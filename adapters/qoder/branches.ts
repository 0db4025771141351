/** Which rows are on the branch that the session stands on now. The file only grows: a rewind leaves the old branch in it. */

/** A row of the talk, and what it hangs on. */
export interface Node {
	readonly id: string;
	/** Null: the first row, or history that was dropped. */
	readonly parent: string | null;
	/** A person typed it: only here a talk takes another way; rows of calls in parallel hang side by side as well. */
	readonly isPrompt: boolean;
}

export interface Leaf {
	/** Null: rewound to before the first row. */
	readonly id: string | null;
	/** Stated by a record of its own: whatever hangs on it was taken back. */
	readonly isStated: boolean;
}

type Nodes = ReadonlyMap<string, Node>;

const chainOf = (nodes: Nodes, leaf: string | null): ReadonlySet<string> => {
	const chain = new Set<string>();
	for (let id = leaf; id !== null && !chain.has(id); id = nodes.get(id)?.parent ?? null) {
		chain.add(id);
	}
	return chain;
};

/** Ids of the rows that are off the branch. */
export const undoneRows = (nodes: Nodes, leaf: Leaf): ReadonlySet<string> => {
	const undone = new Set<string>();
	if (leaf.id !== null && !nodes.has(leaf.id)) return undone;
	const chain = chainOf(nodes, leaf.id);
	const isOff = ({parent, isPrompt}: Node): boolean =>
		isPrompt || (parent !== null && undone.has(parent)) || (leaf.isStated && parent === leaf.id);
	// A row stands behind the one that it hangs on.
	for (const row of nodes.values()) if (!chain.has(row.id) && isOff(row)) undone.add(row.id);
	return undone;
};
