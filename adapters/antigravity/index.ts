/** Antigravity: the program for terminals (`agy`) and the editor. */

import {basename, dirname, join, sep} from 'node:path';
import {foreignBy} from '../shared/foreign.js';
import {textOf} from '../shared/narrow.js';
import {rawInFile} from '../shared/read-raw.js';
import {PLAIN_ID} from '../shared/session-ids.js';
import {listFolder} from '../shared/walk.js';
import type {Adapter, ResumePlan, ResumeRequest, Source} from '../types.js';
import {rawSteps, readDatabase} from './database.js';
import {DATABASE_END, discover, roots} from './discover.js';
import {readTranscript} from './transcript.js';

const isDatabase = ({path}: Pick<Source, 'path'>): boolean => path.endsWith(DATABASE_END);

const EDITOR_FOLDERS = ['antigravity-ide', 'antigravity'] as const;

const isOfEditor = (location: string): boolean =>
	EDITOR_FOLDERS.some(folder => location.includes(`${sep}.gemini${sep}${folder}${sep}`));

const resume = ({id, cwd, isSubagent, location, resumeEnv}: ResumeRequest): ResumePlan => {
	if (isSubagent || !PLAIN_ID.test(id)) return {reason: `${id} is no conversation of Antigravity`};
	if (isOfEditor(location)) return {reason: 'the editor opens its conversations only by itself'};
	return {argv: ['agy', '--conversation', id], cwd, env: resumeEnv};
};

const ARTIFACT = /\.md(?:\.metadata\.json)?$/;

/** Plans and walkthroughs that the agent wrote beside the transcript. */
const companions = (source: Source): readonly string[] => {
	if (isDatabase(source)) return [];
	const folder = dirname(dirname(dirname(source.path)));
	const entries = listFolder(folder)?.entries ?? [];
	return entries
		.filter(entry => entry.isFile() && ARTIFACT.test(entry.name))
		.map(({name}) => join(folder, basename(name)));
};

export const antigravity: Adapter = {
	id: 'antigravity',
	label: 'Antigravity',
	shortLabel: 'Antigrav',
	parserVersion: 1,
	checked: ['transcripts and databases of 2026-08'],
	hasGlobalKeys: false,
	roots,
	discover,
	read: (source, from) =>
		isDatabase(source) ? readDatabase(source) : readTranscript(source, from),
	raw(source, locator) {
		if (!('table' in locator)) return rawInFile(source, locator);
		return [...rawSteps(source)].find(({row}) => row === locator.row)?.raw;
	},
	companions,
	rows: rawSteps,
	foreign: foreignBy({
		idIn: ({step_index: step, source, created_at: created}) =>
			typeof step === 'number' && textOf(source) !== undefined && textOf(created) !== undefined,
		at: id => `brain/${id}/.system_generated/logs/transcript.jsonl`,
	}),
	resume,
};
