/** Tab in the query: completes the filter word or value that is half typed, again for the next one that fits. Pure. */
import type {FacetValue} from '../../store/library.js';
import {type Candidate, completeFilter} from '../../store/search/complete.js';
import type {FilterName} from '../../store/search/query.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import {count} from './format.js';
import {setQuery} from './query-edits.js';
import {notice, request} from './requests.js';
import type {AppState, CompletionState} from './state.js';

/** Filters whose values are counted under the query; those of agents are known already. */
const asked = ['project', 'branch', 'model', 'tool'] as const satisfies readonly FilterName[];

const isAsked = (name: FilterName): name is (typeof asked)[number] =>
	(asked as readonly FilterName[]).includes(name);

const candidateText = ({label, count: number}: Candidate): string =>
	number === null ? label : `${sanitizeLine(label)} ${count(number)}`;

/** The query with the candidate that is on, and all of them on the line below. */
const applied = (
	state: AppState,
	completion: Omit<CompletionState, 'text' | 'cursor'>,
): AppState => {
	const {start, end, base, candidates, at} = completion;
	const candidate = candidates[at];
	if (!candidate) return state;
	const rest = base.slice(end);
	const isWhole = !candidate.text.endsWith(':') && rest.trim() === '';
	const head = `${base.slice(0, start)}${candidate.text}${isWhole ? ' ' : ''}`;
	const text = head + rest.trimStart();
	const next = setQuery(state, {text, cursor: head.length});
	const shown = candidates.map((each, index) =>
		index === at ? `[${candidateText(each)}]` : candidateText(each),
	);
	const said =
		candidates.length > 1
			? notice(next, shown.slice(at).concat(shown.slice(0, at)).join('  '))
			: next;
	return {...said, completion: {...completion, text, cursor: head.length}};
};

/** Undefined when nothing is half typed that could be completed: then the key means something else. */
export const completed = (state: AppState): AppState | undefined => {
	const {completion, query} = state;
	if (completion?.text === query.text && completion.cursor === query.cursor) {
		if (completion.candidates.length < 2) return undefined;
		const at = (completion.at + 1) % completion.candidates.length;
		return applied(state, {...completion, at});
	}
	const found = completeFilter(query.text, query.cursor, {
		// An agent is written by its id, whatever it is called.
		agent: state.agentCounts.map(agent => ({...agent, label: agent.value})),
	});
	if (found.name !== null && isAsked(found.name))
		return request(state, {type: 'complete', name: found.name, query});
	if (found.candidates.length === 0) return undefined;
	return applied(state, {...found, base: query.text, at: 0});
};

/** The values that were asked for have come. */
export const completedWith = (
	state: AppState,
	name: FilterName,
	values: readonly FacetValue[],
): AppState => {
	const {query} = state;
	const found = completeFilter(query.text, query.cursor, {[name]: values});
	return found.candidates.length === 0
		? notice(state, `no ${name} fits`)
		: applied(state, {...found, base: query.text, at: 0});
};
