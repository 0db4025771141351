import {writeFileSync} from 'node:fs';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {
	type JsonLine,
	type LineItem,
	type LinePosition,
	lineAt,
	type ReadJsonLinesOptions,
	type ReadLinesOptions,
	readJsonLines,
	readLines,
} from '../../../adapters/shared/jsonl.js';
import {SourceUnreadable} from '../../../adapters/types.js';
import {zstdFrame} from '../../helpers/zstd-frame.js';
import {scratchFolder} from './scratch.js';

const scratch = scratchFolder();
const START: LinePosition = {offset: 0, lineNumber: 0};

/** Everything a reader gives, and where it stopped. */
const drain = <T>(reader: Generator<T, LinePosition>): {items: T[]; position: LinePosition} => {
	const items: T[] = [];
	for (;;) {
		const step = reader.next();
		if (step.done === true) return {items, position: step.value};
		items.push(step.value);
	}
};

const linesIn = (content: string | Uint8Array, options?: ReadLinesOptions, from = START) =>
	drain<LineItem>(readLines(scratch.write(content, 'lines'), from, options));

const recordsIn = (content: string | Uint8Array, options?: ReadJsonLinesOptions, from = START) =>
	drain<JsonLine>(readJsonLines(scratch.write(content, 'records'), from, options));

const texts = (items: readonly LineItem[]): readonly string[] =>
	items.map(item => (item.kind === 'line' ? item.text : `long ${item.length}`));

const shapes = (items: readonly JsonLine[]) => items.map(item => item.record ?? item.problem?.code);

/** What a reader without any care for memory would give: numbers and texts of the lines that are ended. */
const naiveLines = (content: Buffer): readonly (readonly [number, string])[] => {
	const lines: (readonly [number, string])[] = [];
	let start = 0;
	for (let number = 1; ; number += 1) {
		const end = content.indexOf(10, start);
		if (end === -1) return lines;
		const text = content
			.subarray(start, end)
			.toString('latin1')
			.replace(/^\0+/, '')
			.replace(/^\u00EF\u00BB\u00BF/, '')
			.replace(/\0+$/, '')
			.replace(/\r$/, '');
		if (!/^[\t-\r ]*$/.test(text)) lines.push([number, Buffer.from(text, 'latin1').toString()]);
		start = end + 1;
	}
};

/** Bytes that are rich in what line readers stumble over. */
const nasty = fc
	.array(
		fc.oneof(
			fc
				.constantFrom(
					'\n',
					'\r\n',
					'\r',
					'\0',
					'\0\0\0',
					'\uFEFF',
					'\u2028',
					'{"a":1}',
					'{"b":"ü😀"}',
					'{"c":"x\u2028y"}',
					'{"d',
					' ',
					'"}',
					'é',
				)
				.map(text => Buffer.from(text)),
			fc.uint8Array({maxLength: 4}).map(bytes => Buffer.from(bytes)),
		),
		{maxLength: 40},
	)
	.map(parts => Buffer.concat(parts));

describe('lines', () => {
	it('are those of a naive split, whatever the chunks', () => {
		fc.assert(
			fc.property(nasty, fc.integer({min: 1, max: 64}), (content, chunkBytes) => {
				const whole = Buffer.concat([content, Buffer.from('\n')]);
				const {items, position} = linesIn(whole, {chunkBytes});
				expect(items.map(item => [item.number, texts([item])[0]])).toEqual(naiveLines(whole));
				expect(position.offset).toBe(whole.length);
				expect(position.lineNumber).toBe(whole.toString('latin1').split('\n').length - 1);
			}),
			{numRuns: 300},
		);
	});

	it('can be read back from their places', () => {
		fc.assert(
			fc.property(nasty, fc.boolean(), (content, isCompressed) => {
				const path = scratch.write(isCompressed ? zstdFrame(content) : content, 'raw');
				for (const item of drain(readLines(path, START)).items) {
					expect([item.number, lineAt(path, item.offset, item.length)]).toEqual([
						item.number,
						texts([item])[0],
					]);
				}
			}),
		);
	});

	it('are the same when a file is read while it grows, cut anywhere', () => {
		fc.assert(
			fc.property(nasty, fc.nat(), fc.boolean(), (content, cut, isCompressed) => {
				const form = (bytes: Uint8Array) => (isCompressed ? zstdFrame(bytes) : bytes);
				const whole = Buffer.concat([content, Buffer.from('\n')]);
				const first = recordsIn(form(whole.subarray(0, cut % whole.length)));
				const second = recordsIn(form(whole), {}, first.position);
				const once = recordsIn(form(whole));
				const records = (items: readonly JsonLine[]) =>
					items.flatMap(({record, number, offset}) =>
						record === undefined ? [] : [{record, number, offset}],
					);
				expect(records([...first.items, ...second.items])).toEqual(records(once.items));
				expect(second.position).toEqual(once.position);
			}),
			{numRuns: 300},
		);
	});

	it('beyond the limit are scanned, whatever the chunks', () => {
		const line = fc.string({maxLength: 60}).map(text => text.replaceAll(/[\n\r\0]/g, '.'));
		const lines = fc.array(
			line.filter(text => text.trim() !== ''),
			{maxLength: 8},
		);
		fc.assert(
			fc.property(lines, fc.integer({min: 1, max: 40}), (content, chunkBytes) => {
				const {items} = linesIn(content.map(text => `${text}\r\n`).join(''), {
					chunkBytes,
					limitBytes: 20,
				});
				const lengths = content.map(text => Buffer.byteLength(text));
				expect(items.map(item => item.length)).toEqual(lengths);
				expect(items.map(item => item.kind)).toEqual(
					lengths.map(length => (length > 20 ? 'long' : 'line')),
				);
				expect(items.map(item => (item.kind === 'long' ? item.head : item.text))).toEqual(content);
			}),
			{numRuns: 300},
		);
	});

	it('of 17 MiB give their first 64 KiB, and the next line is read', () => {
		const long = `{"text":"${'ü'.repeat(9 * 1024 * 1024)}"}`;
		const content = `{"a":1}\n${long}\n{"b":2}\n`;
		const {items, position} = linesIn(content);
		expect(texts(items)).toEqual(['{"a":1}', `long ${Buffer.byteLength(long)}`, '{"b":2}']);
		const [, item] = items;
		expect(item?.kind === 'long' && Buffer.byteLength(item.head)).toBe(64 * 1024 - 1);
		expect(long.startsWith(item?.kind === 'long' ? item.head : '-')).toBe(true);
		expect(position).toEqual({offset: Buffer.byteLength(content), lineNumber: 3});
	});

	it('that are torn wait without being counted', () => {
		const {items, position} = linesIn('{"a":1}\n{"b":');
		expect(texts(items)).toEqual(['{"a":1}']);
		expect(position).toEqual({offset: 8, lineNumber: 1});
		const long = linesIn(`{"a":1}\n${'x'.repeat(100)}`, {limitBytes: 10, chunkBytes: 7});
		expect(long.position).toEqual({offset: 8, lineNumber: 1});
	});

	it('that lack only their end are taken once', () => {
		const path = scratch.write('{"a":1}\n{"b":2}');
		const first = drain(readLines(path, START));
		expect(texts(first.items)).toEqual(['{"a":1}', '{"b":2}']);
		expect(drain(readLines(path, first.position))).toEqual({items: [], position: first.position});
		writeFileSync(path, '{"a":1}\n{"b":2}\n{"c":3}\n');
		const second = drain(readLines(path, first.position));
		expect(second.items).toMatchObject([{text: '{"c":3}', number: 3, offset: 16}]);
	});

	it('after a long run of NUL bytes are found in bounded memory', () => {
		const padding = Buffer.alloc(18 * 1024 * 1024);
		const content = Buffer.concat([Buffer.from('{"a":1}\n'), padding, Buffer.from('{"b":2}\n')]);
		expect(linesIn(content).items).toMatchObject([
			{text: '{"a":1}', number: 1},
			{text: '{"b":2}', number: 2, offset: 8 + padding.length},
		]);
	});
});

describe('records', () => {
	it('never throw and lose nothing else, whatever byte is cut or flipped', () => {
		const good = ['{"n":1,"t":"ü"}', '{"n":2,"t":"x"}', '{"n":3,"t":"y"}'];
		const content = Buffer.from(`${good.join('\n')}\n`);
		for (let place = 0; place < content.length; place += 1) {
			const cut = recordsIn(content.subarray(0, place));
			expect(cut.items.every(item => item.record !== undefined)).toBe(true);
			const flipped = Buffer.from(content);
			flipped[place] = (flipped[place] ?? 0) ^ 0x11;
			const kept = recordsIn(flipped).items.filter(item =>
				good.includes(JSON.stringify(item.record)),
			);
			// A damaged line end takes two lines with it at most, and even then the second is recovered.
			expect(kept.length).toBeGreaterThanOrEqual(2);
		}
	});

	it('that are bad are told with line and place', () => {
		const {items} = recordsIn('{"a":1}\nnot json at all\n[1]\n"text"\n{"b":2}\n');
		expect(shapes(items)).toEqual([
			{a: 1},
			'malformed-line',
			'malformed-line',
			'malformed-line',
			{b: 2},
		]);
		expect(items[1]).toMatchObject({
			number: 2,
			offset: 8,
			length: 15,
			problem: {where: 'line 2, byte 8', detail: 'not a JSON object: not json at all'},
		});
	});

	it('glued behind a torn one are recovered, with their place', () => {
		const torn = Buffer.concat([
			Buffer.from('{"type":"user","message":{"content":[{"text":"ha'),
			Buffer.from([0xc3]), // the first half of a character
		]);
		const whole = '{"type":"assistant","message":{"content":[{"text":"{\\"x\\":1}"}]}}';
		const path = scratch.write(Buffer.concat([torn, Buffer.from(`${whole}\n`)]));
		const {items} = drain(readJsonLines(path, START));
		expect(shapes(items)).toEqual(['malformed-line', JSON.parse(whole)]);
		expect(items.map(item => item.offset)).toEqual([0, torn.length]);
		expect(lineAt(path, torn.length, items[1]?.length ?? 0)).toBe(whole);
	});

	it('glued to each other are all taken', () => {
		const {items} = recordsIn('{"a":1}{"a":2}{"b":3}\0\0{"a":4}\n');
		expect(shapes(items)).toEqual([{a: 1}, {a: 2}, {b: 3}, {a: 4}]);
		expect(items.map(item => item.offset)).toEqual([0, 7, 14, 23]);
		const mixed = recordsIn('{"a":1}{"b":{"c":"to{"d":4}{"e":5}\n');
		expect(shapes(mixed.items)).toEqual([{a: 1}, 'malformed-line', {d: 4}, {e: 5}]);
		expect(shapes(recordsIn('{"a":1} and more\n').items)).toEqual([{a: 1}, 'malformed-line']);
	});

	it('that are hostile do not keep us busy', () => {
		const line = `${'{"a":'.repeat(200_000)}\n`;
		expect(shapes(recordsIn(line.repeat(3)).items)).toEqual([
			'malformed-line',
			'malformed-line',
			'malformed-line',
		]);
	});

	it('that are too long are a problem, unless the adapter makes something of the head', () => {
		const content = `{"type":"big","text":"${'x'.repeat(100)}"}\n{"a":1}\n`;
		expect(shapes(recordsIn(content, {limitBytes: 50}).items)).toEqual(['long-line', {a: 1}]);
		const onLong = (item: {readonly head: string}) => ({head: item.head.slice(0, 13)});
		expect(shapes(recordsIn(content, {limitBytes: 50, onLong}).items)).toEqual([
			{head: '{"type":"big"'},
			{a: 1},
		]);
	});
});

describe('compressed files', () => {
	const content = '{"a":1}\n{"b":"ü"}\n{"c":3}\n';

	it('are told by their first bytes and read alike', () => {
		const frames = [...content].map(character => zstdFrame(character));
		expect(recordsIn(Buffer.concat(frames))).toEqual(recordsIn(content));
		expect(recordsIn(zstdFrame(content), {}, {offset: 8, lineNumber: 1})).toEqual(
			recordsIn(content, {}, {offset: 8, lineNumber: 1}),
		);
	});

	it('that are torn give what is whole, in silence', () => {
		const frame = zstdFrame(content, {blockBytes: 10});
		for (let cut = 0; cut < frame.length; cut += 1) {
			const {items} = recordsIn(frame.subarray(0, cut));
			const isCompressed = cut >= 4;
			if (isCompressed) expect(items.every(item => item.record !== undefined)).toBe(true);
		}
	});

	it('that go on as garbage, or beyond the cap, keep what was read', () => {
		const path = Buffer.concat([zstdFrame(content), Buffer.from('no frame at all')]);
		expect(shapes(recordsIn(path).items)).toEqual([{a: 1}, {b: 'ü'}, {c: 3}, 'truncated']);
		const capped = recordsIn(zstdFrame(content), {capBytes: 10});
		expect(shapes(capped.items)).toEqual([{a: 1}, 'output-cap']);
		expect(capped.position).toEqual({offset: 8, lineNumber: 1});
		const problems: string[] = [];
		linesIn(zstdFrame(content), {capBytes: 10, onProblem: ({code}) => problems.push(code)});
		expect(problems).toEqual(['output-cap']);
	});
});

describe('files', () => {
	it('that are absent or no files cannot be read', () => {
		for (const path of [scratch.folder, `${scratch.folder}/none`]) {
			expect(() => drain(readJsonLines(path, START))).toThrow(SourceUnreadable);
			expect(lineAt(path, 0, 1)).toBeUndefined();
		}
	});

	it('that were rewritten do not give a wrong record', () => {
		const path = scratch.write('{"a":1}\n{"bb":22}\n');
		expect(lineAt(path, 8, 9)).toBe('{"bb":22}');
		writeFileSync(path, '{"a":1}\n{"bbbb":22}\n');
		expect(lineAt(path, 8, 9)).toBeUndefined();
		expect(lineAt(path, 100, 9)).toBeUndefined();
	});
});
