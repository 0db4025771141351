import {Box} from 'ink';
import {queryTokens} from '../../store/search/query.js';
import type {RootView} from '../../store/types.js';
import {ago, count, counted, megabytes, shortPath} from '../app/format.js';
import {endOfWindow, scrollTo} from '../app/list-window.js';
import {queryTerms} from '../app/query-marks.js';
import {
	agentLabel,
	hasQuery,
	isFirstRunEmpty,
	type ListLayout,
	listItems,
	listLayout,
	markedQuery,
	selectedIndex,
	selectedItem,
	sortOf,
} from '../app/selectors.js';
import type {AppState} from '../app/state.js';
import {Preview} from '../components/preview.js';
import {Rule} from '../components/rule.js';
import {SessionRow} from '../components/session-row.js';
import {Spans} from '../components/spans.js';
import {StatusBar} from '../components/status-bar.js';
import {TextField} from '../components/text-field.js';
import {VirtualList} from '../components/virtual-list.js';
import {useAppState} from '../hooks/use-app-state.js';
import {useTheme} from '../hooks/use-theme.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Line, Span, StyleName} from '../terminal/spans.js';
import type {Theme} from '../terminal/theme.js';
import {cut, cutLine, wrap} from '../terminal/width.js';
import {ScreenHints} from './hints.js';

const whole = (state: AppState): AppState => state;

const barColumns = 12;
/** Narrower, what agents delete soon stands on the sources screen only. */
const dueFromColumns = 110;

const progressLine = (state: AppState, theme: Theme): Line => {
	const {sync, counts, nowMs} = state;
	const dot = ` ${theme.symbol('separator')} `;
	if (sync.kind === 'failed') return [{text: sanitizeLine(sync.message), style: 'error'}];
	if (sync.kind === 'locked') return [{text: 'another backscroll is syncing', style: 'dim'}];
	if (sync.kind === 'idle') {
		const atMs = counts?.lastSyncMs ?? null;
		return atMs === null ? [] : [{text: `synced ${ago(atMs, nowMs)}`, style: 'dim'}];
	}
	const {progress} = sync;
	if (progress === null || progress.phase === 'looking' || progress.sourcesTotal === 0)
		return [{text: 'looking what changed', style: 'dim'}];
	const {sourcesDone, sourcesTotal, bytesDone, bytesTotal} = progress;
	if (state.settings.hasReducedMotion)
		return [{text: `syncing ${count(sourcesTotal)} sources`, style: 'dim'}];
	const share = bytesTotal > 0 ? bytesDone / bytesTotal : sourcesDone / sourcesTotal;
	const full = Math.round(Math.min(1, share) * barColumns);
	return [
		{text: 'syncing ', style: 'accent'},
		{text: theme.symbol('barFull').repeat(full), style: 'accent'},
		{text: theme.symbol('barEmpty').repeat(barColumns - full), style: 'dim'},
		{
			text: ` ${count(sourcesDone)} of ${count(sourcesTotal)}${dot}${megabytes(bytesDone)} of ${megabytes(bytesTotal)} MB`,
			style: 'dim',
		},
	];
};

const Header = ({state, columns}: {readonly state: AppState; readonly columns: number}) => {
	const theme = useTheme();
	const {counts, settings} = state;
	const dot = ` ${theme.symbol('separator')} `;
	const known =
		counts === null || counts.sessions === 0
			? ''
			: `  ${counted(counts.sessions, 'session')}${dot}${counted(counts.agents, 'agent')}`;
	const due = state.due !== null && columns >= dueFromColumns ? `${dot}${state.due}` : '';
	const demo: Line = settings.isDemo ? [{text: `${dot}demo history`, style: 'warning'}] : [];
	return (
		<StatusBar
			left={[
				{text: ' '},
				{text: 'backscroll', style: 'bold'},
				{text: known, style: 'dim'},
				...demo,
				{text: due, style: 'dim'},
			]}
			right={[...progressLine(state, theme), {text: ' '}]}
			columns={columns}
		/>
	);
};

const baseName = (path: string): string => path.split(/[/\\]/).filter(Boolean).at(-1) ?? path;

const sortWords = {
	recent: 'by time',
	relevance: 'by relevance',
	messages: 'by messages',
} as const;

/** Where and how is searched, and how much was found; `isShort`: only what is not as always. */
const scopeLine = (state: AppState, theme: Theme, isShort: boolean): Line => {
	const {agent, isHere, list, settings, baseFilters, sort} = state;
	const place = isHere
		? `here: ${baseName(baseFilters.here ?? settings.cwd)}`
		: sanitizeLine(baseFilters.project ?? 'everywhere');
	const given = baseFilters.agents?.map(id => agentLabel(state, id)).join(', ');
	const who = agent === null ? given : agentLabel(state, agent);
	const isSynced = state.sync.kind !== 'running' || listLayout(state).hasHeader;
	const parts: readonly (Span | null)[] = [
		who === undefined ? null : {text: who, style: 'filterWord'},
		isShort && !isHere ? null : {text: place, style: isHere ? 'filterWord' : 'dim'},
		baseFilters.since === undefined ? null : {text: `after ${baseFilters.since}`, style: 'dim'},
		baseFilters.until === undefined ? null : {text: `before ${baseFilters.until}`, style: 'dim'},
		sort !== null || (hasQuery(state) && !isShort)
			? {text: sortWords[sortOf(state)], style: 'dim'}
			: null,
		list.group === 'none' ? null : {text: `by ${list.group}`, style: 'dim'},
		hasQuery(state) && !list.isEmpty && !list.isDraft
			? {text: counted(list.total, 'session'), style: 'dim'}
			: null,
		list.marked.size > 0 ? {text: `${count(list.marked.size)} chosen`, style: 'accent'} : null,
		isSynced ? null : {text: 'syncing', style: 'accent'},
	];
	const dot = {text: ` ${theme.symbol('separator')} `, style: 'dim'} as const;
	const line = parts
		.filter(part => part !== null)
		.flatMap((part, index): readonly Span[] => (index === 0 ? [part] : [dot, part]));
	return [...line, {text: ' '}];
};

const tokenStyles = {
	word: 'text',
	phrase: 'strong',
	filter: 'filterWord',
	operator: 'accent',
	negated: 'error',
} as const;

const QueryLine = ({state, columns}: {readonly state: AppState; readonly columns: number}) => {
	const theme = useTheme();
	const ranges = queryTokens(state.query.text).map(({start, end, kind}) => ({
		start,
		end,
		style: tokenStyles[kind],
	}));
	return (
		<TextField
			label={[
				{text: columns >= 56 ? ' ' : ''},
				{text: `${theme.symbol('query')} `, style: 'accent'},
			]}
			field={state.query}
			ranges={ranges}
			right={scopeLine(state, theme, false)}
			shortRight={scopeLine(state, theme, true)}
			columns={columns}
		/>
	);
};

const rootWords = {
	present: 'nothing in it',
	absent: 'not there',
	unreadable: 'cannot be read',
} as const;

const rootLine = ({agent, path, state: found}: RootView, state: AppState): string => {
	const folder = sanitizeLine(shortPath(path, state.settings.home));
	return `${agentLabel(state, agent)}  ${folder}  ${rootWords[found]}`;
};

/** Those that are there first; as many as there is room for. */
const rootsToShow = (roots: readonly RootView[], rows: number): readonly RootView[] =>
	roots
		.toSorted((a, b) => Number(a.state === 'absent') - Number(b.state === 'absent'))
		.slice(0, Math.max(1, rows));

/** What is said while there is no row to show. */
const emptyLines = (state: AppState, columns: number): readonly Line[] => {
	const {list, roots, settings, counts, sync} = state;
	const text = (words: string, style: Span['style'] = 'text'): readonly Line[] =>
		wrap(words, columns - 4).map(row => [{text: '  '}, style ? {text: row, style} : {text: row}]);
	if (list.isEmpty || counts === null) return [];
	if (isFirstRunEmpty(state))
		return [
			[],
			...text('No conversations found.', 'bold'),
			...text(
				'Enter opens a demo history to look around in. Start a coding agent, and its conversations appear here.',
			),
			...(settings.docsUrl === null ? [] : text(settings.docsUrl, 'link')),
			[],
			...text('These folders were looked at:', 'dim'),
			...rootsToShow(roots, listLayout(state).listRows - 8).map(
				(root): Line => [{text: `  ${rootLine(root, state)}`, style: 'dim'}],
			),
			[{text: '  backscroll sources --all lists them all', style: 'dim'}],
		];
	if (counts.sessions === 0 && sync.kind === 'running')
		return [
			[],
			...text(
				'Reading what your agents have left. Conversations appear here, newest first.',
				'dim',
			),
		];
	if (hasQuery(state))
		return [
			[],
			...text(
				list.deep?.isDone === false
					? 'Looking …'
					: `Nothing found for ${cut(sanitizeLine(state.query.text), Math.max(8, columns - 24))}`,
				'bold',
			),
			...(list.note === null ? [] : text(sanitizeLine(list.note))),
			[],
			...(list.deep === null
				? text('^D scans the raw transcripts, also what the index does not keep.', 'dim')
				: []),
			...text('Esc clears the query.', 'dim'),
		];
	return [[], ...text('No session here.', 'bold'), ...text('Esc takes the filters away.', 'dim')];
};

const Empty = ({state, layout}: {readonly state: AppState; readonly layout: ListLayout}) => (
	<Box flexDirection="column" width={layout.columns} height={layout.listRows} overflowY="hidden">
		{emptyLines(state, layout.columns)
			.slice(0, layout.listRows)
			.map((line, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
				<Spans key={index} line={cutLine(line, layout.columns)} />
			))}
	</Box>
);

const shortLabel = (state: AppState, id: string): string =>
	state.settings.agents.find(agent => agent.id === id)?.shortLabel ?? id;

const agentStyles = ['agent1', 'agent2', 'agent3', 'agent4'] as const;

/** Colours go round: the label says which agent it is. */
const agentStyle = (state: AppState, id: string): StyleName => {
	const at = state.settings.agents.findIndex(agent => agent.id === id);
	return agentStyles[Math.max(0, at) % agentStyles.length] ?? 'dim';
};

const List = ({state, layout}: {readonly state: AppState; readonly layout: ListLayout}) => {
	const {list, nowMs, missing} = state;
	const items = listItems(list);
	const selected = selectedIndex(list);
	const view = {items, layout};
	const from = scrollTo(view, selected, list.top);
	const terms = queryTerms(markedQuery(state));
	return (
		<VirtualList
			items={items}
			from={from}
			to={endOfWindow(view, from)}
			columns={layout.listColumns}
			rows={layout.listRows}
			renderItem={(item, index) => (
				<SessionRow
					key={item.session.ref}
					item={item}
					agent={shortLabel(state, item.session.agent)}
					agentStyle={agentStyle(state, item.session.agent)}
					isSelected={index === selected}
					isDirectoryMissing={item.session.cwd !== null && missing.has(item.session.cwd)}
					isMarked={list.marked.has(item.session.ref)}
					hasMatchLine={layout.hasMatchLine}
					columns={layout.listColumns}
					nowMs={nowMs}
					terms={terms}
				/>
			)}
		/>
	);
};

const SelectedPreview = ({
	state,
	layout,
}: {
	readonly state: AppState;
	readonly layout: ListLayout;
}) => {
	const item = selectedItem(state);
	if (!item || layout.previewColumns === 0) return null;
	const {preview, nowMs} = state;
	const match = item.kind === 'session' ? item.row.match : null;
	return (
		<Box marginLeft={1}>
			<Preview
				session={item.session}
				events={preview?.session === item.session.ref ? preview.events : null}
				agent={agentLabel(state, item.session.agent)}
				terms={queryTerms(markedQuery(state))}
				matchIndex={match?.eventIndex ?? null}
				columns={layout.previewColumns}
				rows={layout.listRows}
				nowMs={nowMs}
			/>
		</Box>
	);
};

/** Search, list, preview: what the app begins with. */
export const SessionsScreen = () => {
	const state = useAppState(whole);
	const layout = listLayout(state);
	const {columns, rows} = layout;
	const {note} = state.list;
	const hasRows = state.list.rows.length > 0;
	return (
		<Box flexDirection="column" width={columns} height={rows} overflowY="hidden">
			{layout.hasHeader ? <Header state={state} columns={columns} /> : null}
			<QueryLine state={state} columns={columns} />
			{layout.hasRules ? <Rule columns={columns} /> : null}
			{note !== null && hasRows ? (
				<Spans line={cutLine([{text: '  '}, {text: sanitizeLine(note), style: 'dim'}], columns)} />
			) : null}
			{hasRows ? (
				<Box width={columns} height={layout.listRows}>
					<List state={state} layout={layout} />
					<SelectedPreview state={state} layout={layout} />
				</Box>
			) : (
				<Empty state={state} layout={layout} />
			)}
			{layout.hasRules ? <Rule columns={columns} /> : null}
			{layout.hasHints ? <ScreenHints state={state} columns={columns} /> : null}
		</Box>
	);
};
