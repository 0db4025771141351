import {describe, expect, it} from 'vitest';
import {readDate} from '../../../store/search/dates.js';

const NOW = new Date(2026, 10, 30, 12).getTime();
const day = (year: number, month: number, date: number) =>
	new Date(year, month - 1, date).getTime();

describe('readDate', () => {
	it.each([
		['3h', 3],
		['2d', 48],
		['1w', 168],
		['2D', 48],
	])('%s ago', (text, hours) => {
		expect(readDate(text, NOW)).toEqual({kind: 'point', atMs: NOW - hours * 3_600_000});
	});

	it.each([
		['today', day(2026, 11, 30), day(2026, 12, 1)],
		['yesterday', day(2026, 11, 29), day(2026, 11, 30)],
		['2026-11-01', day(2026, 11, 1), day(2026, 11, 2)],
		['2026-11', day(2026, 11, 1), day(2026, 12, 1)],
		['2026-12-31', day(2026, 12, 31), day(2027, 1, 1)],
	])('%s is a local day or month', (text, fromMs, toMs) => {
		expect(readDate(text, NOW)).toEqual({kind: 'span', fromMs, toMs});
	});

	it.each(['', '2', '2026', '2026-', '2026-13', '2026-02-30', '2x', 'tomorrow', '99999999d'])(
		'%j is no date',
		text => {
			expect(readDate(text, NOW)).toBeUndefined();
		},
	);
});
