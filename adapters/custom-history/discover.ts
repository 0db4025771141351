/** Finds plug-in manifests, the files that they name, and the sessions in these. */

import {statSync} from 'node:fs';
import {delimiter, dirname, join, resolve} from 'node:path';
import type {Problem} from '../model.js';
import {compact} from '../shared/compact.js';
import {readJsonFile} from '../shared/json-file.js';
import {readJsonLines, START} from '../shared/jsonl.js';
import {isRecord, listOf, recordOf, textOf} from '../shared/narrow.js';
import {configRoots, statedPath} from '../shared/roots.js';
import {listFolder, stampOf} from '../shared/walk.js';
import type {Discovered, FileStamp, Root, Surroundings} from '../types.js';
import {type Json, type Place, sessionKey} from './records.js';

export const MANIFEST = 'ctx-history-plugin.json';
const SCHEMA_VERSION = 'ctx-history-jsonl-v1';
const NATIVE_LINEAGE = 'provider_native_v1';
const MANIFEST_BYTES = 1024 * 1024;
const PROVIDER = /^[a-z\d][a-z\d._-]{0,127}$/;
/** Records that say what is in a file; all others are looked at when a session is read. */
const HEADS = /"record_type"\s*:\s*"(?:manifest|source|session)"/;

export const roots = (around: Surroundings): readonly Root[] => {
	const {env} = around;
	const data = statedPath(env['CTX_DATA_ROOT']);
	const listed = (env['CTX_HISTORY_PLUGIN_PATH'] ?? '').split(delimiter).flatMap(path => {
		return statedPath(path) ?? [];
	});
	const stated = data === undefined ? listed : [join(data, 'plugins'), ...listed];
	return [
		...[...new Set(stated)].map((path): Root => ({path, from: 'environment', resumeEnv: {}})),
		...configRoots(around),
	];
};

/** A root is a manifest, the folder of a plug-in, or a folder of such folders. */
const manifestsIn = (root: string): readonly string[] => {
	const stats = statSync(root, {throwIfNoEntry: false});
	if (stats?.isFile() === true) return [root];
	const folders = (listFolder(root)?.entries ?? []).filter(entry => entry.isDirectory());
	return [root, ...folders.map(({name}) => join(root, name))]
		.map(folder => join(folder, MANIFEST))
		.filter(path => stampOf(path) !== undefined);
};

const problemOf = (code: Problem['code'], where: string, detail: string): Discovered => ({
	problem: {code, where, detail},
});

interface Heads {
	readonly manifests: Json[];
	readonly sources: Json[];
	readonly sessions: Json[];
}

const headsOf = (path: string): Heads => {
	const heads: Heads = {manifests: [], sources: [], sessions: []};
	const lists: Readonly<Record<string, Json[]>> = {
		manifest: heads.manifests,
		source: heads.sources,
		session: heads.sessions,
	};
	const isWanted = (text: string): boolean => HEADS.test(text);
	for (const {record} of readJsonLines(path, START, {isWanted})) {
		if (record !== undefined) lists[String(record['record_type'])]?.push(record);
	}
	return heads;
};

/** Why a file is not what its manifest says. */
const mismatch = (
	stated: Json,
	{manifests}: Heads,
	sources: readonly Json[],
): string | undefined => {
	const [manifest] = manifests;
	if (manifest === undefined || manifests.length > 1) return 'there has to be one manifest record';
	if (manifest['schema_version'] !== SCHEMA_VERSION) return 'its schema version is not known';
	if (manifest['lineage_contract'] !== stated['lineage_contract']) {
		return 'its lineage contract is another one';
	}
	return sources.length > 0 ? undefined : 'the source of the manifest is not in it';
};

const SOURCE_NAMES = ['provider_key', 'source_id', 'source_format'];

/** The sources of a file that a manifest means; one that names none means all, see `foreign`. */
const sourcesMeant = (stated: Json, {sources}: Heads): readonly Json[] =>
	sources.filter(
		source =>
			PROVIDER.test(textOf(source['provider_key']) ?? '') &&
			SOURCE_NAMES.every(name => stated[name] === undefined || source[name] === stated[name]),
	);

function* sessionsOf(stated: Json, file: FileStamp): Generator<Discovered> {
	const heads = headsOf(file.path);
	const sources = sourcesMeant(stated, heads);
	const reason = mismatch(stated, heads, sources);
	if (reason !== undefined) {
		yield problemOf('unsupported-schema', file.path, reason);
		return;
	}
	const keys = new Set<string>();
	for (const {provider_key: provider, source_id: sourceId} of sources)
		for (const {source_id: of, session_id: id} of heads.sessions) {
			const session = textOf(id);
			if (of !== sourceId || session === undefined) continue;
			const sessionId = sessionKey(String(provider), session);
			// What belongs to no session is told by the first.
			const isFirst = keys.size === 0;
			if (keys.has(sessionId)) continue;
			keys.add(sessionId);
			const place: Place = {
				provider: String(provider),
				sourceId: String(sourceId),
				session,
				isNative: stated['lineage_contract'] === NATIVE_LINEAGE,
				isFirst,
			};
			yield {
				source: {
					key: `${file.path}#${sessionId}`,
					path: file.path,
					files: [file],
					sessionId,
					mode: 'replace',
					extra: place,
				},
			};
		}
}

function* sourcesOf(manifestPath: string): Generator<Discovered> {
	const manifest = readJsonFile(manifestPath, MANIFEST_BYTES);
	if (manifest?.problem !== undefined) yield {problem: manifest.problem};
	for (const item of listOf(recordOf(manifest?.value)['history_sources'])) {
		const stated = isRecord(item) ? item : {};
		const path = textOf(stated['path']);
		// A source with a command is a program: it is never run.
		if (path === undefined || stated['enabled'] === false) continue;
		const full = resolve(dirname(manifestPath), path);
		const stamp = stampOf(full);
		if (stamp === undefined)
			yield problemOf('missing-part', full, 'named by a manifest, not there');
		else yield* sessionsOf(compact(stated), stamp);
	}
}

export function* discover({path}: Root): Generator<Discovered> {
	for (const manifest of manifestsIn(path)) yield* sourcesOf(manifest);
}
