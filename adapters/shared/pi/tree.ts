/**
 * The tree by `parentId`. The session is the way from the last entry to its root; an entry that hangs on an earlier one than the
 * last leaves a branch, and may go back to one that was left.
 */

import type {Locator} from '../../model.js';

export interface TreeNode {
	readonly id: string;
	/** Undefined: hangs on the node before. */
	readonly parentId: string | null | undefined;
	/** Key of its first event; undefined if it has none. */
	readonly firstKey: string | undefined;
	readonly locator: Locator;
}

/** What a jump to another branch changes. */
export interface Move {
	/** Events from `fromKey` up to `toKey` (absent: to the end of what there is) are on no live branch any more. */
	readonly left: readonly {readonly fromKey: string; readonly toKey?: string}[];
	/** Nodes that are live again. */
	readonly revived: readonly TreeNode[];
}

export interface Tree {
	add(node: TreeNode): void;
	/** To be called before a node is added: undefined if it simply follows the last one. */
	moveTo(parentId: string | null | undefined): Move | undefined;
	/** Nodes of the branch that the last node is on. */
	live(): ReadonlySet<TreeNode>;
}

interface Place {
	readonly node: TreeNode;
	readonly parent: Place | undefined;
}

/** Runs of nodes that are no longer live, in the order of the log. */
const runs = (places: readonly Place[], isLeft: (place: Place) => boolean): Move['left'] => {
	const found: {fromKey: string; toKey?: string}[] = [];
	let fromKey: string | undefined;
	for (const place of places) {
		const {firstKey} = place.node;
		if (firstKey === undefined) continue;
		if (isLeft(place)) fromKey ??= firstKey;
		else if (fromKey !== undefined) {
			found.push({fromKey, toKey: firstKey});
			fromKey = undefined;
		}
	}
	return fromKey === undefined ? found : [...found, {fromKey}];
};

const wayUp = (place: Place | undefined): Set<Place> => {
	const way = new Set<Place>();
	for (let step = place; step !== undefined && !way.has(step); step = step.parent) way.add(step);
	return way;
};

export const createTree = (): Tree => {
	const places: Place[] = [];
	const byId = new Map<string, Place>();
	let live = new Set<Place>();
	let last: Place | undefined;
	/** Undefined: a root. An entry whose parent is not there (a torn line) follows the last one. */
	const parentOf = (parentId: string | null | undefined): Place | undefined =>
		parentId === null ? undefined : parentId === undefined ? last : (byId.get(parentId) ?? last);
	return {
		add(node) {
			const place = {node, parent: parentOf(node.parentId)};
			places.push(place);
			byId.set(node.id, place);
			live.add(place);
			last = place;
		},
		moveTo(parentId) {
			const target = parentOf(parentId);
			if (target === last) return undefined;
			const before = live;
			live = wayUp(target);
			last = target;
			return {
				left: runs(places, place => before.has(place) && !live.has(place)),
				revived: places
					.filter(place => live.has(place) && !before.has(place))
					.map(({node}) => node),
			};
		},
		live: () => new Set([...live].map(({node}) => node)),
	};
};
