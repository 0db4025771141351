import fc from 'fast-check';
import {expect, test} from 'vitest';
import {isExtension, unpack} from '../../../adapters/shared/msgpack.js';

const value = (hex: string): unknown => unpack(Buffer.from(hex, 'hex'))?.value;

test.each([
	['c0', null],
	['c2', false],
	['c3', true],
	['7f', 127],
	['ff', -1],
	['cc80', 128],
	['cd0100', 256],
	['ce00010000', 65_536],
	['cf0000000100000000', 2 ** 32],
	['d080', -128],
	['d1ff00', -256],
	['d2ffff0000', -65_536],
	['d3ffffffff00000000', -(2 ** 32)],
	['ca3fc00000', 1.5],
	['cb3ff8000000000000', 1.5],
	['a3e8a8ad', '設'],
	['d903616263', 'abc'],
	['da0003616263', 'abc'],
	['db00000003616263', 'abc'],
	['920102', [1, 2]],
	['dc00020102', [1, 2]],
	['82a16101a16202', {a: 1, b: 2}],
	['de0001a16101', {a: 1}],
	['82a16101a16102', {a: 2}],
])('%s', (hex, expected) => {
	expect(value(hex)).toEqual(expected);
});

test('binary and extensions are bytes', () => {
	expect(Buffer.from(value('c4020102') as Uint8Array).toString('hex')).toBe('0102');
	for (const hex of ['d505 0102', 'c70205 0102', 'c8000205 0102']) {
		const found = value(hex.replace(' ', ''));
		expect(isExtension(found) && [found.extension, ...found.data]).toEqual([5, 1, 2]);
	}
});

test('a key that objects have already is one like others', () => {
	const found = value('81a95f5f70726f746f5f5f81a16101');
	expect(Object.hasOwn(found as object, '__proto__')).toBe(true);
	expect(found).not.toHaveProperty('a');
});

test('what is cut off, followed by more, or nested without an end is none', () => {
	for (const hex of ['', '93c7ff0594', 'c1', '0101', 'ddffffffff']) {
		expect(unpack(Buffer.from(hex, 'hex')), hex).toBeUndefined();
	}
	expect(unpack(Buffer.alloc(100_000, 0x91))).toBeUndefined();
});

test('never throws, whatever the bytes', () => {
	fc.assert(
		fc.property(fc.uint8Array({maxLength: 64}), bytes => {
			const found = unpack(bytes);
			expect(found === undefined || 'value' in found).toBe(true);
		}),
	);
});
