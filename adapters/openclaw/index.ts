/** OpenClaw (earlier Clawdbot, Moltbot): a database per agent; up to 2026.7.1 logs. The records are those of Pi. */

import type {SessionFacts} from '../model.js';
import {compact} from '../shared/compact.js';
import {foreignBy} from '../shared/foreign.js';
import {recordOf} from '../shared/narrow.js';
import {headFacts, headId, readHead} from '../shared/pi/head.js';
import {readLog} from '../shared/pi/log.js';
import type {Progress} from '../shared/pi/progress.js';
import {rawInFile} from '../shared/read-raw.js';
import type {Adapter, Batch, Cursor, ResumePlan, ResumeRequest, Source} from '../types.js';
import {discover, type Place} from './discover.js';
import {isAutomatedKey, isSubagentKey} from './keys.js';
import {dialectOf} from './prompts.js';
import {roots} from './roots.js';
import {rawRecord} from './transcript.js';
import {readWindow} from './window.js';

function* readTranscript(source: Source, from?: Cursor): Generator<Batch> {
	const head = readHead(source.path);
	if (head === undefined) return;
	const {key = ''} = recordOf(source.extra) as unknown as Place;
	const kind = {isSubagent: isSubagentKey(key), isAutomated: isAutomatedKey(key)};
	const facts = (progress: Progress): SessionFacts =>
		compact({
			...headFacts(head),
			model: progress.model,
			description: kind.isSubagent ? progress.task : undefined,
		});
	yield* readLog(source, from, {sessionId: headId(head), dialect: dialectOf(kind), facts});
}

/** Keys such as `agent:main:telegram:group:42`. */
const SESSION_KEY = /^[\p{L}\p{N}][^\s\p{Cc}]*$/u;

const resume = ({archived, isSubagent, resumeEnv, hint}: ResumeRequest): ResumePlan => {
	const key = hint['key'];
	if (isSubagent) return {reason: 'sub-agent transcripts cannot be resumed; resume the parent'};
	if (hint['earlier'] !== undefined) {
		return {
			reason: `an earlier transcript of its conversation; only the newest can be resumed: openclaw resume ${hint['earlier']}`,
		};
	}
	if (archived && key === undefined) {
		return {reason: 'an archived transcript; only the newest of a conversation can be resumed'};
	}
	if (key === undefined || !SESSION_KEY.test(key)) {
		return {reason: 'OpenClaw resumes a conversation by its session key, and the store names none'};
	}
	// The gateway knows where the agent works.
	return {argv: ['openclaw', 'resume', key], cwd: null, env: resumeEnv};
};

export const openclaw: Adapter = {
	id: 'openclaw',
	label: 'OpenClaw',
	shortLabel: 'OpenClaw',
	parserVersion: 1,
	checked: ['2026.9.6'],
	hasGlobalKeys: false,
	roots,
	discover,
	read: (source, from) =>
		source.mark === undefined ? readTranscript(source, from) : readWindow(source),
	raw: (source, locator) =>
		'table' in locator
			? rawRecord(source.path, source.sessionId ?? '', locator)
			: rawInFile(source, locator),
	foreign: foreignBy({
		idIn: ({type, id, timestamp}) => type === 'session' && typeof timestamp === 'string' && id,
		at: id => `agents/imported/sessions/${id}.jsonl`,
	}),
	resume,
};
