/** The statistics as rows with bars of plain characters, for the screen and for `stats`. Pure. */
import type {Stats, StatsRow} from '../../store/library.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Line} from '../terminal/spans.js';
import {pad, widthOf, wrap} from '../terminal/width.js';
import {count, counted, shortDay} from './format.js';

export interface StatsLook {
	readonly columns: number;
	readonly isUnicode: boolean;
	readonly agentLabel: (agent: string) => string;
}

const units = [
	[1e9, 'G'],
	[1e6, 'M'],
	[1e3, 'k'],
] as const;

/** `950`, `12 k`, `1.4 M` */
export const tokenCount = (value: number): string => {
	const unit = units.find(([size]) => value >= size);
	if (!unit) return count(value);
	const shown = value / unit[0];
	return `${shown < 10 ? shown.toFixed(1) : count(shown)} ${unit[1]}`;
};

const spent = ({input, output}: StatsRow): number => input + output;

const dollars = (value: number | null): string => (value === null ? '' : `$${value.toFixed(2)}`);

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const;

/** A bar of at most `columns`; whatever is more than nothing is seen. */
export const barOf = (share: number, columns: number, isUnicode: boolean): string => {
	const whole = Math.max(0, Math.min(1, share)) * columns;
	if (!isUnicode) return '#'.repeat(share > 0 ? Math.max(1, Math.round(whole)) : 0);
	const full = Math.floor(whole);
	const part = eighths[Math.floor((whole - full) * 8)] ?? '';
	const bar = '█'.repeat(full) + part;
	return bar === '' && share > 0 ? '▏' : bar;
};

const numberColumns = {sessions: 9, prompts: 9, tokens: 9, cost: 10} as const;

const numbers = (row: StatsRow, hasCost: boolean, columns: number): Line => {
	const {sessions, prompts, tokens, cost} = numberColumns;
	const isWide = columns >= 60;
	return [
		{text: pad(count(row.sessions), sessions, 'right')},
		...(isWide ? [{text: pad(count(row.prompts), prompts, 'right')}] : []),
		{text: pad(tokenCount(spent(row)), tokens, 'right')},
		...(hasCost && isWide ? [{text: pad(dollars(row.costUsd), cost, 'right')}] : []),
	];
};

const headLine = (title: string, hasCost: boolean, {columns}: StatsLook): Line => {
	const {sessions, prompts, tokens, cost} = numberColumns;
	const isWide = columns >= 60;
	const label = labelColumns(columns);
	return [
		{text: pad(`  ${title}`, label + 2), style: 'heading'},
		{
			text:
				pad('sessions', sessions, 'right') +
				(isWide ? pad('prompts', prompts, 'right') : '') +
				pad('tokens', tokens, 'right') +
				(hasCost && isWide ? pad('cost', cost, 'right') : ''),
			style: 'dim',
		},
	];
};

const labelColumns = (columns: number): number => (columns >= 80 ? 26 : columns >= 60 ? 18 : 14);

interface Section {
	readonly title: string;
	readonly rows: readonly StatsRow[];
	readonly labelOf: (row: StatsRow) => string;
	/** The rest is summed up in one line. */
	readonly limit: number;
}

const sectionLines = (
	{title, rows, labelOf, limit}: Section,
	hasCost: boolean,
	look: StatsLook,
): readonly Line[] => {
	if (rows.length === 0) return [];
	const {columns, isUnicode} = look;
	const shown = rows.slice(0, limit);
	const hasTokens = rows.some(row => spent(row) > 0);
	const weight = (row: StatsRow): number => (hasTokens ? spent(row) : row.sessions);
	const most = Math.max(1, ...shown.map(weight));
	const lines = shown.map((row): Line => {
		const label: Line = [
			{text: '  '},
			{text: pad(sanitizeLine(labelOf(row)) || 'unknown', labelColumns(columns))},
		];
		const facts = numbers(row, hasCost, columns);
		const used = [...label, ...facts].reduce((sum, {text}) => sum + widthOf(text), 0);
		const room = Math.max(0, Math.min(50, columns - used - 4));
		const bar = barOf(weight(row) / most, room, isUnicode);
		return [...label, ...facts, {text: `  ${bar}`, style: 'accent'}];
	});
	const more: readonly Line[] =
		rows.length > limit ? [[{text: `  and ${count(rows.length - limit)} more`, style: 'dim'}]] : [];
	return [[], headLine(title, hasCost, look), ...lines, ...more];
};

const manyDays = 45;

const sum = (a: StatsRow, b: StatsRow): StatsRow => ({
	...a,
	sessions: a.sessions + b.sessions,
	prompts: a.prompts + b.prompts,
	input: a.input + b.input,
	output: a.output + b.output,
	cacheRead: a.cacheRead + b.cacheRead,
	cacheWrite: a.cacheWrite + b.cacheWrite,
	costUsd: a.costUsd === null && b.costUsd === null ? null : (a.costUsd ?? 0) + (b.costUsd ?? 0),
});

/** Months instead of more days than anybody reads. */
const spans = (
	days: readonly StatsRow[],
): {readonly title: string; readonly rows: readonly StatsRow[]} => {
	const first = Date.parse(days[0]?.value ?? '');
	const last = Date.parse(days.at(-1)?.value ?? '');
	if (!(last - first > manyDays * 86_400_000)) return {title: 'Days', rows: days};
	const months = new Map<string, StatsRow>();
	for (const day of days) {
		const value = day.value.slice(0, 7);
		const known = months.get(value);
		months.set(value, known ? sum(known, day) : {...day, value, label: value});
	}
	return {title: 'Months', rows: [...months.values()]};
};

const dayLabel = ({value}: StatsRow): string =>
	value.length === 10 ? shortDay(new Date(`${value}T12:00:00`).getTime()) : value;

/** What the history adds up to. */
export const statsLines = (stats: Stats, look: StatsLook): readonly Line[] => {
	const {total, automated, subagents} = stats;
	const hasCost = total.costUsd !== null;
	const dot = look.isUnicode ? ' · ' : ' - ';
	const facts = [
		counted(total.sessions, 'session') + (automated > 0 ? ` (${count(automated)} automated)` : ''),
		...(subagents > 0 ? [counted(subagents, 'sub-agent')] : []),
		counted(total.prompts, 'prompt'),
		`${tokenCount(total.input)} tokens in`,
		`${tokenCount(total.output)} out`,
		`${tokenCount(total.cacheRead)} from cache`,
		...(hasCost ? [dollars(total.costUsd)] : []),
	];
	const time = spans(stats.byDay);
	const sections: readonly Section[] = [
		{
			title: 'Agents',
			rows: stats.byAgent,
			labelOf: ({value}) => look.agentLabel(value),
			limit: 20,
		},
		{title: 'Projects', rows: stats.byProject, labelOf: ({label}) => label, limit: 12},
		{title: 'Models', rows: stats.byModel, labelOf: ({label}) => label, limit: 12},
		// The newest first: that is what one looks for.
		{title: time.title, rows: time.rows.toReversed(), labelOf: dayLabel, limit: 60},
	];
	return [
		...wrap(facts.join(dot), Math.max(8, look.columns - 4)).map(row => [{text: `  ${row}`}]),
		...sections.flatMap(section => sectionLines(section, hasCost, look)),
	];
};
