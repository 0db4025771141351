/** Where DeepSeek Harness keeps sessions: `sessions/<project>/<id>/session[.v<N>].jsonl[.zstd]`. */

import {basename, dirname, join} from 'node:path';
import {agentRoots, statedPath} from '../shared/roots.js';
import {findFiles} from '../shared/walk.js';
import type {Discovered, FileStamp, Root, Surroundings} from '../types.js';

export const roots = (around: Surroundings): readonly Root[] =>
	agentRoots(around, {
		standard: join(around.home, '.dsh'),
		stated: statedPath(around.env['DSH_HOME']),
		resumeEnv: path => ({DSH_HOME: path}),
	});

const LOG = /^session(?:\.v(\d{1,6}))?\.jsonl(\.zstd)?$/;
const LOG_PATH = /^[^/]+\/[^/]+\/[^/]+$/;
const FOLDER = /^[^/]+(?:\/[^/]+)?$/;

/** An update of the agent writes a new file and leaves the old one: the newest holds all; plain before compressed. */
const rankOf = ({path}: FileStamp): number => {
	const [, version = '0', zstd] = LOG.exec(basename(path)) ?? [];
	return Number(version) * 2 + (zstd === undefined ? 1 : 0);
};

/** Odd characters of an id are written `~XXXX`. */
const decode = (segment: string): string =>
	segment.replace(/~([\dA-Fa-f]{4})/g, (_, code: string) =>
		String.fromCharCode(Number.parseInt(code, 16)),
	);

export function* discover(root: Root): Generator<Discovered> {
	const found = yield* findFiles(join(root.path, 'sessions'), {
		depth: 3,
		accept: (relative, name) => LOG_PATH.test(relative) && LOG.test(name),
		enter: relative => FOLDER.test(relative),
	});
	const newest = new Map<string, FileStamp>();
	for (const {path, stamp} of found) {
		const known = newest.get(dirname(path));
		if (known === undefined || rankOf(stamp) > rankOf(known)) newest.set(dirname(path), stamp);
	}
	for (const [folder, stamp] of newest) {
		const {path} = stamp;
		const sessionId = decode(basename(folder));
		yield {source: {key: path, path, files: [stamp], mode: 'append', sessionId}};
	}
}
