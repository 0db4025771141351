/** Finds the transcripts below a config folder. Opens none of them; only the small live-process records are read. */

import {basename, join} from 'node:path';
import type {SessionFacts} from '../model.js';
import {readJsonFile} from '../shared/json-file.js';
import {recordOf, stringOf} from '../shared/narrow.js';
import {filesBelow, findFiles, listFolder} from '../shared/walk.js';
import type {Discovered, FileStamp, Root, Source} from '../types.js';

const UUID_TEXT = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

// Paths relative to `projects`. Anything else there is no transcript: casts, compaction copies, memory, indexes, …
const MAIN = new RegExp(`^[^/]+/(${UUID_TEXT})\\.jsonl$`, 'i');
const SUBAGENT = new RegExp(`^[^/]+/(${UUID_TEXT})/subagents/(?:.*/)?agent-([^/]+)\\.jsonl$`, 'i');
/** Before sub-agents had a folder of their own, their files lay beside the sessions. */
const LEGACY_SUBAGENT = /^[^/]+\/agent-([^/]+)\.jsonl$/;
const SIDECAR = new RegExp(
	`^[^/]+/${UUID_TEXT}/(?:custom-title\\.json|archived\\.json|subagents/(?:.*/)?agent-[^/]+\\.meta\\.json)$`,
	'i',
);
const FOLDER = new RegExp(`^[^/]+(?:/${UUID_TEXT}(?:/subagents(?:/.*)?)?)?$`, 'i');

const isWanted = (path: string): boolean =>
	[MAIN, SUBAGENT, LEGACY_SUBAGENT, SIDECAR].some(pattern => pattern.test(path));

/** Where a transcript stands among the others; `Source.extra`. */
export interface Place {
	/** Main: the session. Sub-agent: the session at the root of its family; absent where only the records tell it. */
	readonly rootId?: string;
	/** Sub-agents only: the id as the file name has it. */
	readonly agentId?: string;
	/** The project's folder, which also holds the side folders of its sessions. */
	readonly folder: string;
}

/** How the agent spells a directory as the name of its folder. Lossy (`a.b` and `a-b` are one): good to compare, never to decode. */
export const folderNameOf = (directory: string): string =>
	directory.normalize('NFC').replaceAll(/[^A-Za-z0-9]/g, '-');

const placeOf = (path: string, projects: string): Place | undefined => {
	const folder = join(projects, path.split('/')[0] ?? '');
	const main = MAIN.exec(path);
	if (main?.[1] !== undefined) return {rootId: main[1], folder};
	const [, rootId, agentId] = SUBAGENT.exec(path) ?? [];
	if (rootId !== undefined && agentId !== undefined) return {rootId, agentId, folder};
	const legacy = LEGACY_SUBAGENT.exec(path)?.[1];
	return legacy === undefined ? undefined : {agentId: legacy, folder};
};

/** Files beside a transcript that say something about its session. */
const sidecarPaths = (path: string, {rootId, agentId, folder}: Place): readonly string[] => {
	if (agentId !== undefined) return [path.replace(/\.jsonl$/, '.meta.json')];
	return ['custom-title.json', 'archived.json'].map(name => join(folder, rootId ?? '', name));
};

const sourceOf = (
	file: FileStamp,
	place: Place,
	{stamps, running}: {stamps: ReadonlyMap<string, FileStamp>; running: ReadonlyMap<string, string>},
): Source => {
	const {rootId, agentId} = place;
	const sessionId = agentId === undefined || rootId === undefined ? rootId : `${rootId}/${agentId}`;
	const pid = agentId === undefined && rootId !== undefined ? running.get(rootId) : undefined;
	const outside: SessionFacts | undefined = pid === undefined ? undefined : {resumeHint: {pid}};
	return {
		key: file.path,
		path: file.path,
		files: [file, ...sidecarPaths(file.path, place).flatMap(path => stamps.get(path) ?? [])],
		mode: 'append',
		...(sessionId === undefined ? {} : {sessionId}),
		...(outside === undefined ? {} : {outside}),
		extra: place,
	};
};

const SUBAGENT_FILE = /(?:^|\/)agent-[^/]+(?:\.jsonl|\.meta\.json)$/;

/**
 * The side folder of a session: outputs that were too long for the transcript (those of its sub-agents, too), journals, marks. The
 * transcripts of sub-agents are sessions of their own.
 */
export const companions = ({extra}: Source): readonly string[] => {
	const {rootId, agentId, folder} = recordOf(extra) as unknown as Place;
	if (rootId === undefined || agentId !== undefined) return [];
	const accept = (path: string): boolean => !SUBAGENT_FILE.test(path);
	return filesBelow(join(folder, rootId), {depth: 6, accept});
};

const PROCESS_RECORDS = 500;
const PROCESS_RECORD_BYTES = 65_536;

/** Session id → process id, from `<root>/sessions/<pid>.json`. Whether the process still lives is not for us to say. */
const runningSessions = (root: string): ReadonlyMap<string, string> => {
	const found = new Map<string, string>();
	const names = (listFolder(join(root, 'sessions'))?.entries ?? [])
		.filter(entry => entry.isFile() && entry.name.endsWith('.json'))
		.map(entry => entry.name);
	for (const name of names.slice(0, PROCESS_RECORDS)) {
		const record = recordOf(
			readJsonFile(join(root, 'sessions', name), PROCESS_RECORD_BYTES)?.value,
		);
		const id = stringOf(record['sessionId']);
		const pid = Number(record['pid'] ?? basename(name, '.json'));
		if (id !== undefined && Number.isSafeInteger(pid) && pid > 0) found.set(id, String(pid));
	}
	return found;
};

export function* discover(root: Root): Generator<Discovered> {
	const projects = join(root.path, 'projects');
	const found = yield* findFiles(projects, {
		depth: 12,
		accept: isWanted,
		enter: path => FOLDER.test(path),
	});
	const stamps = new Map(found.map(({path, stamp}) => [path, stamp]));
	const running = runningSessions(root.path);
	for (const {relative, stamp} of found) {
		const place = placeOf(relative, projects);
		if (place !== undefined) yield {source: sourceOf(stamp, place, {stamps, running})};
	}
}
