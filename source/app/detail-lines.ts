import {sanitizeLine} from '../terminal/sanitize.js';
import type {Line} from '../terminal/spans.js';
import {pad, wrap} from '../terminal/width.js';
import {count, moment, shortPath} from './format.js';
import {agentLabel} from './selectors.js';
import type {AppState, Dialog} from './state.js';

type DetailsDialog = Extract<Dialog, {kind: 'details'}>;

const titleWords = {
	own: 'given in backscroll',
	custom: 'given in the agent',
	generated: 'made by the agent',
	description: 'task of the sub-agent',
	prompt: 'first prompt',
	reply: 'first reply',
	none: 'nothing to name it by',
} as const;

const sourceWords = {
	present: '',
	deleted: ' · deleted by the agent, kept by backscroll',
	archived: ' · archived by the agent',
} as const;

type Fact = readonly [label: string, text: string | null];

const factsOf = (state: AppState, {session}: DetailsDialog): readonly Fact[] => {
	const {home} = state.settings;
	const time = (atMs: number | null) => (atMs === null ? null : moment(atMs, state.nowMs));
	const {tokens, parent} = session;
	return [
		['title', `${session.title} · ${titleWords[session.titleFrom]}`],
		['agent', `${agentLabel(state, session.agent)} ${session.agentVersion ?? ''}`.trim()],
		['model', session.model],
		['reference', session.ref],
		['project', session.project],
		['directory', session.cwd === null ? null : shortPath(session.cwd, home)],
		['branch', session.branch],
		['began', time(session.createdAtMs)],
		['last message', time(session.updatedAtMs)],
		[
			'messages',
			`${count(session.messages)} · ${count(session.prompts)} prompts · ${count(session.replies)} replies · ${count(session.toolCalls)} tool calls`,
		],
		['sub-agents', session.children === 0 ? null : count(session.children)],
		[
			'tokens',
			tokens === null
				? null
				: `${count(tokens.input)} in · ${count(tokens.output)} out · ${count(tokens.cacheRead)} from cache`,
		],
		['cost', session.costUsd === null ? null : `$${session.costUsd.toFixed(2)}`],
		['hangs on', parent === null ? null : `${parent.ref} · ${parent.relation}`],
		['tags', session.tags.length === 0 ? null : session.tags.join(', ')],
		['note', session.note],
		['file', shortPath(session.location, home) + sourceWords[session.sourceState]],
		[
			'problems',
			session.problems === 0 ? null : `${count(session.problems)}: backscroll sources names them`,
		],
	];
};

const labelColumns = 14;

/** What is known of a session, as rows for the width of the terminal. */
export const detailLines = (state: AppState, dialog: DetailsDialog): readonly Line[] =>
	factsOf(state, dialog).flatMap(([label, text]) =>
		text === null || text === ''
			? []
			: wrap(sanitizeLine(text), Math.max(8, state.size.columns - labelColumns - 4)).map(
					(row, index): Line => [
						{text: '  '},
						{text: pad(index === 0 ? label : '', labelColumns), style: 'dim'},
						{text: row},
					],
				),
	);
