/** What the fixture home cannot show: roots, files that are not what their manifest says. */
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {customHistory} from '../../adapters/custom-history/index.js';
import {
	discoverAll,
	emptyHome,
	readFolded,
	removeHome,
	surroundingsOf,
} from '../helpers/fixtures.js';

let home: string;
beforeEach(() => {
	home = emptyHome();
	mkdirSync(join(home, 'plugin'));
});
afterEach(() => removeHome(home));

const write = (name: string, ...records: readonly object[]): void =>
	writeFileSync(
		join(home, 'plugin', name),
		records.map(record => `${JSON.stringify(record)}\n`).join(''),
	);

const manifest = (source: object): void =>
	write('ctx-history-plugin.json', {
		schema_version: 1,
		history_sources: [{provider_key: 'p', source_id: 's', source_format: 'f', ...source}],
	});

const SOURCE = {record_type: 'source', source_id: 's', provider_key: 'p', source_format: 'f'};
const SESSION = {record_type: 'session', source_id: 's', session_id: 'a', started_at: '2026-12-01'};
const HEAD = {record_type: 'manifest', schema_version: 'ctx-history-jsonl-v1'};

const found = () => {
	const env = {CTX_HISTORY_PLUGIN_PATH: join(home, 'plugin', 'ctx-history-plugin.json')};
	const {sources, problems} = discoverAll(customHistory, surroundingsOf(home, env));
	return {ids: sources.map(({sessionId}) => sessionId), codes: problems.map(({code}) => code)};
};

test('roots: the data folder of the agent, each listed path, none by default', () => {
	const pathsOf = (env: Readonly<Record<string, string>>) =>
		customHistory.roots(surroundingsOf('/home/me', env)).map(({path}) => path);
	expect(pathsOf({})).toEqual([]);
	expect(pathsOf({CTX_DATA_ROOT: '/ctx', CTX_HISTORY_PLUGIN_PATH: '/a:b:/c/m.json'})).toEqual([
		'/ctx/plugins',
		'/a',
		'/c/m.json',
	]);
});

test('a file has to be what its manifest says', () => {
	manifest({path: 'x.jsonl'});
	write('x.jsonl', HEAD, SOURCE, SESSION);
	expect(found()).toEqual({ids: ['p/a'], codes: []});
	write('x.jsonl', HEAD, HEAD, SOURCE, SESSION);
	expect(found()).toEqual({ids: [], codes: ['unsupported-schema']});
	write('x.jsonl', HEAD, {...SOURCE, source_format: 'g'}, SESSION);
	expect(found()).toEqual({ids: [], codes: ['unsupported-schema']});
	write('x.jsonl', {...HEAD, lineage_contract: 'provider_native_v1'}, SOURCE, SESSION);
	expect(found()).toEqual({ids: [], codes: ['unsupported-schema']});
	write('x.jsonl');
	expect(found()).toEqual({ids: [], codes: ['unsupported-schema']});
});

test('a source with a command is never run', () => {
	manifest({command: ['touch', join(home, 'ran')]});
	expect(found()).toEqual({ids: [], codes: []});
	expect(existsSync(join(home, 'ran'))).toBe(false);
});

test('of a fork the copies count for the ancestor, as long as it has something of its own', () => {
	manifest({path: 'x.jsonl', lineage_contract: 'provider_native_v1'});
	const event = (session_id: string, event_id: string, more: object = {}) => ({
		record_type: 'event',
		source_id: 's',
		session_id,
		event_id,
		event_index: Number(event_id.slice(1)),
		event_type: 'message',
		role: 'user',
		occurred_at: '2026-12-01',
		payload: {text: event_id},
		...more,
	});
	const copied_from = {
		ancestor_native_session_id: 'n1',
		ancestor_event_id: 'r1',
		proof: 'native_copied_from_field',
	};
	const lines = [
		{...HEAD, lineage_contract: 'provider_native_v1'},
		SOURCE,
		{...SESSION, native_session_id: 'n1', session_relationship: 'root'},
		{
			...SESSION,
			session_id: 'b',
			native_session_id: 'n2',
			parent_session_id: 'a',
			session_relationship: 'forked',
		},
		event('a', 'r1'),
		event('b', 'f1', {copied_from}),
	];
	const textsOfFork = () => {
		const env = {CTX_HISTORY_PLUGIN_PATH: join(home, 'plugin', 'ctx-history-plugin.json')};
		const fork = discoverAll(customHistory, surroundingsOf(home, env)).sources[1];
		return fork && readFolded(customHistory, fork).events.map(({text}) => text);
	};
	write('x.jsonl', ...lines);
	expect(textsOfFork()).toEqual(['f1']);
	write('x.jsonl', ...lines, event('b', 'f2'));
	expect(textsOfFork()).toEqual(['f2']);
	write('x.jsonl', ...lines, event('b', 'f2'), event('a', 'r1'));
	expect(textsOfFork()).toEqual(['f1', 'f2']);
});
