import {Box} from 'ink';
import {memo} from 'react';
import type {SearchTerm} from '../../store/search/match.js';
import type {EventView, SessionView} from '../../store/types.js';
import {counted, period} from '../app/format.js';
import {markTerms} from '../app/query-marks.js';
import {useTheme} from '../hooks/use-theme.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Line} from '../terminal/spans.js';
import type {Theme} from '../terminal/theme.js';
import {cutLine, widthOf, wrapLine} from '../terminal/width.js';
import {layoutEvent} from '../transcript/layout.js';

import {Spans} from './spans.js';

interface PreviewProps {
	readonly session: SessionView;
	/** Null while they are loaded: the head stands there already. */
	readonly events: readonly EventView[] | null;
	readonly agent: string;
	/** The words of the query. */
	readonly terms: readonly SearchTerm[];
	/** The event that matched: its words come into sight. */
	readonly matchIndex: number | null;
	readonly columns: number;
	readonly rows: number;
	readonly nowMs: number;
}

/** A block takes no more than this, so that the preview shows several. */
const blockRows = 8;

const head = (
	{session, agent, columns, nowMs, terms}: PreviewProps,
	theme: Theme,
): readonly Line[] => {
	const dot = ` ${theme.symbol('separator')} `;
	/** As many as there is room for: half a number says the wrong thing. */
	const join = (parts: readonly (string | null)[]): string => {
		const shown = parts.filter(part => part !== null && part !== '');
		const text = sanitizeLine(shown.join(dot));
		return shown.length > 1 && widthOf(text) > columns ? join(shown.slice(0, -1)) : text;
	};
	const {createdAtMs, updatedAtMs} = session;
	const times =
		createdAtMs === null || updatedAtMs === null ? null : period(createdAtMs, updatedAtMs, nowMs);
	const title = wrapLine([{text: sanitizeLine(session.title), style: 'bold'}], columns);
	return [
		...title.slice(0, 2).map(line => markTerms(line, terms)),
		[
			{
				text: join([
					`${agent} ${session.agentVersion ?? ''}`.trim(),
					session.project,
					session.branch,
				]),
				style: 'dim',
			},
		],
		[
			{
				text: join([
					times,
					counted(session.messages, 'message'),
					counted(session.prompts, 'prompt'),
				]),
				style: 'dim',
			},
		],
		[],
	];
};

/** The rows of a block, cut to some; those with a match first of all. */
const excerpt = (lines: readonly Line[], isMatch: boolean): readonly Line[] => {
	if (lines.length <= blockRows) return lines;
	const at = isMatch ? lines.findIndex(line => line.some(({style}) => style === 'match')) : -1;
	const from = Math.max(0, Math.min(at - 2, lines.length - blockRows));
	return lines.slice(from, from + blockRows);
};

const body = (
	{events, session, terms, matchIndex, columns}: PreviewProps,
	theme: Theme,
): readonly Line[] => {
	let previous: EventView | null = null;
	let lastIndex: number | null = null;
	return (events ?? []).flatMap(event => {
		const hasGap = lastIndex !== null && event.index > lastIndex + 1;
		lastIndex = event.index;
		const lines = layoutEvent(event, {
			columns,
			tools: matchIndex === event.index ? 'full' : 'none',
			hasReasoning: false,
			hasMeta: false,
			fold: 'folded',
			isUnicode: theme.isUnicode,
			cwd: session.cwd,
			previousKind: previous === null ? null : previous.kind,
		});
		if (lines.length === 0 || event.kind === 'reasoning') return [];
		previous = event;
		const marked = lines.map(line => markTerms(line, terms));
		const rest: readonly Line[] = hasGap
			? [[], [{text: theme.symbol('children'), style: 'dim'}]]
			: [];
		return [...rest, ...excerpt(marked, matchIndex === event.index)];
	});
};

/** The match has to be in sight; what stands above it gives way. */
const fitted = (lines: readonly Line[], rows: number): readonly Line[] => {
	const at = lines.findIndex(line => line.some(({style}) => style === 'match'));
	return at < rows ? lines.slice(0, rows) : lines.slice(at - Math.floor(rows / 2)).slice(0, rows);
};

/** What the selected session is about: around the match, else how it began and where it ended. */
export const Preview = memo((props: PreviewProps) => {
	const theme = useTheme();
	const {columns, rows} = props;
	const gutter = {text: `${theme.symbol('gutter')} `, style: 'rule'} as const;
	const inner = {...props, columns: columns - 2};
	const top = head(inner, theme);
	const lines = [...top, ...fitted(body(inner, theme), Math.max(0, rows - top.length))];
	return (
		<Box flexDirection="column" width={columns} height={rows} overflowY="hidden">
			{Array.from({length: rows}, (_, row) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
				<Spans key={row} line={cutLine([gutter, ...(lines[row] ?? [])], columns)} />
			))}
		</Box>
	);
});
