import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {
	base64Bytes,
	capText,
	jsonText,
	oneLine,
	placeholder,
	sizeLabel,
} from '../../../adapters/shared/content.js';
import {at, isRecord, listOf, numberOf, recordOf, textOf} from '../../../adapters/shared/narrow.js';
import {timeMs} from '../../../adapters/shared/time.js';

const NOON = Date.UTC(2026, 10, 30, 12, 0, 0, 250);

describe('timeMs', () => {
	it.each([
		['2026-11-30T12:00:00.250Z', NOON],
		['2026-11-30T12:00:00.250999999Z', NOON],
		['2026-11-30 12:00:00,25', NOON],
		['2026-11-30T13:00:00.250+01:00', NOON],
		['2026-11-30T06:30:00.250-0530', NOON],
		['2026-11-30T12:00:00.25 UTC', NOON],
		['2026-11-30T12:00', NOON - 250],
		['2026-11-30', Date.UTC(2026, 10, 30)],
		[NOON / 1000, NOON],
		[NOON, NOON],
		[NOON * 1000, NOON],
		[BigInt(NOON) * 1_000_000n, NOON],
		[String(NOON), NOON],
		[` ${Math.floor(NOON / 1000)} `, NOON - 250],
		[`${Math.floor(NOON / 1000)}.25`, NOON],
	])('reads %s', (value, expected) => {
		expect(timeMs(value)).toBe(expected);
	});

	it.each([
		0,
		-1,
		42,
		Number.NaN,
		Number.POSITIVE_INFINITY,
		'',
		'yesterday',
		'1',
		'0001-01-01T00:00:00Z',
		'2026-13-45T99:99:99Z',
		'2026',
		'9'.repeat(30),
		null,
		undefined,
		{},
		true,
	])('takes %s for no time', value => {
		expect(timeMs(value)).toBeUndefined();
	});
});

describe('narrowing', () => {
	it('follows own keys only', () => {
		const value = {a: [{b: 1}], length: 0};
		expect(at(value, 'a', 0, 'b')).toBe(1);
		expect(at(value, 'a', 1, 'b')).toBeUndefined();
		expect(at(value, 'constructor', 'name')).toBeUndefined();
		expect(at('text', 'length')).toBeUndefined();
		expect(at(value)).toBe(value);
	});

	it('never passes on a wrong shape', () => {
		expect(isRecord([])).toBe(false);
		expect(isRecord(null)).toBe(false);
		expect(listOf({length: 1})).toEqual([]);
		expect(recordOf('x')).toEqual({});
		expect(textOf(' \n')).toBeUndefined();
		expect(textOf(' a ')).toBe(' a ');
		expect(numberOf(Number.NaN)).toBeUndefined();
	});
});

describe('placeholders', () => {
	it('names what was there', () => {
		expect(placeholder('image', {mediaType: 'image/png', sizeBytes: 150_000})).toBe(
			'[image png, 150 KB]',
		);
		expect(placeholder('image')).toBe('[image]');
		expect(placeholder('image', {mediaType: 'image/svg+xml'})).toBe('[image svg]');
		expect(placeholder('document', {mediaType: 'application/pdf', name: 'a\nb.pdf'})).toBe(
			'[document a b.pdf]',
		);
	});

	it.each([
		[0, '0 B'],
		[812, '812 B'],
		[1024, '1 KB'],
		[1_400_006, '1.4 MB'],
		[70_000_320, '70 MB'],
		[5e12, '5000 GB'],
	])('writes %s bytes as %s', (bytes, label) => {
		expect(sizeLabel(bytes)).toBe(label);
	});

	it('tells the size of base64 without decoding it', () => {
		fc.assert(
			fc.property(fc.uint8Array({maxLength: 50}), bytes => {
				const text = Buffer.from(bytes).toString('base64');
				expect(base64Bytes(text)).toBe(bytes.length);
				expect(base64Bytes(`data:image/png;base64,${text}`)).toBe(bytes.length);
			}),
		);
	});
});

describe('cuts', () => {
	it('never halve a character or exceed the limit', () => {
		fc.assert(
			fc.property(fc.string({unit: 'grapheme'}), fc.integer({min: 1, max: 30}), (text, max) => {
				const line = oneLine(text, max);
				expect(line.length).toBeLessThanOrEqual(max);
				expect(line.isWellFormed()).toBe(true);
				expect(line).not.toMatch(/\s\s|\n/);
				const cut = capText(text, max);
				expect(text.startsWith(cut.text)).toBe(true);
				expect(cut.text.isWellFormed()).toBe(true);
				expect(cut.fullLength).toBe(text.length > max ? text.length : undefined);
			}),
		);
	});

	it('marks a cut line, and only that', () => {
		expect(oneLine('  a\n\t b  ')).toBe('a b');
		expect(oneLine('abcdef', 4)).toBe('abc…');
		expect(oneLine(`a${' '.repeat(100)}`, 4)).toBe('a');
		expect(oneLine(`a${' '.repeat(100)}b`, 4)).toBe('a…');
	});

	it('writes JSON of any depth without overflow', () => {
		const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
		expect(jsonText(deep)).toBe('[nested too deeply]');
		expect(jsonText({a: [1, {b: null}]})).toBe('{"a":[1,{"b":null}]}');
		expect(jsonText(undefined)).toBe('');
	});
});
