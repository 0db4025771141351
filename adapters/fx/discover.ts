/** Where fx keeps sessions: `~/.fx/sessions/<id>/`. No variable moves it. */

import {join} from 'node:path';
import {agentRoots} from '../shared/roots.js';
import {byFolder, findFiles} from '../shared/walk.js';
import type {Discovered, FileStamp, Root, Source, Surroundings} from '../types.js';

export const roots = (around: Surroundings): readonly Root[] =>
	agentRoots(around, {standard: join(around.home, '.fx')});

// `usage-v2.json` and the like change without the log; what else lies there is no transcript.
const SESSION_FILE =
	/^[^/]+\/(?:session\.json|events\.jsonl|authority\.json|usage-v2\.json|commit\.[\da-f]{32}\.json)$/;
const FOLDER = /^[^/]+$/;

const nameOf = (path: string): string => path.replace(/^.*[/\\]/, '');

/** A folder without a manifest is one whose making was broken off. */
const sourceOf = (folder: string, stamps: readonly FileStamp[]): Source | undefined => {
	const find = (name: string) => stamps.find(stamp => nameOf(stamp.path) === name);
	const [manifest, log] = [find('session.json'), find('events.jsonl')];
	const isTurnLog = find('authority.json') !== undefined;
	if (manifest === undefined && !isTurnLog) return undefined;
	const primary = log ?? manifest ?? find('authority.json');
	if (primary === undefined) return undefined;
	return {
		key: folder,
		path: primary.path,
		files: [primary, ...stamps.filter(stamp => stamp !== primary)],
		mode: log === undefined || isTurnLog ? 'replace' : 'append',
		sessionId: nameOf(folder),
	};
};

export function* discover(root: Root): Generator<Discovered> {
	const found = yield* findFiles(join(root.path, 'sessions'), {
		depth: 2,
		accept: relative => SESSION_FILE.test(relative),
		enter: relative => FOLDER.test(relative) && relative !== 'latest',
	});
	for (const [folder, stamps] of byFolder(found)) {
		const source = sourceOf(folder, stamps);
		if (source !== undefined) yield {source};
	}
}
