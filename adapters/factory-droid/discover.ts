/** Where Droid keeps sessions: `sessions/<directory>/<id>.jsonl`, flat in early versions; `projects` holds saved output of `droid exec`. */
import {basename, join} from 'node:path';
import {walkFiles} from '../shared/walk.js';
import type {Discovered, FileStamp, Root, Source, Surroundings} from '../types.js';

/** No variable moves the folder (0.229), so a resume elsewhere cannot be told of another one. */
export const roots = ({home, extraRoots}: Surroundings): readonly Root[] => {
	const own: Root = {path: join(home, '.factory'), from: 'default', resumeEnv: {}};
	const others = extraRoots
		.filter(({path}) => path !== own.path)
		.map(({path, label}): Root => {
			const labelled = label === undefined ? {} : {label};
			return {path, from: 'config', ...labelled, resumeEnv: {}};
		});
	return [own, ...others];
};

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
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
		const transcripts: FileStamp[] = [];
		const settings = new Map<string, FileStamp>();
		for (const {path, stamp, problem} of walkFiles(join(root.path, folder), {
			depth,
			accept: (_, name) =>
				!name.startsWith('.') && (name.endsWith('.jsonl') || name.endsWith(SETTINGS)),
			// Some installs nest a second `.factory` in here.
			enter: (_, name) => !name.startsWith('.'),
		})) {
			if (problem !== undefined) yield {problem};
			else if (path.endsWith(SETTINGS)) settings.set(path, stamp);
			else transcripts.push(stamp);
		}
		for (const file of transcripts) {
			const beside = settings.get(file.path.replace(/\.jsonl$/, SETTINGS));
			yield {source: sourceOf(file, beside, rank)};
		}
	}
}
