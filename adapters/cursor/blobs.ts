/** The graph of content-addressed blobs in a chat store: a root refers to messages, and to further nodes. */

import {isRecord} from '../shared/narrow.js';
import {bytesOf, protoFields, protoText} from '../shared/protobuf.js';
import {parseRecord} from '../shared/records.js';
import {pathOfUri} from './uri.js';

const HASH_BYTES = 32;
const MESSAGE = 1;
const NODE = 2;
const WRAPPED = 4;
const WORKSPACE = 9;

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Blob ids under a field number. */
export const referencesOf = (bytes: Uint8Array, number: number): readonly string[] =>
	bytesOf(protoFields(bytes), number)
		.filter(value => value.length === HASH_BYTES)
		.map(hexOf);

/** A message: plain JSON, or (newer builds) a field of a protobuf message. */
export const leafText = (bytes: Uint8Array): string | undefined =>
	bytes[0] === 0x7b ? Buffer.from(bytes).toString('utf8') : protoText(protoFields(bytes), WRAPPED);

export const leafOf = (bytes: Uint8Array): Record<string, unknown> | undefined => {
	const record = parseRecord(leafText(bytes) ?? '');
	return isRecord(record) ? record : undefined;
};

export interface Leaf {
	/** Blob id; of a message that stands there again, with a number behind. */
	readonly key: string;
	readonly blobId: string;
	/** Named by the root itself: then it is a message for sure. */
	readonly isCertain: boolean;
}

export interface Graph {
	readonly leaves: readonly Leaf[];
	/** The root states the workspace. */
	readonly directory: string | undefined;
}

/** Nodes that are looked into: a damaged store may run in circles, or name millions. */
const NODE_LIMIT = 100_000;

/**
 * The messages in their order, depth first. A node is visited once and gives no message that another has given; the same text said
 * twice is one blob that its node names twice. Undefined when the root is no message of the known kind.
 */
export const walkGraph = (
	blobOf: (id: string) => Uint8Array | undefined,
	rootId: string,
): Graph | undefined => {
	const root = blobOf(rootId);
	const rootFields = root === undefined ? undefined : protoFields(root);
	if (rootFields === undefined) return undefined;
	const leaves: Leaf[] = [];
	const given = new Map<string, string>();
	const counts = new Map<string, number>();
	const visited = new Set<string>();
	const addLeaf = (blobId: string, nodeId: string): void => {
		if ((given.get(blobId) ?? nodeId) !== nodeId) return;
		given.set(blobId, nodeId);
		const count = (counts.get(blobId) ?? 0) + 1;
		counts.set(blobId, count);
		const key = count === 1 ? blobId : `${blobId}-${count}`;
		leaves.push({key, blobId, isCertain: nodeId === rootId});
	};
	const nodes = [rootId];
	for (let id = nodes.pop(); id !== undefined; id = nodes.pop()) {
		if (visited.has(id) || visited.size >= NODE_LIMIT) continue;
		visited.add(id);
		const bytes = id === rootId ? root : blobOf(id);
		if (bytes === undefined) continue;
		for (const leaf of referencesOf(bytes, MESSAGE)) addLeaf(leaf, id);
		nodes.push(...referencesOf(bytes, NODE).toReversed());
	}
	const uri = protoText(rootFields, WORKSPACE);
	return {leaves, directory: uri === undefined ? undefined : pathOfUri(uri)};
};
