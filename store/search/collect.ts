/** From a plan to hits: the sessions in whose messages or heads the words stand, each with its best event. */
import type {Database} from '../open.js';
import {
	type AllMatches,
	allMatches,
	type EventMatch,
	hasMatch,
	headMatches,
	type MatchCount,
	newestMatches,
	sessionsOfEvents,
} from './fts.js';
import {
	hasManyWords,
	matchExpression,
	type SearchGroup,
	withoutShortEnd,
	withWholeEnd,
} from './match.js';
import {allowedSessions, eventColumns, type SearchPlan} from './plan.js';
import {
	closerFactors,
	eventFactors,
	type Factors,
	hasSignedTexts,
	plainScores,
	SIGNED_FACTOR,
	signedTexts,
	type WordSearch,
} from './rank.js';

/** What was found in one session. */
export interface SessionHit {
	readonly score: number;
	/** Best matching event; null: only title, first prompts or project match. */
	readonly event: number | null;
	/** Matching events. */
	readonly count: number;
}

/** Newest matching events that are ranked. */
const WINDOW_ROWS = 5000;
// Older ones that come close to what was typed: phrases, or whole words near each other.
const CLOSE_ROWS = 1000;
const CLOSE_FACTOR = 2;
// While typing, the newest few show what comes; the ranked answer follows after the pause.
const TYPING_ROWS = 1000;
const TYPING_FILTERED_ROWS = [5000, 50_000];
const HEAD_WEIGHT = 1.5;
// Fewer than these: words may also be spread over head and message.
const ENOUGH_SESSIONS = 20;
const MIXED_GROUPS = 5;
const MIXED_WEIGHT = 0.7;
// Best hits whose texts are looked at.
const LOOKED_AT = 200;
// Older than the window: found, but behind all that was ranked.
const BEYOND_WINDOW = 1e-9;

export type Hits = ReadonlyMap<number, SessionHit>;

interface Collecting {
	readonly plan: SearchPlan;
	readonly inMessages: InMessages;
	/** Absent: all. */
	readonly allowed: ReadonlySet<number> | undefined;
	readonly hits: Map<number, SessionHit>;
}

/** Sessions in which one message, or the head, holds all of the words. */
export const collectHits = (database: Database, plan: SearchPlan): Hits => {
	const {isLastShort, isTyping, isUnfinished} = plan;
	const asTyped: InMessages = groups => groups;
	if (!isLastShort) return collect(database, plan, asTyped);
	if (isTyping) return collect(database, plan, withoutShortEnd);
	const whole = isUnfinished ? collect(database, plan, withWholeEnd) : undefined;
	const isEnough =
		whole && (whole.size > 0 || !plan.groups.every(group => isAnywhere(database, group)));
	return isEnough ? whole : collect(database, plan, asTyped);
};

/** Whole words first: to merge all that begin with one letter takes 200 ms, and mostly the letter is there as a word. */
export const isAnywhere = (database: Database, group: SearchGroup): boolean =>
	[group.map(term => ({...term, isPrefix: false})), group].some(
		form =>
			hasMatch(database, 'event_fts', matchExpression([form])) ||
			hasMatch(database, 'head_fts', matchExpression([form])),
	);

/** What is looked for in messages. */
type InMessages = (groups: readonly SearchGroup[]) => readonly SearchGroup[];

const collect = (database: Database, plan: SearchPlan, inMessages: InMessages): Hits => {
	const hits = new Map<number, SessionHit>();
	const collecting = {plan, inMessages, allowed: allowedSessions(database, plan), hits};
	const groups = inMessages(plan.groups);
	const collectEvents = plan.isTyping ? collectNewest : collectRanked;
	if (groups.length > 0)
		for (const search of eventExpressions(plan, groups))
			collectEvents(database, search, collecting);
	collectHeads(database, collecting);
	if (!plan.isTyping && hits.size < ENOUGH_SESSIONS) collectMixed(database, collecting);
	if (!plan.isTyping && plan.isRanked) raiseSigned(database, collecting);
	return hits;
};

/** `C++` as it was typed stands before a bare `C`: the best hits are looked at once more. */
const raiseSigned = (database: Database, {plan, hits}: Collecting): void => {
	const wanted = signedTexts(plan.groups);
	if (wanted.length === 0) return;
	const best = [...hits].toSorted(([, a], [, b]) => b.score - a.score).slice(0, LOOKED_AT);
	for (const [session, hit] of best)
		if (hasSignedTexts(database, {session, event: hit.event}, wanted))
			hits.set(session, {...hit, score: hit.score * SIGNED_FACTOR});
};

/** The full-text tables that the plan looks into, each with its expression. */
export const eventExpressions = (
	{scope, excluded}: SearchPlan,
	groups: readonly SearchGroup[],
): readonly WordSearch[] => {
	const columns = eventColumns(scope);
	return [
		...(scope.columns.length > 0
			? [
					{
						index: 'event_fts',
						groups,
						columns,
						match: matchExpression(groups, excluded, columns),
					} as const,
				]
			: []),
		...(scope.hasMeta
			? [
					{
						index: 'meta_fts',
						groups,
						columns: [],
						match: matchExpression(groups, excluded),
					} as const,
				]
			: []),
	];
};

type CollectEvents = (database: Database, search: WordSearch, collecting: Collecting) => void;

/** The newest matches as they come, without an order of their own; further back when a filter lets little through. */
const collectNewest: CollectEvents = (database, search, {allowed, hits}) => {
	let found: readonly EventMatch[] = [];
	for (const limit of allowed ? TYPING_FILTERED_ROWS : [TYPING_ROWS]) {
		found = newestMatches(database, {...search, limit, allowed, isScored: false});
		if (found.length >= TYPING_ROWS) break;
	}
	for (const event of found.slice(0, TYPING_ROWS)) addEvent(hits, event);
};

/** Every session with a match, ranked by the best of its newest matches. */
const collectRanked: CollectEvents = (database, search, {plan, allowed, hits}) => {
	const found = allMatches(database, {...search, allowed});
	if (plan.isRanked && found.events.length > 0)
		for (const event of rankedEvents(database, search, {found, plan, allowed}))
			addEvent(hits, event);
	for (const [session, count] of found.sessions) addCount(hits, session, count);
};

function* rankedEvents(
	database: Database,
	search: WordSearch,
	{found, plan, allowed}: {found: AllMatches} & Pick<Collecting, 'plan' | 'allowed'>,
): Generator<EventMatch> {
	const factors = eventFactors(database, search, WINDOW_ROWS);
	const isDear = plan.isLastShort || hasManyWords(plan.groups);
	if (!isDear && found.total <= WINDOW_ROWS) {
		const request = {...search, limit: WINDOW_ROWS, allowed, isScored: true};
		for (const match of newestMatches(database, request))
			yield {...match, score: match.score * (factors.get(match.event) ?? 1)};
		return;
	}
	const events = rankedWindow(found, factors);
	const scores = plainScores(database, events, found.total);
	const sessionOf = sessionsOfEvents(database, events);
	for (const event of events) {
		const session = sessionOf(event);
		const score = (scores.get(event) ?? 0) * (factors.get(event) ?? 1);
		if (session !== undefined) yield {event, session, score};
	}
}

/** The newest matches, and of the older ones the newest that come close to what was typed. */
const rankedWindow = ({events}: AllMatches, factors: Factors): readonly number[] => {
	const window = events.slice(0, WINDOW_ROWS);
	const last = window.at(-1) ?? 0;
	const older = [...factors]
		.filter(([event, factor]) => event > last && factor >= CLOSE_FACTOR)
		.map(([event]) => event)
		.toSorted((a, b) => a - b);
	return [...window, ...older.slice(0, CLOSE_ROWS).filter(event => isAmong(events, event))];
};

/** Whether an ascending list has the number. */
const isAmong = (sorted: readonly number[], wanted: number): boolean => {
	let [low, high] = [0, sorted.length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((sorted[middle] as number) < wanted) low = middle + 1;
		else high = middle;
	}
	return sorted[low] === wanted;
};

const addCount = (
	hits: Map<number, SessionHit>,
	session: number,
	{count, newest}: MatchCount,
): void => {
	const known = hits.get(session);
	hits.set(session, known ? {...known, count} : {score: BEYOND_WINDOW, event: newest, count});
};

const addEvent = (hits: Map<number, SessionHit>, {event, session, score}: EventMatch): void => {
	const known = hits.get(session);
	if (known === undefined) hits.set(session, {score, event, count: 1});
	else if (score > known.score || known.event === null)
		hits.set(session, {score, event, count: known.count + 1});
	else hits.set(session, {...known, count: known.count + 1});
};

const collectHeads = (database: Database, {plan, allowed, hits}: Collecting): void => {
	const {scope, groups, isLastShort, isTyping} = plan;
	if (scope.heads.length === 0) return;
	const match = matchExpression(groups, [], scope.heads);
	const isScored = !isLastShort && !isTyping;
	const factors = isTyping ? NO_FACTORS : headFactors(database, plan);
	for (const {session, score} of headMatches(database, match, isScored)) {
		if (allowed?.has(session) === false) continue;
		const known = hits.get(session);
		const total = (known?.score ?? 0) + HEAD_WEIGHT * score * (factors.get(session) ?? 1);
		hits.set(session, {event: null, count: 0, ...known, score: total});
	}
};

const NO_FACTORS: Factors = new Map();

const headFactors = (database: Database, {groups, scope}: SearchPlan): Factors =>
	closerFactors(groups, scope.heads, match =>
		headMatches(database, match, false).map(({session}) => session),
	);

/** Sessions whose head holds some of the words, such as the project's name, and one message the others. */
const collectMixed = (database: Database, {plan, inMessages, allowed, hits}: Collecting): void => {
	const {groups, scope} = plan;
	if (groups.length < 2 || groups.length > MIXED_GROUPS || scope.heads.length === 0) return;
	// Bit n: the head has the words of group n.
	const inHead = new Map<number, number>();
	for (const [index, group] of groups.entries())
		for (const {session} of headMatches(database, matchExpression([group], [], scope.heads), false))
			if (!hits.has(session) && allowed?.has(session) !== false)
				inHead.set(session, (inHead.get(session) ?? 0) | (1 << index));
	for (const bits of new Set(inHead.values())) {
		const others = groups.filter((_, index) => (bits & (1 << index)) === 0);
		const sessions = new Set([...inHead.keys()].filter(session => inHead.get(session) === bits));
		for (const search of eventExpressions(plan, inMessages(others))) {
			const found = allMatches(database, {...search, allowed: sessions});
			const scores = plainScores(database, found.events.slice(0, WINDOW_ROWS), found.total);
			const sessionOf = sessionsOfEvents(database, [...scores.keys()]);
			for (const [event, score] of scores)
				addEvent(hits, {event, session: sessionOf(event) ?? 0, score: MIXED_WEIGHT * score});
		}
	}
};
