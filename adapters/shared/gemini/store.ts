/** Where Gemini CLI and its forks keep sessions: `tmp/<project>/chats` below a folder of their own, and what lies there. */

import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {basename, dirname, join, resolve} from 'node:path';
import type {Discovered, FileStamp, Root, Source, Surroundings} from '../../types.js';
import {readJsonFile} from '../json-file.js';
import {recordOf, stringOf, textOf} from '../narrow.js';
import {agentRoots, isAnywhereAbsolute} from '../roots.js';
import {type FoundFile, findFiles, stampOf} from '../walk.js';

/**
 * The agent's folder below the home folder. `GEMINI_CLI_HOME` stands in for the home folder, so a root elsewhere can be resumed
 * only if it lies below some folder in the same way.
 */
export const geminiRoots = (around: Surroundings, folder: readonly string[]): readonly Root[] => {
	const stated = textOf(around.env['GEMINI_CLI_HOME']);
	return agentRoots(around, {
		standard: join(around.home, ...folder),
		stated: stated === undefined ? undefined : join(resolve(stated), ...folder),
		resumeEnv: (path): Root['resumeEnv'] => {
			const base = folder.reduce(dirname, path);
			return join(base, ...folder) === path ? {GEMINI_CLI_HOME: base} : {};
		},
	});
};

// Paths below `tmp`. What else lies there is no session: `logs.json`, `checkpoint-*.json`, `tool-outputs`, `shell_history`, …
const MAIN = /^([^/]+)\/chats\/session-[^/]+\.(?:jsonl|json)$/;
const SUBAGENT = /^([^/]+)\/chats\/([^/]+)\/[^/]+\.(?:jsonl|json)$/;
const FOLDER = /^[^/]+(?:\/chats(?:\/[^/]+)?)?$/;

/** Where a file stands; `Source.extra`. */
export interface ChatPlace {
	/** Sub-agents: the session whose folder it lies in. */
	readonly parentId?: string;
}

/** `.project_root` holds the path as plain text (absent in old folders). */
const statedProject = (folder: string): string | undefined => {
	const path = join(folder, '.project_root');
	const stamp = stampOf(path);
	if (stamp === undefined || stamp.sizeBytes > 65_536) return undefined;
	try {
		const text = readFileSync(path, 'utf8').trim();
		return isAnywhereAbsolute(text) ? text : undefined;
	} catch {
		return undefined; // unreadable: the registry may know it
	}
};

/** Folder name → project, from `projects.json`: slugs, and the hashes that stood for the same projects before. */
const readRegistry = (path: string): ReadonlyMap<string, string> => {
	const projects = recordOf(recordOf(readJsonFile(path)?.value)['projects']);
	const names = new Map<string, string>();
	for (const [project, slug] of Object.entries(projects)) {
		names.set(createHash('sha256').update(project).digest('hex'), project);
		const name = stringOf(slug);
		if (name !== undefined) names.set(name, project);
	}
	return names;
};

/** The session id's first eight characters end the names of all files that a session has. */
const groupOf = (path: string): string =>
	join(dirname(path), basename(path).replace(/^.*-([^-]*)\.jsonl?$/, '$1'));

/**
 * A resume leaves a stub of a newer name beside the file that it goes on in: the oldest one owns the session. Names begin with the
 * time, and the walk gives them in their order.
 */
const preferences = (files: readonly FoundFile[]): ReadonlyMap<string, number> => {
	const counts = new Map<string, number>();
	return new Map(
		files.map(({path}) => {
			const group = groupOf(path);
			const place = counts.get(group) ?? 0;
			counts.set(group, place + 1);
			return [path, place];
		}),
	);
};

/** `X.jsonl` goes on from `X.json` and holds all of it. */
const withoutForerunners = (files: readonly FoundFile[]): readonly FoundFile[] => {
	const paths = new Set(files.map(({path}) => path));
	return files.filter(({path}) => !(path.endsWith('.json') && paths.has(`${path}l`)));
};

const sourceOf = (
	stamp: FileStamp,
	{preference, cwd, parentId}: {preference: number; cwd: string | undefined; parentId?: string},
): Source => ({
	key: stamp.path,
	path: stamp.path,
	files: [stamp],
	mode: 'replace',
	...(preference === 0 ? {} : {preference}),
	...(cwd === undefined ? {} : {outside: {cwd}}),
	...(parentId === undefined ? {} : {extra: {parentId} satisfies ChatPlace}),
});

/** The sessions below `<root>/tmp`. */
export function* discoverChats(root: Root): Generator<Discovered> {
	const tmp = join(root.path, 'tmp');
	const found = yield* findFiles(tmp, {
		depth: 4,
		accept: path => MAIN.test(path) || SUBAGENT.test(path),
		enter: path => FOLDER.test(path),
	});
	if (found.length === 0) return;
	const registry = readRegistry(join(root.path, 'projects.json'));
	const projects = new Map<string, string | undefined>();
	const projectOf = (name: string): string | undefined => {
		if (!projects.has(name)) {
			projects.set(name, statedProject(join(tmp, name)) ?? registry.get(name));
		}
		return projects.get(name);
	};
	const files = withoutForerunners(found);
	const order = preferences(files);
	for (const {path, relative, stamp} of files) {
		const [name = '', , parentId] = relative.split('/');
		const isSubagent = !MAIN.test(relative);
		yield {
			source: sourceOf(stamp, {
				preference: isSubagent ? 0 : (order.get(path) ?? 0),
				cwd: projectOf(name),
				...(isSubagent && parentId !== undefined ? {parentId} : {}),
			}),
		};
	}
}
