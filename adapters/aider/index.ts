/** Aider: one Markdown file in each project, with one run after the other. */

import {statSync} from 'node:fs';
import {basename, dirname, join, relative} from 'node:path';
import {configRoots, defaultRoots, distinctRoots, statedPath} from '../shared/roots.js';
import {stampOf} from '../shared/walk.js';
import {
	type Adapter,
	type Discovered,
	type ResumePlan,
	type ResumeRequest,
	type Root,
	type Source,
	SourceUnreadable,
	type Surroundings,
} from '../types.js';
import {read} from './read.js';
import {type Run, runsOf} from './runs.js';

const HISTORY = '.aider.chat.history.md';
/** Also of a copy. */
const HISTORY_NAME = /aider[\w.-]*\.md$/i;
const RUN_ID = /^[\da-f]{16}$/;

/** A directory and those above it, as far as they lie below the home folder: the history stands at the top of a checkout. */
const upwards = (directory: string, home: string): readonly string[] => {
	const above = relative(home, directory);
	if (above === '' || above.startsWith('..')) return [directory];
	const places = [directory];
	for (let place = dirname(directory); place !== home && place !== dirname(place); ) {
		places.push(place);
		place = dirname(place);
	}
	return places;
};

/** There is no list of projects: only directories that other agents worked in are looked at. */
const roots = (around: Surroundings): readonly Root[] => {
	const {home, env, projectDirs} = around;
	const stated = statedPath(env['AIDER_CHAT_HISTORY_FILE']);
	const folders = [home, ...projectDirs.flatMap(place => upwards(place, home))];
	return distinctRoots([
		...(stated === undefined
			? []
			: [{path: stated, from: 'environment', resumeEnv: {}} satisfies Root]),
		...configRoots(around),
		...defaultRoots(...folders.map(folder => join(folder, HISTORY))),
	]);
};

/** Runs never change once the next one has begun. */
const sourceOf = (file: Source['files'][number], run: Run): Source => ({
	key: `${file.path}#${run.id}`,
	path: file.path,
	files: [file],
	mode: 'replace',
	mark: `${run.start}+${run.end - run.start}`,
	sessionId: run.id,
	extra: {start: run.start, end: run.end, startedAt: run.startedAt},
});

function* discover({path}: Root): Generator<Discovered> {
	const isFolder = statSync(path, {throwIfNoEntry: false})?.isDirectory() === true;
	const file = stampOf(isFolder ? join(path, HISTORY) : path);
	if (file === undefined) return;
	try {
		for (const run of runsOf(file)) yield {source: sourceOf(file, run)};
	} catch (error) {
		if (!(error instanceof SourceUnreadable)) throw error;
		yield {problem: {code: error.code, where: path, detail: error.message}};
	}
}

/** The whole file is loaded again: aider cannot choose a run. */
const resume = ({id, cwd, location}: ResumeRequest): ResumePlan => {
	if (!RUN_ID.test(id)) return {reason: `${id} is no run of aider`};
	const isUsual = basename(location) === HISTORY;
	const file = isUsual ? [] : ['--chat-history-file', location];
	return {argv: ['aider', '--restore-chat-history', ...file], cwd, env: {}};
};

export const aider: Adapter = {
	id: 'aider',
	label: 'Aider',
	shortLabel: 'Aider',
	parserVersion: 1,
	checked: ['0.86.1'],
	hasGlobalKeys: false,
	isPerProject: true,
	roots,
	discover,
	read,
	foreign: (_, name) => (HISTORY_NAME.test(name) ? {at: HISTORY} : undefined),
	resume,
};
