/** Where Droid keeps sessions: `sessions/<directory>/<id>.jsonl`, flat in early versions; `projects` holds saved output of `droid exec`. */

import {basename, join} from 'node:path';
import {agentRoots} from '../shared/roots.js';
import {UUID} from '../shared/session-ids.js';
import {findFiles} from '../shared/walk.js';
import type {Discovered, FileStamp, Root, Source, Surroundings} from '../types.js';

/** No variable moves the folder (0.229), so a resume elsewhere cannot be told of another one. */
export const roots = (around: Surroundings): readonly Root[] =>
	agentRoots(around, {standard: join(around.home, '.factory')});

const SETTINGS = '.settings.json';

/** Transcripts weigh more than output that somebody saved of the same session. */
const PLACES = [
	{folder: 'sessions', depth: 2, rank: 1},
	{folder: 'projects', depth: 6, rank: 0},
] as const;

/** Where a transcript stands; `Source.extra`. */
export interface Place {
	/** Name of the file without its ending: the id, until the header says it. */
	readonly name: string;
}

const sourceOf = (file: FileStamp, settings: FileStamp | undefined, rank: number): Source => {
	const name = basename(file.path, '.jsonl');
	return {
		key: file.path,
		path: file.path,
		files: settings === undefined ? [file] : [file, settings],
		mode: 'append',
		rank,
		...(rank > 0 && UUID.test(name) ? {sessionId: name} : {}),
		extra: {name} satisfies Place,
	};
};

export function* discover(root: Root): Generator<Discovered> {
	for (const {folder, depth, rank} of PLACES) {
		const found = yield* findFiles(join(root.path, folder), {
			depth,
			accept: (_, name) =>
				!name.startsWith('.') && (name.endsWith('.jsonl') || name.endsWith(SETTINGS)),
			// Some installs nest a second `.factory` in here.
			enter: (_, name) => !name.startsWith('.'),
		});
		const stamps = new Map(found.map(({path, stamp}) => [path, stamp]));
		for (const {path, stamp} of found) {
			if (path.endsWith(SETTINGS)) continue;
			const settings = stamps.get(path.replace(/\.jsonl$/, SETTINGS));
			yield {source: sourceOf(stamp, settings, rank)};
		}
	}
}
