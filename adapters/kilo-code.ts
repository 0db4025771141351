/**
 * Kilo Code: the command line program, a fork of OpenCode, and the tasks of the extension of the time before, which was a fork of
 * Roo Code.
 */

import {basename, join} from 'node:path';
import {foreignBy} from './shared/foreign.js';
import {rawInFile} from './shared/read-raw.js';
import {createFamilyAdapter} from './shared/session-parts/family.js';
import {withoutQuotes} from './shared/session-parts/typed-text.js';
import {basesOf, discoverTasks, extensionRoots, TALK_FILES} from './shared/task-folder/discover.js';
import {hasMark, taskPlace} from './shared/task-folder/foreign.js';
import {readTask} from './shared/task-folder/read.js';
import type {Adapter, Root, Source, Surroundings} from './types.js';

const MAIN = 'kilo.db';
const CHANNEL = /^kilo-[\w.-]+\.db$/;
/** Names of early builds, which count only as long as there is no new one. */
const EARLY = /^opencode(-[\w.-]+)?\.db$/;

const ENVIRONMENT = {start: '<environment_details>', end: '</environment_details>'} as const;

/** Without the state of the editor that may stand behind a prompt. */
const withoutEnvironment = (text: string): string => {
	if (!text.trimEnd().endsWith(ENVIRONMENT.end)) return text;
	const start = text.lastIndexOf(ENVIRONMENT.start);
	return start === -1 ? text : text.slice(0, start).trimEnd();
};

const databasesIn = (names: readonly string[]): readonly string[] => {
	const there = new Set(names);
	return [
		...names.filter(name => name === MAIN),
		...names.filter(name => CHANNEL.test(name)),
		...names.filter(
			name =>
				EARLY.test(name) &&
				!there.has(name.replace(EARLY, (_, channel = '') => `kilo${channel}.db`)),
		),
	];
};

const EXTENSION = 'kilocode.kilo-code';
/** An early command line played the editor to the extension. */
const EARLY_COMMAND_LINE = ['.kilocode', 'cli', 'global'] as const;

const legacyRoots = (around: Surroundings): readonly Root[] => [
	{path: join(around.home, ...EARLY_COMMAND_LINE), from: 'default', resumeEnv: {}},
	...extensionRoots(around, EXTENSION),
];

const isLegacyRoot = ({path}: Root): boolean =>
	[EXTENSION, 'profiles'].includes(basename(path)) || path.endsWith(join(...EARLY_COMMAND_LINE));

const isTalk = (path: string): boolean => TALK_FILES.some(name => basename(path) === name);
const isTask = ({path}: Source): boolean => isTalk(path);

const foreignTask = foreignBy({
	idIn: record => 'ts' in record && hasMark(record, '<task>'),
	at: taskPlace,
});

const family = createFamilyAdapter({
	id: 'kilo-code',
	label: 'Kilo Code',
	shortLabel: 'Kilo',
	parserVersion: 1,
	checked: ['7.7.9', '7.7.7'],
	folder: 'kilo',
	databaseVariable: 'KILO_DB',
	mainDatabase: MAIN,
	databasesIn,
	hasTrees: true,
	command: 'kilo',
	canFork: true,
	dialect: {typedText: text => withoutQuotes(withoutEnvironment(text))},
});

export const kiloCode: Adapter = {
	...family,
	roots: around => [...family.roots(around), ...legacyRoots(around)],
	*discover(root) {
		if (!isLegacyRoot(root)) yield* family.discover(root);
		else for (const base of basesOf(root, EXTENSION)) yield* discoverTasks(base);
	},
	read: (source, from) => (isTask(source) ? readTask(source) : family.read(source, from)),
	raw: (source, locator) =>
		isTask(source) ? rawInFile(source, locator) : family.raw?.(source, locator),
	rows: source => (isTask(source) ? [] : (family.rows?.(source) ?? [])),
	// As in the fork that it once was, but for the mark of the first prompt.
	foreign: (head, name) => {
		const place = foreignTask(head, name);
		return place && {...place, root: EXTENSION};
	},
	resume: request =>
		isTalk(request.location)
			? {reason: 'a task of the older extension; open it in the history of its panel'}
			: family.resume(request),
};
