import type {ListRow} from '../../store/library.js';
import type {Match, SearchHit, SessionView} from '../../store/types.js';
import type {Config} from '../config.js';
import {type SessionJson, sessionJson} from '../export/json.js';
import {planResume, type ResumeDecision, type ResumeOptions} from '../resume/plan.js';
import {sanitizeForFile, sanitizeLine} from '../terminal/sanitize.js';
import {adapterOf, isoTime} from './plain.js';

/** What `resume` would run, with the flags that the config adds. */
export const resumeDecision = (
	session: SessionView,
	flags: Config['flags'],
	options: ResumeOptions = {},
): ResumeDecision => {
	const adapter = adapterOf(session.agent);
	return adapter === undefined
		? {reason: `This version does not know the agent ${session.agent}.`}
		: planResume(session, adapter, {...options, flags: flags[session.agent]});
};

export const fullSession = (session: SessionView, flags: Config['flags']): SessionJson =>
	sessionJson(session, resumeDecision(session, flags));

export const listedSession = ({session, match}: ListRow, flags: Config['flags']): SessionJson =>
	sessionJson(session, resumeDecision(session, flags), match);

/** The hit object of the command line. */
export const hitJson = ({session, ...hit}: SearchHit) => {
	const {snippet, matches} = cleanSnippet(hit.snippet, hit.matches);
	return {
		session: sanitizeForFile(session.ref),
		event: sanitizeForFile(hit.event),
		agent: session.agent,
		title: sanitizeLine(session.title),
		project: session.project && sanitizeLine(session.project),
		kind: hit.kind,
		role: hit.role,
		at: isoTime(hit.atMs),
		snippet,
		matches,
		score: hit.score,
		more: hit.more,
	};
};

/** Sanitises piece by piece: what is dropped before a match moves it. */
export const cleanSnippet = (
	text: string,
	matches: readonly Match[],
): {readonly snippet: string; readonly matches: readonly Match[]} => {
	const clean = (piece: string) => sanitizeForFile(piece).replace(/\s+/g, ' ');
	const moved: Match[] = [];
	let snippet = '';
	let done = 0;
	for (const [start, end] of matches) {
		snippet += clean(text.slice(done, start));
		const from = snippet.length;
		snippet += clean(text.slice(start, end));
		if (snippet.length > from) moved.push([from, snippet.length]);
		done = end;
	}
	return {snippet: snippet + clean(text.slice(done)), matches: moved};
};
