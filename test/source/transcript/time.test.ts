import {describe, expect, test} from 'vitest';
import {formatClock, formatDuration, formatGap, isoDay} from '../../../source/transcript/time.js';

const at = (day: number, hour: number, minute = 0) =>
	new Date(2026, 10, day, hour, minute).getTime();

test.each([
	[-5, '0 ms'],
	[320, '320 ms'],
	[3240, '3.2 s'],
	[9990, '9.9 s'],
	[59_999, '59 s'],
	[38 * 60_000, '38 min'],
	[7_500_000, '2 h 5 min'],
	[7_200_000, '2 h'],
	[86_400_000, '1 day'],
	[3 * 86_400_000, '3 days'],
])('%i ms is %s', (ms, words) => {
	expect(formatDuration(ms)).toBe(words);
});

describe('between two events', () => {
	test.each([
		['a short pause is not worth a word', at(1, 10), at(1, 10, 14), null],
		['a long one is', at(1, 10), at(1, 10, 38), '38 min later'],
		['a new day is named even after a moment', at(1, 23, 58), at(2, 0, 1), '2 Nov 2026'],
		['and with the pause when that was long', at(1, 20), at(3, 9), '3 Nov 2026, 1 day later'],
		['a clock that was set back says nothing', at(2, 10), at(1, 10), null],
		['without times there is nothing to say', null, at(1, 10), null],
		['nor without the second', at(1, 10), null, null],
	])('%s', (_, previous, next, words) => {
		expect(formatGap(previous, next)).toBe(words);
	});
});

test('days and clocks are local', () => {
	expect(`${isoDay(at(1, 9, 5))} ${formatClock(at(1, 9, 5))}`).toBe('2026-11-01 09:05');
});
