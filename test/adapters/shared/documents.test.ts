import {describe, expect, it} from 'vitest';
import {createBatch} from '../../../adapters/shared/batch.js';
import {readJsonFile} from '../../../adapters/shared/json-file.js';
import {readRaw} from '../../../adapters/shared/read-raw.js';
import {type Adapter, BATCH_EVENTS, type Source} from '../../../adapters/types.js';
import {scratchFolder} from './scratch.js';

const scratch = scratchFolder();

describe('readJsonFile', () => {
	it('reads a whole document, with a BOM too', () => {
		expect(readJsonFile(scratch.write('\uFEFF{"a":[1]}\n'))).toEqual({value: {a: [1]}});
	});

	it.each([
		['', 'truncated'],
		['{"a":[1', 'truncated'],
		['{"a":nonsense}', 'malformed-line'],
	])('tells what is wrong with %j', (content, code) => {
		const path = scratch.write(content);
		expect(readJsonFile(path)?.problem).toMatchObject({code, where: path});
	});

	it('never throws, wherever the document is cut', () => {
		const content = '{"a":[1,{"b":"ü"}],"c":null}';
		for (let cut = 0; cut < content.length; cut += 1) {
			expect(readJsonFile(scratch.write(content.slice(0, cut), 'cut'))?.problem).toBeDefined();
		}
	});

	it('refuses what is too large or no file, and knows what is absent', () => {
		expect(readJsonFile(scratch.write('[1,2,3]'), 6)?.problem?.code).toBe('limit');
		expect(readJsonFile(scratch.folder)?.problem?.code).toBe('unreadable');
		expect(readJsonFile(`${scratch.folder}/none`)).toBeUndefined();
	});
});

describe('readRaw', () => {
	const path = scratch.write('{"a":1}\n{"b":{"x/y":[7,{"z":"ü"}]}}\n');
	const source: Source = {key: path, path, files: [], mode: 'append'};
	const adapter: Adapter = {
		id: 'test',
		label: 'Test',
		shortLabel: 'Test',
		parserVersion: 1,
		checked: [],
		hasGlobalKeys: false,
		roots: () => [],
		discover: () => [],
		read: () => [],
		resume: () => ({reason: 'none'}),
	};

	it('reads lines of the source or of another file', () => {
		expect(readRaw(adapter, source, {offset: 8, length: 28})).toBe('{"b":{"x/y":[7,{"z":"ü"}]}}');
		const other = scratch.write('{"other":1}\n');
		expect(readRaw(adapter, source, {offset: 0, length: 11, path: other})).toBe('{"other":1}');
	});

	it('reads parts of a document', () => {
		const document = scratch.write('{"b":{"x/y":[7,{"z":"ü"}]}}');
		const part = (pointer: string) => readRaw(adapter, source, {path: document, pointer});
		expect(part('/b/x~1y/1')).toBe('{"z":"ü"}');
		expect(part('')).toBe('{"b":{"x/y":[7,{"z":"ü"}]}}');
		expect(part('/b/gone')).toBeUndefined();
	});

	it('leaves rows, and all else that it has an own way for, to the adapter', () => {
		expect(readRaw(adapter, source, {table: 't', row: 1})).toBeUndefined();
		const own = {...adapter, raw: () => 'own'};
		expect(readRaw(own, source, {offset: 0, length: 7})).toBe('own');
	});
});

describe('createBatch', () => {
	const locator = {offset: 0, length: 1};
	const cursor = {offset: 10, lineNumber: 1, state: null};

	it('keeps session and facts, and gives everything else once', () => {
		const batch = createBatch('');
		batch.setSession('s1');
		batch.patch({customTitle: 'one', branch: 'main'});
		batch.patch({customTitle: null, model: 'm'});
		batch.event({key: 'k', kind: 'message', role: 'user', text: 'hi', locator});
		batch.usage({key: 'u', input: 1, output: 2, cacheRead: 3, cacheWrite: 4});
		batch.problem({code: 'malformed-line', detail: 'x'});
		batch.unknown('new');
		batch.unknown('new');
		batch.unknown('__proto__');
		batch.undo('k');
		batch.undo('a', 'b');
		const facts = {customTitle: null, branch: 'main', model: 'm'};
		expect(batch.facts()).toEqual(facts);
		const taken = batch.take(cursor);
		expect(taken).toMatchObject({
			sessionId: 's1',
			facts,
			events: [{key: 'k'}],
			usage: [{key: 'u'}],
			problems: [{detail: 'x'}],
			undo: [{fromKey: 'k'}, {fromKey: 'a', toKey: 'b'}],
			cursor,
		});
		expect(Object.entries(taken.unknown)).toEqual([
			['new', 2],
			['__proto__', 1],
		]);
		expect(batch.take(cursor)).toEqual({
			sessionId: 's1',
			facts,
			events: [],
			usage: [],
			problems: [],
			unknown: {},
			undo: [],
			cursor,
		});
	});

	it('is full by number or by text, and empty again after take', () => {
		const batch = createBatch('s');
		for (let index = 0; index < BATCH_EVENTS; index += 1) {
			expect(batch.isFull()).toBe(false);
			batch.event({key: String(index), kind: 'meta', text: '', locator});
		}
		expect(batch.isFull()).toBe(true);
		batch.take(cursor);
		expect(batch.isFull()).toBe(false);
		batch.event({key: 'x', kind: 'message', role: 'user', text: 'x'.repeat(4_000_000), locator});
		expect(batch.isFull()).toBe(true);
		batch.take(cursor);
		for (let index = 0; index < BATCH_EVENTS; index += 1) {
			batch.problem({code: 'malformed-line', detail: ''});
		}
		expect(batch.isFull()).toBe(true);
	});
});
