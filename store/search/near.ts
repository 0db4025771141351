/**
 * What nearly matches when nothing does (DESIGN section 5), each with a note that says so: words spread over several messages,
 * the text inside of words, slips of the keyboard, similar titles, any of the words. A quoted phrase is never replaced.
 */
import Fuse from 'fuse.js';
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import {collectHits, eventExpressions, type Hits, isAnywhere, type SessionHit} from './collect.js';
import {allMatches, hasMatch, headMatches} from './fts.js';
import {matchExpression, type SearchGroup, type SearchTerm, searchTerm} from './match.js';
import {allowedSessions, type SearchPlan} from './plan.js';
import {printQuery} from './query.js';
import {similarWords, wordsContaining} from './vocabulary.js';

export interface NearMiss {
	readonly hits: Hits;
	/** What is marked. */
	readonly groups: readonly SearchGroup[];
	/** The same as a query; absent: the words of the query itself. */
	readonly instead?: string;
	readonly note: string;
}

const MAX_GROUPS = 8;

/** The first kind of near miss that finds anything; without one, `note` says why. */
export const nearMiss = (database: Database, plan: SearchPlan): NearMiss => {
	const {groups} = plan;
	const dead = groups.filter(group => !isAnywhere(database, group));
	const attempts: (() => NearMiss | undefined)[] = [
		() => (dead.length === 0 ? spreadWords(database, plan) : undefined),
		() => replacedWords(database, {plan, dead}, INSIDE),
		() => replacedWords(database, {plan, dead}, SLIP),
		() => (dead.length > 0 ? similarTitles(database, plan, dead) : undefined),
		() => anyWord(database, plan, dead),
	];
	// A pasted text is no query that something else could be meant by.
	for (const attempt of groups.length > MAX_GROUPS ? [] : attempts) {
		const found = attempt();
		if (found && found.hits.size > 0) return found;
	}
	return {hits: new Map(), groups, note: deadNote(database, dead) || elsewhereNote(plan)};
};

const isQuoted = (group: SearchGroup): boolean => group.some(({isExact}) => isExact);

const spreadWords = (database: Database, plan: SearchPlan): NearMiss | undefined => {
	if (plan.groups.length < 2) return undefined;
	return {
		hits: spreadHits(database, plan),
		groups: plan.groups,
		note: 'No message holds all of the words; these sessions have them in different messages.',
	};
};

/** Sessions that have each of the words anywhere. */
const spreadHits = (database: Database, plan: SearchPlan): Hits => {
	const allowed = allowedSessions(database, plan);
	let hits: Map<number, SessionHit> | undefined;
	for (const group of plan.groups) {
		const found = sessionsWith(database, {plan, allowed}, group);
		const kept = hits ? [...hits].filter(([session]) => found.has(session)) : [...found];
		hits = new Map(
			kept.map(([session, hit]) => [
				session,
				hit.event === null ? (found.get(session) ?? hit) : hit,
			]),
		);
	}
	return hits ?? new Map();
};

const sessionsWith = (
	database: Database,
	{plan, allowed}: {plan: SearchPlan; allowed: ReadonlySet<number> | undefined},
	group: SearchGroup,
): Hits => {
	const hits = new Map<number, SessionHit>();
	if (plan.scope.heads.length > 0)
		for (const {session} of headMatches(
			database,
			matchExpression([group], [], plan.scope.heads),
			false,
		))
			if (allowed?.has(session) !== false) hits.set(session, {score: 1, event: null, count: 0});
	for (const search of eventExpressions(plan, [group])) {
		const {sessions} = allMatches(database, {...search, allowed});
		for (const [session, {count, newest}] of sessions)
			hits.set(session, {score: 1, event: newest, count});
	}
	return hits;
};

interface Replacement {
	readonly find: (database: Database, word: string) => readonly string[];
	readonly note: (typed: string, shown: string) => string;
}

const INSIDE: Replacement = {
	find: wordsContaining,
	note: (typed, shown) => `No word begins with ${typed}; showing words that contain it: ${shown}.`,
};
const SLIP: Replacement = {
	find: similarWords,
	note: (typed, shown) => `${typed} occurs nowhere; showing ${shown}.`,
};

const replacedWords = (
	database: Database,
	{plan, dead}: {plan: SearchPlan; dead: readonly SearchGroup[]},
	{find, note}: Replacement,
): NearMiss | undefined => {
	if (dead.length === 0 || dead.some(group => isQuoted(group) || !isSingleWord(group)))
		return undefined;
	const notes: string[] = [];
	const groups: SearchGroup[] = [];
	for (const group of plan.groups) {
		if (!dead.includes(group)) {
			groups.push(group);
			continue;
		}
		const words = group.flatMap(({words: [word]}) => find(database, word?.folded ?? ''));
		if (words.length === 0) return undefined;
		groups.push(words.map(knownWord));
		notes.push(note(group.map(quote).join(', '), listed(words)));
	}
	const replaced = {...plan, groups};
	const hits = collectHits(database, replaced);
	return {
		hits: hits.size > 0 || groups.length < 2 ? hits : spreadHits(database, replaced),
		groups,
		instead: queryOf(groups),
		note: notes.join(' '),
	};
};

/** Groups as the text of a query that looks for the same words. */
const queryOf = (groups: readonly SearchGroup[]): string =>
	printQuery({
		parts: groups.map(group => ({
			kind: 'words',
			isNegated: false,
			terms: group.map(({words, label, isExact}) => ({
				kind: isExact ? 'phrase' : 'word',
				text: isExact ? words.map(({text}) => text).join(' ') : label,
				isClosed: true,
			})),
		})),
		isOpen: groups.at(-1)?.at(-1)?.isPrefix === true,
		nowMs: 0,
	});

const isSingleWord = (group: SearchGroup): boolean => group.every(({words}) => words.length === 1);

/** A word as the index has it, to be found whole. */
const knownWord = (text: string): SearchTerm => ({
	...searchTerm({kind: 'phrase', text, isClosed: true}, false),
	label: text,
});

const quote = ({label}: SearchTerm): string =>
	label.startsWith('"') ? label : `“${label.length > 60 ? `${label.slice(0, 60)}…` : label}”`;

const SHOWN_WORDS = 3;
const listed = (words: readonly string[]): string =>
	words
		.slice(0, SHOWN_WORDS)
		.map(word => `“${word}”`)
		.join(', ') + (words.length > SHOWN_WORDS ? ' and others' : '');

const TITLES = 2000;

/** Titles and projects that look like the whole query, spaces and all. */
const similarTitles = (
	database: Database,
	plan: SearchPlan,
	dead: readonly SearchGroup[],
): NearMiss | undefined => {
	if (!plan.scope.heads.includes('title') || plan.groups.some(isQuoted)) return undefined;
	const allowed = allowedSessions(database, plan);
	const ids = allowed ? JSON.stringify([...allowed]) : null;
	const titles = prepared(database)(
		`SELECT session.id, title, coalesce(label, '') AS project FROM session LEFT JOIN project ON project.id = project_id
		WHERE hidden_by IS NULL AND (? IS NULL OR session.id IN (SELECT value FROM json_each(?)))
		ORDER BY updated_at DESC, session.id DESC LIMIT ?`,
	).all(ids, ids, TITLES) as {id: number; title: string; project: string}[];
	const fuse = new Fuse(titles, {
		keys: ['title', 'project'],
		threshold: 0.25,
		ignoreLocation: true,
		includeScore: true,
	});
	const text = plan.groups.map(group => group[0]?.label ?? '').join(' ');
	const found = text.length < 4 || text.length > 60 ? [] : fuse.search(text);
	return {
		hits: new Map(
			found.map(({item, score}) => [item.id, {score: 1 - (score ?? 0), event: null, count: 0}]),
		),
		groups: plan.groups,
		note: `${deadNote(database, dead)} Showing similar titles.`,
	};
};

const anyWord = (
	database: Database,
	plan: SearchPlan,
	dead: readonly SearchGroup[],
): NearMiss | undefined => {
	const alive = plan.groups.filter(group => !dead.includes(group));
	if (alive.length === 0 || plan.groups.length < 2 || plan.groups.some(isQuoted)) return undefined;
	const groups = [alive.flat()];
	return {
		hits: collectHits(database, {...plan, groups}),
		groups,
		instead: queryOf(groups),
		note: `${deadNote(database, dead) || 'No session has all of the words.'} Showing sessions with ${
			alive.length === 1 ? 'the other words' : 'any of the words'
		}.`,
	};
};

/** Which words kill the query. */
const deadNote = (database: Database, dead: readonly SearchGroup[]): string =>
	dead
		.map(group => {
			const isMeta = hasMatch(database, 'meta_fts', matchExpression([group]));
			const words = group.map(quote).join(' or ');
			return isMeta
				? `${words} occurs only in records that nobody typed (in:meta).`
				: `${words} occurs nowhere.`;
		})
		.join(' ');

const elsewhereNote = ({conditions, scope}: SearchPlan): string =>
	conditions.length > 0 || scope.heads.length === 0
		? 'The words occur, but not where the filters look.'
		: 'The words occur, but not together.';
