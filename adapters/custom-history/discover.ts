/** Finds plug-in manifests, the files that they name, and the sessions in these. */
import {statSync} from 'node:fs';
import {delimiter, dirname, join, resolve} from 'node:path';
import {compact} from '../shared/compact.js';
import {readJsonFile} from '../shared/json-file.js';
import {readJsonLines} from '../shared/jsonl.js';
import {isRecord, listOf, recordOf, textOf} from '../shared/narrow.js';
import {statedPath} from '../shared/roots.js';
import {listFolder, stampOf} from '../shared/walk.js';
import type {Discovered, FileStamp, Problem, Root, Surroundings} from '../types.js';
import {type Json, type Place, sessionKey} from './records.js';

const MANIFEST = 'ctx-history-plugin.json';
const SCHEMA_VERSION = 'ctx-history-jsonl-v1';
const NATIVE_LINEAGE = 'provider_native_v1';
const MANIFEST_BYTES = 1024 * 1024;
const PROVIDER = /^[a-z\d][a-z\d._-]{0,127}$/;
/** Records that say what is in a file; all others are looked at when a session is read. */
const HEADS = /"record_type"\s*:\s*"(?:manifest|source|session)"/;

export const roots = ({env, extraRoots}: Surroundings): readonly Root[] => {
	const data = statedPath(env['CTX_DATA_ROOT']);
	const listed = (env['CTX_HISTORY_PLUGIN_PATH'] ?? '').split(delimiter).flatMap(path => {
		return statedPath(path) ?? [];
	});
	const stated = data === undefined ? listed : [join(data, 'plugins'), ...listed];
	return [
		...[...new Set(stated)].map((path): Root => ({path, from: 'environment', resumeEnv: {}})),
		...extraRoots.map(({path, label}): Root => {
			return {path, from: 'config', ...(label === undefined ? {} : {label}), resumeEnv: {}};
		}),
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
	for (const {record} of readJsonLines(path, {offset: 0, lineNumber: 0}, {isWanted})) {
		if (record !== undefined) lists[String(record['record_type'])]?.push(record);
	}
	return heads;
};

/** Why a file is not what its manifest says. */
const mismatch = (stated: Json, {manifests, sources}: Heads): string | undefined => {
	const [manifest] = manifests;
	if (manifest === undefined || manifests.length > 1) return 'there has to be one manifest record';
	if (manifest['schema_version'] !== SCHEMA_VERSION) return 'its schema version is not known';
	if (manifest['lineage_contract'] !== stated['lineage_contract']) {
		return 'its lineage contract is another one';
	}
	if (!PROVIDER.test(textOf(stated['provider_key']) ?? '')) return 'a source needs a provider_key';
	const isSame = (source: Json): boolean =>
		['provider_key', 'source_id', 'source_format'].every(name => source[name] === stated[name]);
	return sources.some(isSame) ? undefined : 'the source of the manifest is not in it';
};

function* sessionsOf(stated: Json, file: FileStamp): Generator<Discovered> {
	const heads = headsOf(file.path);
	const reason = mismatch(stated, heads);
	if (reason !== undefined) {
		yield problemOf('unsupported-schema', file.path, reason);
		return;
	}
	const provider = String(stated['provider_key']);
	const sourceId = String(stated['source_id']);
	const ids = heads.sessions
		.filter(session => session['source_id'] === sourceId)
		.flatMap(session => textOf(session['session_id']) ?? []);
	for (const [index, session] of [...new Set(ids)].entries()) {
		const place: Place = {
			provider,
			sourceId,
			session,
			isNative: stated['lineage_contract'] === NATIVE_LINEAGE,
			// What belongs to no session is told by the first.
			isFirst: index === 0,
		};
		const id = sessionKey(provider, session);
		const source = {key: `${file.path}#${id}`, path: file.path, files: [file], sessionId: id};
		yield {source: {...source, mode: 'replace', extra: place}};
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
