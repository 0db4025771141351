/** Where Qwen Code keeps sessions, and what lies there. */

import {basename, dirname, isAbsolute, join, resolve} from 'node:path';
import {discoverChats} from '../shared/gemini/store.js';
import {readJsonFile} from '../shared/json-file.js';
import {at, textOf} from '../shared/narrow.js';
import {configRoots, distinctRoots, expandHome} from '../shared/roots.js';
import {findFiles} from '../shared/walk.js';
import type {Discovered, FileStamp, Root, Source, Surroundings} from '../types.js';

/** In the order in which the agent asks them. */
const VARIABLES = ['QWEN_RUNTIME_DIR', 'QWEN_HOME'] as const;

export const roots = (around: Surroundings): readonly Root[] => {
	const {home, env} = around;
	const standard = join(home, '.qwen');
	const absolute = (path: string): string => resolve(expandHome(path, home));
	const variable = VARIABLES.find(name => textOf(env[name]) !== undefined);
	const first = variable === undefined ? standard : absolute(env[variable] ?? '');
	const own: Root = {
		path: first,
		from: variable === undefined ? 'default' : 'environment',
		resumeEnv: variable === undefined || first === standard ? {} : {[variable]: first},
	};
	// Moves the sessions only: settings and the login stay where they are.
	const envOf = (path: string): Root['resumeEnv'] =>
		path === standard ? {} : {QWEN_RUNTIME_DIR: path};
	return distinctRoots([own, ...configRoots(around, envOf)]);
};

// Paths below `projects`. What else lies there is no transcript: `<id>.ledger.jsonl`, `<id>.runtime.json`, `meta.json`, `memory`, …
const MAIN = /^[^/]+\/chats\/(archive\/)?([^/.]+)\.jsonl$/;
const SUBAGENT = /^[^/]+\/subagents\/([^/]+)\/agent-([^/]+)\.jsonl$/;
const SIDECAR = /^[^/]+\/subagents\/[^/]+\/agent-[^/]+\.meta\.json$/;
const FOLDER = /^[^/]+(?:\/chats(?:\/archive)?|\/subagents(?:\/[^/]+)?)?$/;

/** Where a transcript stands; `Source.extra`. Ids are those of the file's name: the agent replaces odd characters in them. */
export interface Place {
	readonly rootId: string;
	/** Sub-agents only. */
	readonly agentId?: string;
}

const sourceOf = (
	file: FileStamp,
	path: string,
	stamps: ReadonlyMap<string, FileStamp>,
): Source | undefined => {
	const common = {key: file.path, path: file.path, mode: 'append'} as const;
	const [, archive, id] = MAIN.exec(path) ?? [];
	if (id !== undefined) {
		return {
			...common,
			files: [file],
			sessionId: id,
			...(archive === undefined ? {} : {preference: 1, outside: {archived: true}}),
			extra: {rootId: id} satisfies Place,
		};
	}
	const [, rootId, agentId] = SUBAGENT.exec(path) ?? [];
	if (rootId === undefined || agentId === undefined) return undefined;
	const sidecar = stamps.get(file.path.replace(/\.jsonl$/, '.meta.json'));
	return {
		...common,
		files: sidecar === undefined ? [file] : [file, sidecar],
		extra: {rootId, agentId} satisfies Place,
	};
};

function* discoverProjects(base: string): Generator<Discovered> {
	const found = yield* findFiles(join(base, 'projects'), {
		depth: 4,
		accept: path => MAIN.test(path) || SUBAGENT.test(path) || SIDECAR.test(path),
		enter: path => FOLDER.test(path),
	});
	const stamps = new Map(found.map(({path, stamp}) => [path, stamp]));
	for (const {relative, stamp} of found) {
		const source = sourceOf(stamp, relative, stamps);
		if (source !== undefined) yield {source};
	}
}

/** `tmp/<hash>/chats/session-*.json` of the first versions. */
function* discoverOldChats(root: Root): Generator<Discovered> {
	for (const found of discoverChats(root)) {
		if ('problem' in found) yield found;
		else {
			const {source} = found;
			yield {source: {...source, outside: {...source.outside, resumeHint: {form: 'old'}}}};
		}
	}
}

const SETTINGS_BYTES = 1024 * 1024;

/** `advanced.runtimeOutputDir` moves new sessions elsewhere; older ones stay. `~` is the folder that the default root lies in. */
const movedBase = (root: Root): string | undefined => {
	const settings = readJsonFile(join(root.path, 'settings.json'), SETTINGS_BYTES)?.value;
	const stated = textOf(at(settings, 'advanced', 'runtimeOutputDir'));
	if (stated === undefined) return undefined;
	const home = basename(root.path) === '.qwen' ? dirname(root.path) : undefined;
	const path = home === undefined ? stated : expandHome(stated, home);
	return isAbsolute(path) && resolve(path) !== root.path ? resolve(path) : undefined;
};

export function* discover(root: Root): Generator<Discovered> {
	yield* discoverProjects(root.path);
	yield* discoverOldChats(root);
	const moved = movedBase(root);
	if (moved !== undefined) yield* discoverProjects(moved);
}
