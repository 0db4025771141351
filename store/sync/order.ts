/**
 * The order of a transcript that was read again. `known` is the order we had, `read` the order of the source now (both event
 * ids). Events that the source no longer holds keep their place behind the event that they followed.
 */
export const mergedOrder = (
	known: readonly number[],
	read: readonly number[],
): readonly number[] => {
	const isRead = new Set(read);
	const followers = new Map<number | undefined, number[]>();
	let anchor: number | undefined;
	for (const id of known) {
		const group = followers.get(anchor);
		if (isRead.has(id)) anchor = id;
		else if (group) group.push(id);
		else followers.set(anchor, [id]);
	}
	return [
		...(followers.get(undefined) ?? []),
		...read.flatMap(id => [id, ...(followers.get(id) ?? [])]),
	];
};
