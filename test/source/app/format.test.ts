import {describe, expect, test} from 'vitest';
import {age, ago, count, counted, period, shortPath} from '../../../source/app/format.js';

const now = Date.UTC(2026, 10, 30, 12);
const minute = 60_000;
const day = 24 * 60 * minute;

describe('times', () => {
	test.each([
		[now - 20_000, 'now', 'just now'],
		[now - 5 * minute, '5 min', '5 min ago'],
		[now - 125 * minute, '2 h', '2 h ago'],
		[now - 3 * day, '3 d', '3 d ago'],
		[Date.UTC(2026, 9, 12), '12 Oct', 'on 12 Oct'],
		[Date.UTC(2025, 9, 12), '2025', 'in 2025'],
		// A clock that was set back must not give nonsense.
		[now + 5 * minute, 'now', 'just now'],
	])('%i', (at, short, long) => {
		expect(age(at, now)).toBe(short);
		expect(ago(at, now)).toBe(long);
	});

	test('a session without a time has no age', () => {
		expect(age(null, now)).toBe('');
	});

	test('a period names a day once', () => {
		expect(period(now - 97 * minute, now, now)).toBe('today 10:23 – 12:00');
		expect(period(now - day, now, now)).toBe('yesterday 12:00 – today 12:00');
	});
});

test('numbers', () => {
	expect(count(1_234_567)).toBe('1,234,567');
	expect(counted(1, 'session')).toBe('1 session');
	expect(counted(0, 'session')).toBe('0 sessions');
});

test('paths below the home folder', () => {
	expect(shortPath('/home/kim/a', '/home/kim')).toBe('~/a');
	expect(shortPath('/home/kimono/a', '/home/kim')).toBe('/home/kimono/a');
});
