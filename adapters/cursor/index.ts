/** Cursor: transcripts and chat stores of its command line, and the database of its editor. One conversation may stand in several. */

import {isAbsolute, join} from 'node:path';
import {foreignBy} from '../shared/foreign.js';
import {at, textOf} from '../shared/narrow.js';
import {rawInFile} from '../shared/read-raw.js';
import {configRoots, defaultRoots, distinctRoots, isAnywhereAbsolute} from '../shared/roots.js';
import type {
	Adapter,
	Batch,
	Cursor,
	Discovered,
	ResumePlan,
	ResumeRequest,
	Root,
	Source,
	Surroundings,
} from '../types.js';
import {rawBlob, readChat} from './chat.js';
import {readComposer} from './composer.js';
import {discoverCommandLine} from './discover.js';
import {discoverEditor} from './editor.js';
import {isSessionId} from './parent.js';
import {RANKS} from './ranks.js';
import {readTab} from './tabs.js';
import {readTranscript} from './transcript.js';
import {rawValue} from './values.js';

/** Both are in use; readers do not agree on which wins. */
const VARIABLES = ['CURSOR_DATA_DIR', 'CURSOR_CONFIG_DIR'] as const;

const configFolder = ({home, env}: Surroundings): string => {
	const stated = env['XDG_CONFIG_HOME'] ?? '';
	return isAbsolute(stated) ? stated : join(home, '.config');
};

const editorFolder = (around: Surroundings): string => {
	const {home, platform, env} = around;
	const bases: Partial<Record<NodeJS.Platform, string>> = {
		darwin: join(home, 'Library', 'Application Support'),
		win32: env['APPDATA'] || join(home, 'AppData', 'Roaming'),
	};
	return join(bases[platform] ?? configFolder(around), 'Cursor', 'User');
};

const commandLineRoots = (around: Surroundings): readonly Root[] => {
	const named = VARIABLES.flatMap((name): readonly Root[] => {
		const path = around.env[name] ?? '';
		return isAbsolute(path) ? [{path, from: 'environment', resumeEnv: {[name]: path}}] : [];
	});
	if (named.length > 0) return named;
	// Chats were seen in the second one as well.
	return defaultRoots(join(around.home, '.cursor'), join(configFolder(around), 'cursor'));
};

const roots = (around: Surroundings): readonly Root[] =>
	distinctRoots([
		...commandLineRoots(around),
		...defaultRoots(editorFolder(around)),
		...configRoots(around, path => ({CURSOR_DATA_DIR: path})),
	]);

/** A root of the config may be of either kind, so both are looked for. */
function* discover({path}: Root): Generator<Discovered> {
	yield* discoverCommandLine(path);
	yield* discoverEditor(path);
}

const READERS: Readonly<Record<number, (source: Source, from?: Cursor) => Iterable<Batch>>> = {
	[RANKS.text]: readTranscript,
	[RANKS.transcript]: readTranscript,
	[RANKS.chat]: readChat,
	[RANKS.tab]: readTab,
	[RANKS.composer]: readComposer,
};

/** Without a chat store there is nothing to go on with. */
const NO_STORE = {
	acp: 'begun by another program over ACP: it goes on there',
	editor: 'chats of the editor cannot be resumed from the command line: open them in its sidebar',
	transcript: 'only a transcript is left: without its chat store a session cannot be resumed',
} as const;

const resume = (request: ResumeRequest): ResumePlan => {
	const {id, isSubagent, parentId, location, hint, resumeEnv} = request;
	const form = location.endsWith('.vscdb') ? 'editor' : 'transcript';
	if (hint['store'] === 'acp') return {reason: NO_STORE.acp};
	if (hint['store'] !== 'chat') return {reason: NO_STORE[form]};
	if (!isSessionId(id)) return {reason: 'the session id is not one that Cursor can resume'};
	if (isSubagent) {
		const how = parentId === null ? '' : `: cursor-agent --resume ${parentId}`;
		return {reason: `a sub-agent's chat; resume its parent${how}`};
	}
	// Chats are looked up below a hash of the very directory.
	const directory = hint['directory'] ?? request.cwd ?? '';
	if (!isAnywhereAbsolute(directory)) {
		return {reason: 'its directory is not known, and Cursor finds chats only from there'};
	}
	return {argv: ['cursor-agent', '--resume', id], cwd: directory, env: resumeEnv};
};

export const cursor: Adapter = {
	id: 'cursor',
	label: 'Cursor',
	shortLabel: 'Cursor',
	parserVersion: 1,
	checked: ['2026.09.02', '3.21.13'],
	// Blobs are named by their content, so equal messages of different chats have one key.
	hasGlobalKeys: false,
	roots,
	discover,
	read: (source, from) => READERS[source.rank ?? -1]?.(source, from) ?? [],
	raw(source, locator) {
		if (!('table' in locator)) return rawInFile(source, locator);
		return locator.table === 'blobs'
			? rawBlob(source.path, String(locator.row))
			: rawValue(source.path, locator.table, locator.row);
	},
	// Nothing in it tells the session: the file is named by it.
	foreign: foreignBy({
		idIn: ({role, type, message}) =>
			type === undefined && textOf(role) !== undefined && Array.isArray(at(message, 'content')),
		at: id => `projects/imported/agent-transcripts/${id}/${id}.jsonl`,
	}),
	resume,
};
