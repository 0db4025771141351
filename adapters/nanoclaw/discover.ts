/** NanoClaw keeps everything in its checkout. Where that is, the service says that runs it. */

import {readFileSync} from 'node:fs';
import {basename, dirname, isAbsolute, join} from 'node:path';
import type {Problem} from '../model.js';
import {compact} from '../shared/compact.js';
import {textOf} from '../shared/narrow.js';
import {configRoots, defaultRoots, distinctRoots} from '../shared/roots.js';
import {hasColumns, listOfColumns} from '../shared/session-parts/schema.js';
import {type ForeignDatabase, withDatabase} from '../shared/sqlite.js';
import {byFolder, findFiles, listFolder, stampOf} from '../shared/walk.js';
import {type Discovered, type Root, SourceUnreadable, type Surroundings} from '../types.js';

const CENTRAL = ['data', 'v2.db'] as const;
const SESSIONS = ['data', 'v2-sessions'] as const;
const SERVICE = /^(?:nanoclaw-v2-.+\.service|com\.nanoclaw-v2-.+\.plist)$/;
const DIRECTORY =
	/^WorkingDirectory=(.+)$|<key>WorkingDirectory<\/key>\s*<string>([^<]+)<\/string>/m;
export const HALVES = ['inbound.db', 'outbound.db'] as const;

/** Its services in a folder where the system has many; without any, how they would be named. */
const servicesIn = (folder: string, example: string): readonly string[] => {
	const names = (listFolder(folder)?.entries ?? []).map(({name}) => name);
	const ours = names.filter(name => SERVICE.test(name));
	return (ours.length > 0 ? ours : [example]).map(name => join(folder, name));
};

/** Services that run it, and checkouts that other agents worked in. */
export const roots = (around: Surroundings): readonly Root[] => {
	const {home, platform, projectDirs} = around;
	const folders =
		platform === 'darwin'
			? [join(home, 'Library', 'LaunchAgents')]
			: [join(home, '.config', 'systemd', 'user'), '/etc/systemd/system'];
	const example = platform === 'darwin' ? 'com.nanoclaw-v2-*.plist' : 'nanoclaw-v2-*.service';
	return distinctRoots([
		...defaultRoots(...folders.flatMap(folder => servicesIn(folder, example))),
		...configRoots(around),
		...defaultRoots(...projectDirs.map(directory => join(directory, ...CENTRAL))),
	]);
};

const checkoutIn = (service: string): string | undefined => {
	try {
		const [, unit, plist] = DIRECTORY.exec(readFileSync(service, 'utf8')) ?? [];
		const path = (unit ?? plist)?.trim();
		return path !== undefined && isAbsolute(path) ? path : undefined;
	} catch {
		return undefined; // not ours to read: then only checkouts that are known otherwise are found
	}
};

const checkoutsOf = (path: string): readonly string[] => {
	if (path.endsWith(join(...CENTRAL))) return [dirname(dirname(path))];
	if (SERVICE.test(basename(path))) return [checkoutIn(path)].flatMap(checkout => checkout ?? []);
	return [path];
};

/** What the central database says of a session; `Source.extra`. */
interface Central {
	/** The agent and the chat: `Claw – Family`. */
	readonly tag?: string;
	readonly createdAt?: string;
	readonly lastActive?: string;
}

/** A part of the query, where the tables and columns for it are there. */
const named = (db: ForeignDatabase, table: string, key: string, columns: readonly string[]) => {
	const there = columns.filter(name => hasColumns(db, table, ['id', name]));
	return hasColumns(db, 'sessions', [key]) && there.length > 0
		? `(SELECT coalesce(${[...there.map(name => `nullif(${name}, '')`), 'NULL'].join(', ')}) FROM ${table} WHERE ${table}.id = sessions.${key})`
		: 'NULL';
};

const centralRows = (db: ForeignDatabase): ReadonlyMap<string, Central> => {
	if (!hasColumns(db, 'sessions', ['id', 'agent_group_id'])) return new Map();
	const columns = listOfColumns(db, 'sessions', ['id', 'created_at', 'last_active']);
	const agent = named(db, 'agent_groups', 'agent_group_id', ['name']);
	const chat = named(db, 'messaging_groups', 'messaging_group_id', ['name', 'channel_type']);
	const rows = db.all(`SELECT ${columns}, ${agent} AS agent, ${chat} AS chat FROM sessions`);
	return new Map(
		rows.map(row => {
			const names = [row['agent'], row['chat']].flatMap(name => textOf(name) ?? []);
			const central: Central = compact({
				tag: names.length === 0 ? undefined : names.join(' – '),
				createdAt: textOf(row['created_at']),
				lastActive: textOf(row['last_active']),
			});
			return [String(row['id']), central];
		}),
	);
};

interface Known {
	readonly central: ReadonlyMap<string, Central>;
	readonly problem?: Problem;
}

/** Without the central database sessions are found all the same. */
const centralOf = (checkout: string): Known => {
	const path = join(checkout, ...CENTRAL);
	if (stampOf(path) === undefined) return {central: new Map()};
	try {
		return {central: withDatabase(path, centralRows)};
	} catch (error) {
		if (!(error instanceof SourceUnreadable)) throw error;
		return {central: new Map(), problem: {code: error.code, where: path, detail: error.message}};
	}
};

/** `Source.extra`. */
interface Place extends Central {
	readonly checkout: string;
}

function* discoverCheckout(checkout: string): Generator<Discovered> {
	const found = yield* findFiles(join(checkout, ...SESSIONS), {
		depth: 3,
		accept: (relative, name) =>
			relative.split('/').length === 3 && HALVES.some(half => half === name),
		enter: (relative, name) => !name.startsWith('.') && relative.split('/').length <= 2,
	});
	if (found.length === 0) return;
	const {central, problem} = centralOf(checkout);
	if (problem !== undefined) yield {problem};
	for (const [folder, files] of byFolder(found)) {
		const sessionId = basename(folder);
		const extra: Place = {checkout, ...central.get(sessionId)};
		const path = files[0]?.path ?? folder;
		yield {source: {key: folder, path, files, mode: 'replace', sessionId, extra}};
	}
}

export function* discover({path}: Root): Generator<Discovered> {
	for (const checkout of new Set(checkoutsOf(path))) yield* discoverCheckout(checkout);
}
