/** Kiro CLI: logs of newer versions, and the database of older ones, which Amazon Q has as well. */

import {basename, dirname, join} from 'node:path';
import {foreignBy} from '../shared/foreign.js';
import {at, textOf} from '../shared/narrow.js';
import {rawInFile} from '../shared/read-raw.js';
import {configRoots, distinctRoots, statedPath} from '../shared/roots.js';
import {UUID} from '../shared/session-ids.js';
import {findFiles, stampOf} from '../shared/walk.js';
import type {
	Adapter,
	Discovered,
	ResumePlan,
	ResumeRequest,
	Root,
	Source,
	Surroundings,
} from '../types.js';
import {rawExchange, readConversation} from './conversation.js';
import {DATABASE, discoverDatabase} from './database.js';
import {readLog} from './log.js';

const ANCESTOR = 'amazon-q';
const SESSIONS = ['sessions', 'cli'] as const;
const logRoot = ({home, env}: Surroundings): Root => {
	const standard = join(home, '.kiro');
	const stated = statedPath(env['KIRO_HOME']);
	const path = join(stated ?? standard, ...SESSIONS);
	return stated === undefined || stated === standard
		? {path, from: 'default', resumeEnv: {}}
		: {path, from: 'environment', resumeEnv: {KIRO_HOME: stated}};
};

const databaseRoots = ({home, env, platform}: Surroundings): readonly Root[] => {
	const stated = platform === 'darwin' ? undefined : statedPath(env['XDG_DATA_HOME']);
	const standard =
		platform === 'darwin'
			? join(home, 'Library', 'Application Support')
			: join(home, '.local', 'share');
	const isMoved = stated !== undefined && stated !== standard;
	return ['kiro-cli', ANCESTOR].map(folder => ({
		path: join(stated ?? standard, folder),
		from: isMoved ? 'environment' : 'default',
		resumeEnv: isMoved ? {XDG_DATA_HOME: stated} : {},
	}));
};

const roots = (around: Surroundings): readonly Root[] =>
	distinctRoots([logRoot(around), ...databaseRoots(around), ...configRoots(around)]);

/** A log and what stands beside it: its title changes without new lines. */
const logSource = (file: Source['files'][number]): Source => {
	const companion = stampOf(file.path.replace(/\.jsonl$/, '.json'));
	return {
		key: file.path,
		path: file.path,
		files: companion === undefined ? [file] : [file, companion],
		mode: 'append',
		rank: 2,
	};
};

function* discover({path}: Root): Generator<Discovered> {
	yield* discoverDatabase(path);
	const found = yield* findFiles(path, {
		depth: 1,
		accept: (_, name) => name.endsWith('.jsonl') && !name.startsWith('.'),
	});
	for (const {stamp} of found) yield {source: logSource(stamp)};
}

const resume = ({id, cwd, location, resumeEnv}: ResumeRequest): ResumePlan => {
	if (!UUID.test(id)) return {reason: `${id} is no session id of Kiro CLI`};
	if (basename(dirname(location)) === ANCESTOR) {
		return {reason: 'Amazon Q resumes only the latest conversation of a directory'};
	}
	return {argv: ['kiro-cli', 'chat', '--resume-id', id], cwd, env: resumeEnv};
};

export const kiroCli: Adapter = {
	id: 'kiro-cli',
	label: 'Kiro CLI',
	shortLabel: 'Kiro',
	parserVersion: 1,
	checked: ['2.10.0'],
	hasGlobalKeys: false,
	roots,
	discover,
	read: (source, from) =>
		basename(source.path) === DATABASE ? readConversation(source) : readLog(source, from),
	raw: (source, locator) =>
		'table' in locator ? rawExchange(source, locator.row) : rawInFile(source, locator),
	foreign: foreignBy({
		idIn: ({kind, data}) =>
			textOf(kind) !== undefined && textOf(at(data, 'message_id')) !== undefined,
		at: id => `${id}.jsonl`,
	}),
	resume,
};
