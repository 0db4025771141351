import {Box} from 'ink';
import type {SearchTerm} from '../../store/search/match.js';
import {clockOf, counted, moment} from '../app/format.js';
import {markTerms, queryTerms} from '../app/query-marks.js';
import {isAtEnd} from '../app/reader-goals.js';
import {currentPrompt, frameRows, isLive, readerChrome, readerView} from '../app/selectors.js';
import type {AppState, ReaderState} from '../app/state.js';
import {eventAt, totalOf} from '../app/transcript-events.js';
import {type WindowRow, windowRows} from '../app/transcript-window.js';
import {positionBar} from '../components/position-bar.js';
import {Rule} from '../components/rule.js';
import {Spans} from '../components/spans.js';
import {StatusBar} from '../components/status-bar.js';
import {TextField} from '../components/text-field.js';
import {useAppState} from '../hooks/use-app-state.js';
import {useTheme} from '../hooks/use-theme.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Line, Span} from '../terminal/spans.js';
import type {Theme} from '../terminal/theme.js';
import {cutLine, lineWidth} from '../terminal/width.js';
import {ScreenHints} from './hints.js';

const whole = (state: AppState): AppState => state;

interface PartProps {
	readonly state: AppState;
	readonly reader: ReaderState;
	readonly columns: number;
}

/** Whether what the agent writes comes into sight by itself. */
const liveMark = (state: AppState, reader: ReaderState, theme: Theme): Line => {
	const session = reader.transcript?.session;
	if (!session || !isLive(session, state.nowMs)) return [];
	if (isAtEnd(reader, readerView(state)))
		return [{text: `${theme.symbol('live')} live  `, style: 'success'}];
	const more = reader.unread === 0 ? '' : `, ${counted(reader.unread, 'new event')}`;
	return [{text: `${theme.symbol('live')} paused${more}: G follows  `, style: 'warning'}];
};

const Title = ({state, reader, columns}: PartProps) => {
	const theme = useTheme();
	const session = reader.transcript?.session;
	if (!session) return <Spans line={[{text: ' '}]} />;
	const {project, branch, updatedAtMs, agent} = session;
	const facts = [
		state.settings.agents.find(({id}) => id === agent)?.shortLabel ?? agent,
		columns >= 70 ? project : null,
		columns >= 90 ? branch : null,
		updatedAtMs === null ? null : moment(updatedAtMs, state.nowMs),
	].filter(fact => fact !== null);
	const live: Line = liveMark(state, reader, theme);
	const star: Line = session.starred ? [{text: `${theme.symbol('star')} `, style: 'badge'}] : [];
	const right: Line = [
		...live,
		...star,
		{text: sanitizeLine(facts.join(` ${theme.symbol('separator')} `)), style: 'dim'},
		{text: ' '},
	];
	return (
		<StatusBar
			left={[{text: ' '}, {text: sanitizeLine(session.title), style: 'bold'}]}
			right={right}
			columns={columns}
		/>
	);
};

/** The prompt whose answer is in sight. */
const PromptLine = ({reader, columns}: PartProps) => {
	const theme = useTheme();
	const prompt = currentPrompt(reader);
	if (!prompt) return <Spans line={[]} />;
	return (
		<StatusBar
			left={[
				{text: ` ${theme.symbol('prompt')} `, style: 'promptMark'},
				{text: sanitizeLine(prompt.entry.text), style: 'prompt'},
			]}
			right={[{text: `${prompt.number} of ${prompt.of} `, style: 'dim'}]}
			columns={columns}
		/>
	);
};

/** A row with the mark of the block and the words that are looked for. */
const rowLine = (
	{index, line, content}: WindowRow,
	{reader, terms, theme}: {reader: ReaderState; terms: readonly SearchTerm[]; theme: Theme},
): Line => {
	const isMarked = index === reader.block && content.length > 0;
	const current = reader.find?.current;
	const isCurrent = current?.index === index && current.line === line;
	return [
		{text: isMarked ? theme.symbol('selection') : ' ', style: 'accent'},
		...markTerms(content, terms, isCurrent ? 'matchCurrent' : 'match'),
	];
};

const statusText = (reader: ReaderState, rows: number): string => {
	if (reader.isMissing) return 'This session is no longer in the history.';
	if (reader.transcript === null) return '';
	return totalOf(reader) === 0 || rows === 0 ? 'Nothing to show here: t, T and m show more.' : '';
};

const Body = ({state, reader, columns}: PartProps) => {
	const theme = useTheme();
	const view = readerView(state);
	const rows = windowRows(reader, view);
	const terms = queryTerms(reader.find?.query ?? '');
	const isLoading = reader.transcript !== null && Object.keys(reader.pages).length === 0;
	const status = isLoading && totalOf(reader) > 0 ? '' : statusText(reader, rows.length);
	const total = Math.max(1, totalOf(reader));
	const first = rows[0]?.index ?? reader.position.index;
	const last = rows.at(-1)?.index ?? first;
	const bar = positionBar(
		{
			rows: view.rows,
			from: Math.max(0, first) / total,
			to: (last + 1) / total,
			prompts: reader.outline.map(({index}) => index / total),
			matches: (reader.find?.matches ?? []).map(index => index / total),
		},
		theme,
	);
	const lines = rows.map(row => rowLine(row, {reader, terms, theme}));
	if (status !== '') lines.push(cutLine([{text: '  '}, {text: status, style: 'dim'}], columns - 1));
	return (
		<Box flexDirection="column" width={columns} height={view.rows} overflowY="hidden">
			{bar.map((mark, row) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
				<Spans key={row} line={withMark(lines[row] ?? [], mark, columns)} />
			))}
		</Box>
	);
};

/** A row with its piece of the position bar in the last column. */
const withMark = (line: Line, mark: Span | null, columns: number): Line =>
	mark === null
		? line
		: [...line, {text: ' '.repeat(Math.max(0, columns - 1 - lineWidth(line)))}, mark];

/** When what stands in the first row was said, and how far the last one is. */
const whereText = (state: AppState, reader: ReaderState, theme: Theme): string => {
	const rows = windowRows(reader, readerView(state));
	const last = rows.at(-1);
	const total = totalOf(reader);
	if (!last || total === 0) return '';
	const share = `${Math.min(100, Math.round(((last.index + 1) / total) * 100))} %`;
	const atMs = eventAt(reader, Math.max(0, reader.block))?.atMs ?? null;
	if (atMs === null || state.size.columns < 50) return share;
	const when = state.size.columns < 80 ? clockOf(atMs) : moment(atMs, state.nowMs);
	return `${when} ${theme.symbol('separator')} ${share}`;
};

const findCount = ({find}: ReaderState): string => {
	if (!find) return '';
	if (find.matches === null) return 'searching  ';
	const at = find.current && find.matches.findIndex(index => index >= (find.current?.index ?? 0));
	return at === null || at === -1
		? `${find.matches.length} found  `
		: `${at + 1} of ${find.matches.length} found  `;
};

const Bottom = ({state, reader, columns}: PartProps) => {
	const theme = useTheme();
	return reader.findField ? (
		<TextField
			label={[{text: ' / ', style: 'accent'}]}
			field={reader.findField}
			right={[{text: 'Enter finds, Esc back ', style: 'dim'}]}
			columns={columns}
		/>
	) : (
		<ScreenHints
			state={state}
			right={[{text: `${findCount(reader)}${whereText(state, reader, theme)} `, style: 'dim'}]}
			columns={columns}
		/>
	);
};

/** One conversation. */
export const ReaderScreen = () => {
	const state = useAppState(whole);
	const {reader, size} = state;
	if (!reader) return null;
	const {columns} = size;
	const {hasHints, hasPromptLine, hasRules} = readerChrome(size);
	const part = {state, reader, columns};
	return (
		<Box flexDirection="column" width={columns} height={frameRows(size)} overflowY="hidden">
			<Title {...part} />
			{hasPromptLine ? <PromptLine {...part} /> : null}
			{hasRules ? <Rule columns={columns} /> : null}
			<Body {...part} />
			{hasRules ? <Rule columns={columns} /> : null}
			{hasHints || reader.findField ? <Bottom {...part} /> : null}
		</Box>
	);
};
