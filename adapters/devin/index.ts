/** Devin CLI: all sessions in one database, each a forest of messages; sub-agents are ways of their own in it. */

import {isAbsolute, join} from 'node:path';
import {foreignBy} from '../shared/foreign.js';
import {at, textOf} from '../shared/narrow.js';
import {rawInFile} from '../shared/read-raw.js';
import {configRoots, defaultRoots, distinctRoots} from '../shared/roots.js';
import {withDatabase} from '../shared/sqlite.js';
import type {Adapter, ResumePlan, ResumeRequest, Root, Surroundings} from '../types.js';
import {rawMessage} from './database.js';
import {discover} from './discover.js';
import {readDatabase} from './read.js';
import {readTrajectory} from './trajectory.js';

const FOLDER = join('devin', 'cli');

/** The XDG folder on all systems; where Windows keeps it is not known. */
const builtIn = ({home, platform, env}: Surroundings): readonly string[] => {
	const windows = ['LOCALAPPDATA', 'APPDATA'].flatMap(name => env[name] || []);
	return [join(home, '.local', 'share'), ...(platform === 'win32' ? windows : [])];
};

const roots = (around: Surroundings): readonly Root[] => {
	const stated = around.env['XDG_DATA_HOME'] ?? '';
	const usual = defaultRoots(...builtIn(around).map(data => join(data, FOLDER)));
	// Nobody has seen whether the agent obeys it: the usual folder is looked at as well.
	const moved: readonly Root[] = isAbsolute(stated)
		? [{path: join(stated, FOLDER), from: 'environment', resumeEnv: {XDG_DATA_HOME: stated}}]
		: [];
	return distinctRoots([...usual, ...moved, ...configRoots(around, envOf)]);
};

const envOf = (path: string): Readonly<Record<string, string>> =>
	path.endsWith(FOLDER) ? {XDG_DATA_HOME: path.slice(0, -FOLDER.length - 1)} : {};

/** Readable names such as `brave-otter`. */
const SESSION_ID = /^[\da-z][\w.-]*$/i;

const resume = ({id, cwd, isSubagent, parentId, resumeEnv}: ResumeRequest): ResumePlan => {
	if (isSubagent) {
		const parent = parentId ?? id.split('/')[0] ?? '';
		return {reason: `sub-agents cannot be resumed; their parent can: devin --resume ${parent}`};
	}
	if (!SESSION_ID.test(id)) return {reason: 'the session id is not one that Devin can resume'};
	return {argv: ['devin', '--resume', id], cwd, env: resumeEnv};
};

export const devin: Adapter = {
	id: 'devin',
	label: 'Devin',
	shortLabel: 'Devin',
	parserVersion: 1,
	checked: ['3000.3.27', '2026.8.18'],
	// Nodes are numbered in each session anew.
	hasGlobalKeys: false,
	roots,
	discover,
	read: source => (source.mark === undefined ? readTrajectory(source) : readDatabase(source)),
	raw: (source, locator) =>
		'table' in locator
			? withDatabase(source.path, db => rawMessage(db, locator.row))
			: rawInFile(source, locator),
	foreign: foreignBy({
		idIn: ({schema_version: version, session_id: id, agent, steps}) =>
			textOf(version)?.startsWith('ATIF') === true &&
			at(agent, 'name') === 'devin' &&
			Array.isArray(steps) &&
			id,
		at: id => `transcripts/${id}.json`,
	}),
	resume,
};
