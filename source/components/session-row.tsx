import {memo} from 'react';
import type {SearchTerm} from '../../store/search/match.js';
import type {Match} from '../../store/types.js';
import {age, count, dayName} from '../app/format.js';
import {markTerms} from '../app/query-marks.js';
import type {Heading, ListItem} from '../app/selectors.js';
import {useTheme} from '../hooks/use-theme.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Line, Span, StyleName} from '../terminal/spans.js';
import type {Theme} from '../terminal/theme.js';
import {cut, cutLine, lineWidth, pad, widthOf} from '../terminal/width.js';
import {markRanges} from '../transcript/matches.js';
import {Spans} from './spans.js';

interface SessionRowProps {
	readonly item: ListItem;
	readonly agent: string;
	readonly agentStyle: StyleName;
	readonly isSelected: boolean;
	/** Chosen, to act upon it together with others. */
	readonly isMarked: boolean;
	readonly hasMatchLine: boolean;
	readonly isDirectoryMissing: boolean;
	readonly columns: number;
	readonly nowMs: number;
	/** Marked in texts whose match positions do not fit the shown form. */
	readonly terms: readonly SearchTerm[];
}

/** From here on a column at the left is free. */
const marginFromColumns = 56;
/** The blank behind the label is in it. */
const agentColumnsFor = (columns: number): number => (columns >= marginFromColumns ? 9 : 8);

const agentLabel = (agent: string, columns: number): string =>
	`${pad(agent, agentColumnsFor(columns) - 1)} `;
const ageColumns = 7;
const messagesColumns = 6;
/** Written within the last moments: its agent is probably still at it. */
const liveMs = 60_000;

const projectColumns = (columns: number): number => (columns >= 90 ? 16 : columns >= 66 ? 13 : 0);

/** Positions count in the text as the agent wrote it; they hold as long as nothing had to be cleaned out of it. */
const marked = (
	{text, style}: Span,
	raw: string,
	{matches, terms}: {readonly matches: readonly Match[]; readonly terms: readonly SearchTerm[]},
): Line => {
	const line: Line = [style === undefined ? {text} : {text, style}];
	return text === raw ? markRanges(line, matches) : markTerms(line, terms);
};

const badges = (
	{item: {session}, isDirectoryMissing, isMarked, columns, nowMs}: SessionRowProps,
	theme: Theme,
): Line => {
	const isLive =
		session.isRunning || nowMs - (session.updatedAtMs ?? Number.NEGATIVE_INFINITY) < liveMs;
	const all: readonly Span[] = [
		...(isMarked && columns < marginFromColumns
			? [{text: theme.symbol('ok'), style: 'success'} as const]
			: []),
		...(session.starred ? [{text: theme.symbol('star'), style: 'badge'} as const] : []),
		...(isLive ? [{text: theme.symbol('live'), style: 'success'} as const] : []),
		...(isDirectoryMissing ? [{text: theme.symbol('warning'), style: 'warning'} as const] : []),
		...(session.sourceState === 'deleted'
			? [{text: theme.symbol('deleted'), style: 'warning'} as const]
			: []),
		...(session.children > 0
			? [{text: `${theme.symbol('children')}${session.children}`, style: 'dim'} as const]
			: []),
	];
	return all.flatMap(span => [{text: ' '}, span]);
};

const titleLine = (props: SessionRowProps, theme: Theme): Line => {
	const {item, agent, isSelected, isMarked, columns, nowMs, terms} = props;
	const {session} = item;
	const hasMargin = columns >= marginFromColumns;
	const bar: Line = [
		{text: hasMargin ? (isMarked ? theme.symbol('ok') : ' ') : '', style: 'success'},
		{text: isSelected ? theme.symbol('selection') : ' ', style: 'accent'},
	];
	const branch = theme.isUnicode ? '└ ' : '- ';
	const label = item.kind === 'child' ? agentLabel('', columns) : agentLabel(agent, columns);
	const project = projectColumns(columns);
	const right: Line = [
		...(project > 0
			? [
					{text: '  '},
					{text: pad(sanitizeLine(session.project ?? ''), project - 2), style: 'dim'} as const,
				]
			: []),
		{text: pad(count(session.messages), messagesColumns, 'right'), style: 'dim'},
		{text: pad(age(session.updatedAtMs, nowMs), ageColumns, 'right'), style: 'dim'},
		{text: hasMargin ? ' ' : ''},
	];
	const marks = badges(props, theme);
	const room =
		columns - lineWidth(bar) - agentColumnsFor(columns) - lineWidth(marks) - lineWidth(right);
	const title = sanitizeLine(session.title);
	const style = isSelected ? 'selected' : item.kind === 'child' ? 'dim' : 'text';
	const matches = item.kind === 'session' ? item.row.titleMatches : [];
	const shown = cutLine(
		[
			...(item.kind === 'child' ? [{text: branch, style: 'dim'} as const] : []),
			...marked({text: title, style}, session.title, {matches, terms}),
		],
		Math.max(0, room),
	);
	const gap = Math.max(0, room - lineWidth(shown));
	return [
		...bar,
		{text: label, style: isSelected ? 'selected' : props.agentStyle},
		...shown,
		{text: ' '.repeat(gap)},
		...marks,
		...right,
	];
};

const matchLine = (props: SessionRowProps, theme: Theme): Line => {
	const {item, isSelected, columns, terms} = props;
	const match = item.kind === 'session' ? item.row.match : null;
	if (match === null) return [];
	const hasMargin = columns >= marginFromColumns;
	const bar: Line = [
		{text: hasMargin ? ' ' : ''},
		{text: isSelected ? theme.symbol('selection') : ' ', style: 'accent'},
		{
			text: pad(
				match.child === null ? '' : `${theme.symbol('children')} `,
				agentColumnsFor(columns),
				'right',
			),
			style: 'dim',
		},
	];
	const more = match.more > 0 ? `  +${count(match.more)}` : '';
	const snippet = sanitizeLine(match.snippet);
	const room = Math.max(0, columns - lineWidth(bar) - widthOf(more) - 2);
	const line = cutLine(
		marked({text: snippet, style: 'dim'}, match.snippet, {matches: match.matches, terms}),
		room,
	);
	return [...bar, ...line, {text: cut(more, columns), style: 'dim'}];
};

const headingLine = (heading: Heading, {columns, nowMs}: SessionRowProps, theme: Theme): Line => {
	const name =
		'project' in heading
			? sanitizeLine(heading.project) || 'no project'
			: heading.dayOfMs === null
				? 'no date'
				: dayName(heading.dayOfMs, nowMs);
	const line: Line = [
		{text: columns >= marginFromColumns ? '  ' : ' '},
		{text: `${name} `, style: 'heading'},
	];
	const rest = Math.max(0, columns - lineWidth(line) - 2);
	return [...line, {text: theme.symbol('rule').repeat(rest), style: 'rule'}];
};

/** A session in the list: what it is on one row, and with a query why it is there on a second one. */
export const SessionRow = memo((props: SessionRowProps) => {
	const theme = useTheme();
	const hasMatch = props.item.kind === 'session' && props.item.row.match !== null;
	const heading = props.item.kind === 'session' ? props.item.heading : null;
	return (
		<>
			{heading === null ? null : (
				<Spans line={cutLine(headingLine(heading, props, theme), props.columns, '')} />
			)}
			<Spans line={cutLine(titleLine(props, theme), props.columns, '')} />
			{props.hasMatchLine && hasMatch ? (
				<Spans line={cutLine(matchLine(props, theme), props.columns, '')} />
			) : null}
		</>
	);
});
