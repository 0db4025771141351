/** Where Muse keeps sessions: `sessions/YYYY/MM/DD/<id>/session.jsonl`, sub-agents in `<id>/subagent/<id>/`. */

import {join} from 'node:path';
import {agentRoots, dataRoot} from '../shared/roots.js';
import {findFiles} from '../shared/walk.js';
import type {Discovered, Root, Surroundings} from '../types.js';

export const roots = (around: Surroundings): readonly Root[] =>
	agentRoots(around, dataRoot(around, 'muse'));

const MAX_DEPTH = 12;
const LOG = /(?:^|\/)([^/]+)\/session\.jsonl$/;
const PARENT = /([^/]+)\/subagent\/[^/]+\/session\.jsonl$/;

/** `Source.extra` of a sub-agent. */
export interface Place {
	readonly parentId?: string;
}

export function* discover(root: Root): Generator<Discovered> {
	const found = yield* findFiles(join(root.path, 'sessions'), {
		depth: MAX_DEPTH,
		accept: relative => LOG.test(relative),
		// `.msp-view-v1` holds what was derived from the logs.
		enter: (_, name) => !name.startsWith('.') && name !== 'tool-outputs',
	});
	for (const {path, relative, stamp} of found) {
		const [id, parentId] = [LOG.exec(relative)?.[1], PARENT.exec(relative)?.[1]];
		if (id === undefined) continue;
		const place = {key: path, path, files: [stamp], mode: 'append', sessionId: id} as const;
		const extra = parentId === undefined ? {} : {extra: {parentId} satisfies Place};
		yield {source: {...place, ...extra}};
	}
}
