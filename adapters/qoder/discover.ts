/** Where Qoder keeps sessions: the command line's folder, that of QoderWork, and the cache that the editor shares with both. */

import {basename, join} from 'node:path';
import {compact} from '../shared/compact.js';
import {configFolder} from '../shared/editor-folders.js';
import {agentRoots, defaultRoots, distinctRoots, statedPath} from '../shared/roots.js';
import {UUID} from '../shared/session-ids.js';
import {type TranscriptPlace, transcriptPlace} from '../shared/transcript-place.js';
import {findFiles, stampOf} from '../shared/walk.js';
import type {Discovered, FileStamp, Root, Source, Surroundings} from '../types.js';

const VARIABLE = 'QODER_CONFIG_DIR';

/** Both are read when the variable moves the folder: what was there before is still history. */
export const roots = (around: Surroundings): readonly Root[] => {
	const standard = join(around.home, '.qoder');
	const own = agentRoots(around, {
		standard,
		stated: statedPath(around.env[VARIABLE]),
		resumeEnv: path => ({[VARIABLE]: path}),
	});
	const fixed = defaultRoots(
		standard,
		join(around.home, '.qoderwork'),
		join(configFolder(around), 'Qoder', 'SharedClientCache', 'cli'),
	);
	return distinctRoots([...own, ...fixed]);
};

/** `<project>/<id>.jsonl`, `<project>/transcript/<id>.jsonl`, or flat. */
const MAIN = /^(?:[^/]+\/(?:transcript\/)?)?([^/]+)\.jsonl$/;

const placeOf = (path: string): TranscriptPlace | undefined => transcriptPlace(path, MAIN);

const sourceOf = (file: FileStamp, place: TranscriptPlace): Source => {
	const {id, agentId} = place;
	const beside =
		agentId === undefined ? undefined : stampOf(file.path.replace(/\.jsonl$/, '.meta.json'));
	const isCopy = basename(join(file.path, '..')) === 'transcript';
	return {
		key: file.path,
		path: file.path,
		files: beside === undefined ? [file] : [file, beside],
		mode: 'replace',
		...compact({
			sessionId: agentId === undefined && UUID.test(id) ? id : undefined,
			preference: isCopy ? 1 : undefined,
		}),
		extra: place,
	};
};

export function* discover(root: Root): Generator<Discovered> {
	const found = yield* findFiles(join(root.path, 'projects'), {
		depth: 4,
		accept: relative => placeOf(relative) !== undefined,
	});
	for (const {relative, stamp} of found) {
		const place = placeOf(relative);
		if (place !== undefined) yield {source: sourceOf(stamp, place)};
	}
}
