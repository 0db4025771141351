/** Conversations: a folder each, with one file an event. */

import {join} from 'node:path';
import {textOf} from '../shared/narrow.js';
import {configRoots, distinctRoots, statedPath} from '../shared/roots.js';
import {listFolder, stampOf} from '../shared/walk.js';
import type {Discovered, FileStamp, Root, Source, Surroundings} from '../types.js';

export const LEGACY_FOLDER = 'v1_conversations';
const CONVERSATION = /^[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/i;
const EVENT = /^(?:event-)?\d+(?:-[^/]*)?\.json$/;
const ANY_EVENT = /^(?!\.|base_state).+\.json$/;
/** Events that are kept elsewhere than on this machine. */
const CLOUDS: ReadonlySet<string> = new Set(['aws', 's3', 'gcp', 'google_cloud']);

const currentRoot = ({home, env}: Surroundings): Root => {
	const standard = join(home, '.openhands', 'conversations');
	const conversations = statedPath(env['OPENHANDS_CONVERSATIONS_DIR']);
	if (conversations !== undefined && conversations !== standard) {
		const resumeEnv = {OPENHANDS_CONVERSATIONS_DIR: conversations};
		return {path: conversations, from: 'environment', resumeEnv};
	}
	const persistence = statedPath(env['OPENHANDS_PERSISTENCE_DIR']);
	if (conversations === undefined && persistence !== undefined) {
		const path = join(persistence, 'conversations');
		if (path !== standard) {
			return {path, from: 'environment', resumeEnv: {OPENHANDS_PERSISTENCE_DIR: persistence}};
		}
	}
	return {path: standard, from: 'default', resumeEnv: {}};
};

/** The app of the time before the command line. */
const legacyRoots = ({home, env}: Surroundings): readonly Root[] => {
	const stores = [env['SHARED_EVENT_STORAGE_PROVIDER'], env['FILE_STORE']];
	if (stores.some(store => CLOUDS.has((store ?? '').trim().toLowerCase()))) return [];
	const stated = statedPath(env['OH_PERSISTENCE_DIR']) ?? statedPath(env['FILE_STORE_PATH']);
	const base = stated ?? join(home, '.openhands');
	const user = textOf(env['OPENHANDS_USER_ID']);
	const from = stated === undefined ? 'default' : 'environment';
	return [base, ...(user === undefined ? [] : [join(base, user)])].map(folder => ({
		path: join(folder, LEGACY_FOLDER),
		from,
		resumeEnv: {},
	}));
};

export const roots = (around: Surroundings): readonly Root[] => {
	const others = configRoots(around, path => ({OPENHANDS_CONVERSATIONS_DIR: path}));
	return distinctRoots([currentRoot(around), ...legacyRoots(around), ...others]);
};

/** The number in a name; names without one come last. */
const numberIn = (name: string): number =>
	Number(/^(?:event-)?(\d+)/.exec(name)?.[1] ?? Number.POSITIVE_INFINITY);

const byNumber = (a: string, b: string): number => {
	const [first, second] = [numberIn(a), numberIn(b)];
	if (first === second) return a < b ? -1 : 1;
	return first - second;
};

/** Names of the event files of a folder, in their order; undefined when it cannot be listed. */
export const eventNames = (folder: string, isLegacy: boolean): readonly string[] | undefined => {
	const entries = listFolder(folder)?.entries;
	const accepted = isLegacy ? ANY_EVENT : EVENT;
	return entries
		?.filter(entry => entry.isFile() && accepted.test(entry.name))
		.map(({name}) => name)
		.toSorted(byNumber);
};

/** `Source.extra`. */
export interface Place {
	/** Where the event files lie. */
	readonly folder: string;
	/** The state, which also holds keys of model providers: looked into, never copied. */
	readonly state?: string;
}

const printOf = (stamp: FileStamp | undefined): string =>
	stamp === undefined ? '' : `${stamp.sizeBytes}:${stamp.mtimeMs}`;

/**
 * Events never change once they are there, so that number and newest file tell of every change; only the newest may still be
 * half written.
 */
const sourceOf = (conversation: string, id: string): Source | undefined => {
	const folder = join(conversation, 'events');
	const current = eventNames(folder, false);
	const names = current ?? eventNames(conversation, true) ?? [];
	const [first, last] = [names[0], names.at(-1)];
	if (first === undefined || last === undefined) return undefined;
	const base = current === undefined ? conversation : folder;
	const files = [...new Set([first, last])].flatMap(name => stampOf(join(base, name)) ?? []);
	const [primary] = files;
	if (primary === undefined) return undefined;
	const state = stampOf(join(conversation, 'base_state.json'));
	const extra: Place = {folder: base, ...(state === undefined ? {} : {state: state.path})};
	return {
		key: conversation,
		path: primary.path,
		files,
		mode: 'replace',
		mark: [names.length, last, printOf(files.at(-1)), printOf(state)].join(' '),
		// Both layouts may hold it, with and without dashes.
		sessionId: id.replaceAll('-', '').toLowerCase(),
		rank: current === undefined ? 0 : 1,
		extra,
	};
};

export function* discover({path}: Root): Generator<Discovered> {
	const listing = listFolder(path);
	if (listing === undefined) return;
	if (listing.problem !== undefined) {
		yield {problem: listing.problem};
		return;
	}
	for (const entry of listing.entries) {
		if (!entry.isDirectory() || !CONVERSATION.test(entry.name)) continue;
		const source = sourceOf(join(path, entry.name), entry.name);
		if (source !== undefined) yield {source};
	}
}
