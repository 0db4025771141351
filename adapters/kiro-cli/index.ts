/** Kiro CLI: logs of newer versions, and the database of older ones, which Amazon Q has as well. */
import {basename, dirname, join} from 'node:path';
import {rawInFile} from '../shared/read-raw.js';
import {statedPath} from '../shared/roots.js';
import {stampOf, walkFiles} from '../shared/walk.js';
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
const SESSION_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

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

const roots = (around: Surroundings): readonly Root[] => {
	const others = around.extraRoots.map(({path, label}): Root => {
		const named = label === undefined ? {} : {label};
		return {path, from: 'config', ...named, resumeEnv: {}};
	});
	const all = [logRoot(around), ...databaseRoots(around), ...others];
	return all.filter((root, place) => all.findIndex(({path}) => path === root.path) === place);
};

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
	for (const {stamp, problem} of walkFiles(path, {
		depth: 1,
		accept: (_, name) => name.endsWith('.jsonl') && !name.startsWith('.'),
	})) {
		yield problem === undefined ? {source: logSource(stamp)} : {problem};
	}
}

const resume = ({id, cwd, location, resumeEnv}: ResumeRequest): ResumePlan => {
	if (!SESSION_ID.test(id)) return {reason: `${id} is no session id of Kiro CLI`};
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
	resume,
};
