/** Roo Code: folders of tasks, of the extension in each editor and of the command line. */

import {dirname, isAbsolute, join} from 'node:path';
import {settingIn} from './shared/editor-settings.js';
import {foreignBy} from './shared/foreign.js';
import {configRoots, defaultRoots, distinctRoots} from './shared/roots.js';
import {basesOf, discoverTasks, extensionRoots} from './shared/task-folder/discover.js';
import {isTaskRecord, taskPlace} from './shared/task-folder/foreign.js';
import {readTask} from './shared/task-folder/read.js';
import type {Adapter, Discovered, ResumePlan, ResumeRequest, Root, Surroundings} from './types.js';

/** Extensions by the name of their storage, and the setting that moves it. */
const EXTENSIONS: Readonly<Record<string, string>> = {
	'rooveterinaryinc.roo-cline': 'roo-cline.customStoragePath',
	'rooveterinaryinc.roo-code-nightly': 'roo-code-nightly.customStoragePath',
};
/** Storage of the command line, which plays the editor to the extension. */
const COMMAND_LINE = ['.vscode-mock', 'global-storage'] as const;
const TASK_ID = /^\w[\w-]*$/;

const roots = (around: Surroundings): readonly Root[] => {
	const extensions = Object.keys(EXTENSIONS).flatMap(name => extensionRoots(around, name));
	return distinctRoots([
		...defaultRoots(join(around.home, ...COMMAND_LINE)),
		...extensions,
		...configRoots(around),
	]);
};

/** The storage beside settings may have been moved; tasks from before stay where they are. */
const storagesOf = (base: string, setting: string): readonly string[] => {
	const moved = settingIn(join(dirname(dirname(base)), 'settings.json'), setting);
	return moved !== undefined && isAbsolute(moved) && moved !== base ? [base, moved] : [base];
};

function* discover(root: Root): Generator<Discovered> {
	const seen = new Set<string>();
	for (const [extension, setting] of Object.entries(EXTENSIONS)) {
		for (const storage of basesOf(root, extension).flatMap(base => storagesOf(base, setting))) {
			if (seen.has(storage)) continue;
			seen.add(storage);
			yield* discoverTasks(storage);
		}
	}
}

const isCommandLine = (location: string): boolean =>
	location.replaceAll('\\', '/').includes(`/${COMMAND_LINE.join('/')}/tasks/`);

const resume = ({id, cwd, location, resumeEnv}: ResumeRequest): ResumePlan => {
	if (!TASK_ID.test(id)) return {reason: `${id} is no task id of Roo Code`};
	if (!isCommandLine(location)) {
		return {reason: 'a task of the extension; open it in the history of its panel'};
	}
	if (cwd === null) return {reason: 'the directory of the task is not known'};
	return {argv: ['roo', '--session-id', id, '-w', cwd], cwd, env: resumeEnv};
};

export const rooCode: Adapter = {
	id: 'roo-code',
	label: 'Roo Code',
	shortLabel: 'Roo',
	parserVersion: 1,
	checked: ['main of 2026-04-14'],
	hasGlobalKeys: false,
	roots,
	discover,
	read: readTask,
	foreign: foreignBy({
		idIn: record => isTaskRecord(record) && 'ts' in record,
		at: taskPlace,
	}),
	resume,
};
