import type {Library} from '../library.js';
import type {Database} from '../open.js';
import {type AnswerOptions, listAnswer, searchAnswer} from '../search/answer.js';
import {eventRowId, eventsOf, eventView} from './events.js';
import {facetOf} from './facets.js';
import {findInSession} from './find.js';
import {filesOf, landmarksOf} from './landmarks.js';
import {outlineOf} from './outline.js';
import {problemsOf, rootViews, unknownKindsOf} from './problems.js';
import {resolveRef} from './resolve.js';
import {childrenOf, countSessions, followersOf, sessionRowId, sessionView} from './sessions.js';
import {statsOf} from './stats.js';

/** The read side of a store. A read-only connection will do. */
export const createLibrary = (database: Database, options: AnswerOptions = {}): Library => {
	const withSession = <T>(ref: string, answer: (id: number) => T, otherwise: T): T => {
		const id = sessionRowId(database, ref);
		return id === undefined ? otherwise : answer(id);
	};
	return {
		list: request => listAnswer(database, request, options),
		search: request => searchAnswer(database, request, options),
		facet: (name, request) => facetOf(database, name, request),
		session: ref => withSession(ref, id => sessionView(database, id), undefined),
		resolve: text => resolveRef(database, text),
		event(ref) {
			const colon = ref.lastIndexOf(':');
			const id = withSession(
				ref.slice(0, Math.max(0, colon)),
				session => eventRowId(database, session, ref.slice(colon + 1)),
				undefined,
			);
			return id === undefined ? undefined : eventView(database, id);
		},
		events: (session, range) => withSession(session, id => eventsOf(database, id, range), []),
		findInSession: (session, query) =>
			withSession(session, id => findInSession(database, id, query), []),
		outline: session => withSession(session, id => outlineOf(database, id), []),
		landmarks: session =>
			withSession(session, id => landmarksOf(database, id), {errors: [], code: []}),
		files: session => withSession(session, id => filesOf(database, id), []),
		children: session => withSession(session, id => childrenOf(database, id), []),
		followers: session => withSession(session, id => followersOf(database, id), []),
		counts: () => countSessions(database),
		stats: sinceMs => statsOf(database, sinceMs),
		roots: () => rootViews(database),
		problems: agent => problemsOf(database, agent),
		unknownKinds: () => unknownKindsOf(database),
	};
};
