import {mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {adapters} from '../../../adapters/registry.js';
import {type FileReading, readImport} from '../../../source/import/read-file.js';
import {claudeTranscript} from '../../helpers/command-line.js';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'backscroll-import-'));
});
afterEach(() => rmSync(folder, {recursive: true}));

const file = (name: string, ...lines: readonly unknown[]): string => {
	const path = join(folder, name);
	writeFileSync(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
	return path;
};
const read = (path: string, from?: string): FileReading => readImport(path, {adapters, from});
const texts = ({sessions}: FileReading): readonly (readonly string[])[] =>
	sessions.map(({batches}) => batches.flatMap(({events}) => events.map(({text}) => text)));

const ID = '0a1b2c3d-1111-4111-8111-111111111111';

describe('a transcript from anywhere', () => {
	it('of Claude Code is known by its records, whatever its name', () => {
		const path = join(folder, 'talk.txt');
		writeFileSync(
			path,
			claudeTranscript({id: ID, cwd: '/w'}, [{role: 'user', text: 'how do terns fly'}]),
		);
		expect(read(path)).toMatchObject({
			format: 'transcript',
			sessions: [{agent: 'claude-code', originalId: ID}],
		});
		expect(texts(read(path))).toEqual([['how do terns fly']]);
	});

	it('of Codex', () => {
		const path = file(
			'talk.jsonl',
			{
				timestamp: '2026-11-01T10:00:00Z',
				type: 'session_meta',
				payload: {id: ID, cwd: '/w', originator: 'cli'},
			},
			{
				timestamp: '2026-11-01T10:00:01Z',
				type: 'response_item',
				payload: {
					type: 'message',
					role: 'user',
					content: [{type: 'input_text', text: 'how do terns fly'}],
				},
			},
		);
		expect(read(path).sessions).toMatchObject([{agent: 'codex', originalId: ID}]);
		expect(texts(read(path)).flat()).toContain('how do terns fly');
	});

	it('of Gemini CLI, and of a fork when it is named', () => {
		const head = {
			sessionId: ID,
			projectHash: 'abc',
			startTime: '2026-11-01T10:00:00Z',
			lastUpdated: '2026-11-01T10:00:00Z',
		};
		const message = {
			id: 'm1',
			timestamp: '2026-11-01T10:00:01Z',
			type: 'user',
			content: 'how do terns fly',
		};
		const path = file('talk.jsonl', head, message);
		expect(read(path).sessions).toMatchObject([{agent: 'gemini-cli', originalId: ID}]);
		expect(read(path, 'tabnine-cli').sessions).toMatchObject([{agent: 'tabnine-cli'}]);
		const document = file('talk.json', {...head, messages: [message]});
		expect(texts(read(document)).flat()).toContain('how do terns fly');
	});

	it('of Qwen Code', () => {
		const path = file('talk.jsonl', {
			uuid: 'u1',
			parentUuid: null,
			sessionId: ID,
			timestamp: '2026-11-01T10:00:01Z',
			type: 'user',
			cwd: '/w',
			version: '0.24.4',
			message: {role: 'user', parts: [{text: 'how do terns fly'}]},
		});
		expect(read(path).sessions).toMatchObject([{agent: 'qwen-code', originalId: ID}]);
		expect(texts(read(path)).flat()).toContain('how do terns fly');
	});

	it('that nobody knows is refused, and so is one of another agent', () => {
		expect(() => read(file('a.jsonl', {hello: 'world'}))).toThrow(/no transcript that any agent/);
		expect(() => read(file('a.jsonl', {hello: 'world'}), 'codex')).toThrow(
			/no transcript of Codex/,
		);
		expect(() => read(file('a.jsonl', {hello: 'world'}), 'opencode')).toThrow(/cannot be imported/);
	});
});

describe('what is not trusted', () => {
	it('links, folders, and what is not there', () => {
		const path = file('a.jsonl', {});
		symlinkSync(path, join(folder, 'link'));
		mkdirSync(join(folder, 'sub'));
		expect(() => read(join(folder, 'link'))).toThrow(/is a link/);
		expect(() => read(join(folder, 'sub'))).toThrow(/no regular file/);
		expect(() => read(join(folder, 'none'))).toThrow(/not there/);
	});

	it('files that are too large or too deep', () => {
		const path = file('a.jsonl', {});
		truncateSync(path, 129 * 2 ** 20);
		expect(() => read(path)).toThrow(/larger than 128 MB/);
		const deep = join(folder, 'deep.json');
		writeFileSync(deep, `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`);
		expect(() => read(deep)).toThrow(/deeper than 200/);
	});
});

describe('Custom History', () => {
	const manifest = {record_type: 'manifest', schema_version: 'ctx-history-jsonl-v1'};
	const source = {
		record_type: 'source',
		source_id: 's',
		provider_key: 'my-agent',
		source_format: 'x',
	};
	const session = (id: string, more: object = {}) => ({
		record_type: 'session',
		source_id: 's',
		session_id: id,
		started_at: '2026-06-23T12:00:00Z',
		...more,
	});
	const event = (id: string, index: unknown, more: object = {}) => ({
		record_type: 'event',
		source_id: 's',
		session_id: id,
		event_index: index,
		occurred_at: '2026-06-23T12:00:01Z',
		event_type: 'message',
		role: 'user',
		payload: {text: `event ${index}`},
		...more,
	});

	it('gives each session its events in their order, with kinds', () => {
		const reading = read(
			file(
				'h.jsonl',
				event('b', 1, {role: 'assistant', payload: 'a plain text'}),
				manifest,
				source,
				session('a', {cwd: '/w'}),
				session('b'),
				event('b', 0, {event_id: 'e:0'}),
				event('a', 0, {
					event_type: 'tool_call',
					role: 'tool',
					payload: {tool: 'run', args: {x: 1}},
				}),
				event('a', 1, {event_type: 'message', role: 'system'}),
				event('a', 2, {
					event_type: 'message',
					role: 'assistant',
					payload: {type: 'thinking', text: 'hm'},
				}),
			),
		);
		expect(reading).toMatchObject({format: 'custom-history', problems: []});
		expect(texts(reading)).toEqual([
			['x: 1', 'event 1', 'hm'],
			['event 0', 'a plain text'],
		]);
		expect(reading.sessions[0]).toMatchObject({agent: 'my-agent', originalId: 'a'});
		expect(reading.sessions[0]?.batches[0]?.events).toMatchObject([
			{kind: 'tool_use', tool: {name: 'run'}},
			{kind: 'meta'},
			{kind: 'reasoning'},
		]);
		expect(reading.sessions[1]?.batches[0]?.events[0]).toMatchObject({key: 'e%3A0', role: 'user'});
	});

	it('names bad records by their line and keeps the rest', () => {
		const path = file(
			'h.jsonl',
			manifest,
			source,
			session('a'),
			event('a', '0'),
			event('nowhere', 0),
			{record_type: 'surprise'},
			event('a', 1),
		);
		const reading = read(path);
		const problems = reading.sessions.flatMap(({batches}) => batches.flatMap(one => one.problems));
		expect(problems.map(({where}) => where).toSorted()).toEqual(['line 4', 'line 5', 'line 6']);
		expect(texts(reading)).toEqual([['event 1']]);
	});

	it('leaves out what a fork proves to have from its ancestor, and nothing else', () => {
		const native = {...manifest, lineage_contract: 'provider_native_v1'};
		const copy = {
			copied_from: {
				ancestor_native_session_id: 'n-a',
				ancestor_event_id: 'e0',
				proof: 'native_event_identity',
			},
		};
		const lines = (head: object, claim: object) => [
			head,
			source,
			session('a', {native_session_id: 'n-a', session_relationship: 'root'}),
			session('b', {
				native_session_id: 'n-b',
				session_relationship: 'forked',
				parent_session_id: 'a',
			}),
			event('a', 0, {event_id: 'e0'}),
			event('b', 0, {event_id: 'e0', ...claim}),
			event('b', 1, {event_id: 'e1'}),
		];
		const ofFork = (...all: readonly object[]) => texts(read(file('h.jsonl', ...all)))[1];
		const [parent, fork] = read(file('h.jsonl', ...lines(native, copy))).sessions;
		expect(fork?.batches[0]?.facts.parent).toEqual({
			id: parent?.nativeId,
			relation: 'fork',
			certainty: 'exact',
		});
		expect(ofFork(...lines(native, copy))).toEqual(['event 1']);
		expect(ofFork(...lines(manifest, copy))).toEqual(['event 0', 'event 1']);
		const guess = {copied_from: {...copy.copied_from, proof: 'same_text'}};
		expect(ofFork(...lines(native, guess))).toEqual(['event 0', 'event 1']);
	});

	it('needs one manifest of a version that is known', () => {
		expect(() => read(file('h.jsonl', manifest, manifest))).toThrow(/one manifest record/);
		expect(() => read(file('h.jsonl', {...manifest, schema_version: 'v9'}))).toThrow(
			/schema version is not known/,
		);
	});
});
