/** Where CodeBuddy keeps sessions: transcripts of the command line, and folders of messages of the editor's extension. */

import {basename, dirname, join} from 'node:path';
import {compact} from '../shared/compact.js';
import {recordOf, textOf} from '../shared/narrow.js';
import {agentRoots, dataRoot, defaultRoots, statedPath} from '../shared/roots.js';
import {UUID} from '../shared/session-ids.js';
import {type TranscriptPlace, transcriptPlace} from '../shared/transcript-place.js';
import {filesBelow, findFiles, stampOf} from '../shared/walk.js';
import type {Discovered, FileStamp, Root, Source, Surroundings} from '../types.js';
import {discoverChats} from './chats.js';

const VARIABLE = 'CODEBUDDY_CONFIG_DIR';
const EXTENSION = join('CodeBuddyExtension', 'Data');

const extensionFolder = (around: Surroundings): string => {
	const {home, env, platform} = around;
	if (platform === 'darwin') return join(home, 'Library', 'Application Support', EXTENSION);
	if (platform === 'win32') {
		return join(textOf(env['LOCALAPPDATA']) ?? join(home, 'AppData', 'Local'), EXTENSION);
	}
	return dataRoot(around, EXTENSION).standard;
};

export const roots = (around: Surroundings): readonly Root[] => [
	...agentRoots(around, {
		standard: join(around.home, '.codebuddy'),
		stated: statedPath(around.env[VARIABLE]),
		resumeEnv: path => ({[VARIABLE]: path}),
	}),
	...defaultRoots(extensionFolder(around)),
];

const MAIN = /^[^/]+\/([^/]+)\.jsonl$/;

const placeOf = (path: string): TranscriptPlace | undefined => transcriptPlace(path, MAIN);

const besideOf = ({path}: FileStamp): FileStamp | undefined =>
	stampOf(path.replace(/\.jsonl$/, '.meta.json'));

/** Where the talk was left alone for longest, it began. */
const byAge = (a: FileStamp, b: FileStamp): number => a.mtimeMs - b.mtimeMs;

/** A session that was resumed in another directory goes on in the folder of that one, under the same name (2.117.0). */
const sourceOf = (key: string, files: readonly FileStamp[], place: TranscriptPlace): Source => {
	const {id, agentId} = place;
	const transcripts = files.toSorted(byAge);
	return {
		key,
		path: transcripts[0]?.path ?? key,
		files: [...transcripts, ...transcripts.flatMap(file => besideOf(file) ?? [])],
		mode: transcripts.length > 1 ? 'replace' : 'append',
		...compact({sessionId: agentId === undefined && UUID.test(id) ? id : undefined}),
		extra: place,
	};
};

function* discoverTranscripts(projects: string): Generator<Discovered> {
	const found = yield* findFiles(projects, {
		depth: 4,
		accept: relative => placeOf(relative) !== undefined,
	});
	const sessions = new Map<
		string,
		{readonly place: TranscriptPlace; readonly files: FileStamp[]}
	>();
	for (const {relative, stamp} of found) {
		const place = placeOf(relative);
		if (place === undefined) continue;
		const key = `${projects}#${[place.id, place.agentId ?? []].flat().join('/')}`;
		const known = sessions.get(key);
		if (known === undefined) sessions.set(key, {place, files: [stamp]});
		else known.files.push(stamp);
	}
	for (const [key, {files, place}] of sessions) yield {source: sourceOf(key, files, place)};
}

export const discover = ({path}: Root): Generator<Discovered> =>
	basename(path) === 'Data' ? discoverChats(path) : discoverTranscripts(join(path, 'projects'));

/** Outputs that were too long for the transcript. */
export const companions = ({files, extra}: Source): readonly string[] => {
	const {id, agentId} = recordOf(extra) as Partial<TranscriptPlace>;
	if (id === undefined || agentId !== undefined) return [];
	const folders = new Set(files.map(({path}) => join(dirname(path), id, 'tool-results')));
	return [...folders].flatMap(folder => filesBelow(folder, {depth: 2, accept: () => true}));
};
