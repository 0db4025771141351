import fc from 'fast-check';
import {expect, test} from 'vitest';
import {barOf, statsLines, tokenCount} from '../../../source/app/stats-lines.js';
import {lineWidth, widthOf} from '../../../source/terminal/width.js';
import type {Stats, StatsRow} from '../../../store/library.js';
import {rowText} from '../../helpers/rows.js';

const row = (value: string, change: Partial<StatsRow> = {}): StatsRow => ({
	value,
	label: value,
	sessions: 1,
	prompts: 2,
	input: 0,
	output: 0,
	cacheRead: 0,
	cacheWrite: 0,
	costUsd: null,
	...change,
});

const stats = (change: Partial<Stats> = {}): Stats => ({
	total: row('', {label: 'all'}),
	automated: 0,
	subagents: 0,
	byDay: [],
	byAgent: [],
	byProject: [],
	byModel: [],
	...change,
});

const look = {columns: 100, isUnicode: true, agentLabel: (agent: string) => `the ${agent}`};

test.each([
	[950, '950'],
	[1_400, '1.4 k'],
	[12_300, '12 k'],
	[1_400_000, '1.4 M'],
	[3_000_000_000, '3.0 G'],
])('%i tokens are %s', (value, text) => {
	expect(tokenCount(value)).toBe(text);
});

test('the longest bar is that of the most, and what is little is still seen', () => {
	const text = statsLines(
		stats({byAgent: [row('codex', {output: 1_000_000}), row('amp', {output: 1})]}),
		look,
	).map(rowText);
	const bars = text.map(line => /[█▏▎▍▌▋▊▉]+$/.exec(line)?.[0] ?? '').filter(bar => bar !== '');
	expect(bars.map(widthOf)).toEqual([41, 1]);
	expect(text.join('\n')).toContain('the codex');
});

test('without any tokens the bars count sessions', () => {
	const text = statsLines(
		stats({byAgent: [row('a', {sessions: 4}), row('b', {sessions: 1})]}),
		look,
	);
	const bars = text.flatMap(line => /█+/.exec(rowText(line))?.[0].length ?? []);
	expect(bars).toEqual([41, 10]);
});

test('many days are summed up by months, the newest first', () => {
	const days = ['2026-01-05', '2026-01-20', '2026-04-01'].map(day => row(day, {output: 10}));
	const text = statsLines(stats({byDay: days}), look)
		.map(rowText)
		.join('\n');
	expect(text).toMatch(/Months[\s\S]*2026-04 +1 +2 +10[\s\S]*2026-01 +2 +4 +20/);
});

test('no row is wider than the screen, and ASCII stays ASCII', () => {
	const any = fc.record({
		columns: fc.integer({min: 40, max: 200}),
		isUnicode: fc.boolean(),
		name: fc.string({unit: 'grapheme'}),
		tokens: fc.nat(10_000_000_000),
	});
	fc.assert(
		fc.property(any, ({columns, isUnicode, name, tokens}) => {
			const of = row(name, {output: tokens, costUsd: tokens / 7});
			const all = stats({total: of, byProject: [of], byModel: [of]});
			for (const line of statsLines(all, {...look, columns, isUnicode}))
				expect(lineWidth(line)).toBeLessThanOrEqual(columns);
		}),
	);
	expect(barOf(0.5, 10, false)).toBe('#####');
	expect(barOf(0, 10, true)).toBe('');
});
