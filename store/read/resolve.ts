/**
 * What a REF on the command line leads to (DESIGN section 3): a session or event reference, a native id, or an unambiguous
 * beginning. Session ids may hold colons, so a reference is looked up at every colon and never split blindly.
 */
import type {Resolution} from '../library.js';
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import {eventRowId, eventView} from './events.js';
import {refOf, sessionRowId, sessionView} from './sessions.js';

const PREFIX_CHARS = 6;

interface Candidate {
	readonly id: number;
	readonly agent: string;
	readonly native_id: string;
	readonly is_subagent: number;
}

/** An exact match wins over beginnings; each rule is asked only when the ones before it found nothing. */
export const resolveRef = (database: Database, text: string): Resolution => {
	const session = sessionRowId(database, text);
	if (session !== undefined) return sessionResolution(database, session);
	const event = exactEvent(database, text);
	if (event !== undefined) return eventResolution(database, event);
	for (const rule of SESSION_RULES) {
		const found = rule(database, text);
		if (found.length > 0) return oneOrSeveral(database, found);
	}
	return eventByBeginning(database, text);
};

const exactEvent = (database: Database, text: string): number | undefined => {
	const colon = text.lastIndexOf(':');
	const session = colon < 0 ? undefined : sessionRowId(database, text.slice(0, colon));
	return session === undefined ? undefined : eventRowId(database, session, text.slice(colon + 1));
};

type SessionRule = (database: Database, text: string) => readonly Candidate[];

const FIELDS = 'SELECT id, agent, native_id, is_subagent FROM session WHERE hidden_by IS NULL AND';

const candidates = (database: Database, condition: string, values: readonly string[]) =>
	prepared(database)(`${FIELDS} ${condition} ORDER BY updated_at DESC, id DESC`).all(
		...values,
	) as Candidate[];

/** A sub-agent by its own id: the part behind the `/`. */
const byOwnAgentId: SessionRule = (database, text) =>
	text.length === 0
		? []
		: candidates(database, "substr(native_id, -length(?) - 1) = '/' || ?", [text, text]);

/** Sessions whose id begins with the text, which may start with the agent. */
const byBeginning: SessionRule = (database, text) => {
	const colon = text.indexOf(':');
	return [
		...beginningWith(database, text),
		...(colon < 0 ? [] : beginningWith(database, text.slice(colon + 1), text.slice(0, colon))),
	];
};

/** The beginning of a parent's id means the parent: a sub-agent fits only when its own part is reached. */
const beginningWith = (database: Database, beginning: string, agent?: string) => {
	if (beginning.length < PREFIX_CHARS) return [];
	const found = candidates(database, 'native_id >= ? AND native_id < ?', rangeOf(beginning));
	return found.filter(candidate => {
		const slash = candidate.is_subagent === 1 ? candidate.native_id.indexOf('/') : -1;
		return beginning.length > slash + 1 && (agent ?? candidate.agent) === candidate.agent;
	});
};

const SESSION_RULES: readonly SessionRule[] = [
	(database, text) => candidates(database, 'native_id = ?', [text]),
	byOwnAgentId,
	byBeginning,
];

const rangeOf = (beginning: string): readonly [string, string] => [
	beginning,
	`${beginning}\u{10ffff}`,
];

/** `<session reference>:<beginning of a key>`. */
const eventByBeginning = (database: Database, text: string): Resolution => {
	const colon = text.lastIndexOf(':');
	const beginning = text.slice(colon + 1);
	const session = colon < 0 ? undefined : sessionRowId(database, text.slice(0, colon));
	if (session === undefined || beginning.length < PREFIX_CHARS) return {found: 'none'};
	const keys = prepared(database)(
		'SELECT key FROM event WHERE session_id = ? AND key >= ? AND key < ? ORDER BY position LIMIT 20',
	)
		.pluck()
		.all(session, ...rangeOf(beginning)) as string[];
	const first = keys[0] === undefined ? undefined : eventRowId(database, session, keys[0]);
	if (first === undefined) return {found: 'none'};
	if (keys.length === 1) return eventResolution(database, first);
	return {found: 'several', candidates: keys.map(key => `${text.slice(0, colon)}:${key}`)};
};

const oneOrSeveral = (database: Database, found: readonly Candidate[]): Resolution => {
	const [first, ...others] = found;
	if (first === undefined) return {found: 'none'};
	if (others.length === 0) return sessionResolution(database, first.id);
	return {
		found: 'several',
		candidates: found.map(({agent, native_id}) => refOf(agent, native_id)),
	};
};

const sessionResolution = (database: Database, id: number): Resolution => {
	const session = sessionView(database, id);
	return session ? {found: 'session', session} : {found: 'none'};
};

const eventResolution = (database: Database, id: number): Resolution => {
	const event = eventView(database, id);
	const owner = event && sessionRowId(database, event.session);
	const session = owner === undefined ? undefined : sessionView(database, owner);
	return event && session ? {found: 'event', session, event} : {found: 'none'};
};
