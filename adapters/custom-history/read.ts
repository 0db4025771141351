/** Reads one session out of a file of many. */

import type {FileTouch, Locator, ParentLink, Problem, SessionFacts} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {readJsonLines} from '../shared/jsonl.js';
import {at, recordOf, textOf} from '../shared/narrow.js';
import {eventOf, type Form} from '../shared/rows/events.js';
import {timeMs} from '../shared/time.js';
import {type Batch, type Source, SourceUnreadable} from '../types.js';
import {withoutCopies} from './lineage.js';
import {formOf, isIndex, type Json, keyOf, type Place, sessionKey, touchOf} from './records.js';

interface Line {
	readonly record: Json;
	readonly number: number;
	readonly locator: Locator;
}

/** What a file holds of a session. */
interface Found {
	session: Json | undefined;
	readonly events: Line[];
	readonly touches: Json[];
	readonly problems: Problem[];
}

const KNOWN: ReadonlySet<unknown> = new Set(['manifest', 'source', 'session', 'edge']);
const TOUCHES: ReadonlySet<unknown> = new Set(['file_reference', 'file_touch']);

const bad = (number: number, detail: string): Problem => ({
	code: 'bad-record',
	where: `line ${number}`,
	detail,
});

/** Events may come before their session: what belongs to none is known at the end. */
const find = (path: string, place: Place): Found => {
	const found: Found = {session: undefined, events: [], touches: [], problems: []};
	const own = keyOf({source_id: place.sourceId, session_id: place.session});
	const sessions = new Set<string>();
	const others: {readonly key: string; readonly number: number}[] = [];
	// Texts are compared as JSON has them; an exporter that escapes more has its lines parsed by the first session only.
	const needle = JSON.stringify(place.session);
	const options = place.isFirst ? {} : {isWanted: (text: string) => text.includes(needle)};
	for (const line of readJsonLines(path, {offset: 0, lineNumber: 0}, options)) {
		const {record, problem, number, offset, length} = line;
		if (problem !== undefined) {
			if (place.isFirst) found.problems.push(problem);
			continue;
		}
		const type = record['record_type'];
		const key = keyOf(record);
		if (type === 'session') {
			sessions.add(key);
			if (key === own) found.session ??= record;
		} else if (type === 'event' || TOUCHES.has(type)) {
			if (!isIndex(record['event_index'])) {
				if (key === own) found.problems.push(bad(number, 'event_index is no whole number'));
			} else if (key !== own) others.push({key, number});
			else if (type === 'event') found.events.push({record, number, locator: {offset, length}});
			else found.touches.push(record);
		} else if (!KNOWN.has(type) && place.isFirst) {
			found.problems.push(bad(number, 'a record of a kind that is not known'));
		}
	}
	for (const {key, number} of place.isFirst ? others : []) {
		if (!sessions.has(key)) found.problems.push(bad(number, 'of a session that is not there'));
	}
	return found;
};

/** `agent_scope`, or what it was called before. */
const isSubagent = (session: Json): boolean => {
	const {agent_scope: scope, is_primary: isPrimary, agent_type: type} = session;
	if (typeof scope === 'string') return scope === 'subagent';
	if (typeof isPrimary === 'boolean') return !isPrimary;
	return typeof type === 'string' && type !== 'primary' && type !== 'unknown';
};

const RELATIONS: Readonly<Record<string, ParentLink['relation']>> = {
	delegated: 'subagent',
	forked: 'fork',
	resumed_from: 'continuation',
	workflow_child: 'subagent',
};

/** Relationships count under the contract only; else a parent is related in a way that is not known. */
const parentOf = (session: Json, place: Place): ParentLink | undefined => {
	const parent = textOf(session['parent_session_id']);
	if (parent === undefined) return undefined;
	const id = sessionKey(place.provider, parent);
	const stated = place.isNative ? RELATIONS[String(session['session_relationship'])] : undefined;
	if (stated !== undefined) return {id, relation: stated, certainty: 'exact'};
	return {id, relation: isSubagent(session) ? 'subagent' : 'fork', certainty: 'unknown'};
};

const isChild = (session: Json, parent: ParentLink | undefined): boolean =>
	parent === undefined ? isSubagent(session) : parent.relation === 'subagent';

const factsOf = (session: Json, place: Place): SessionFacts => {
	const parent = parentOf(session, place);
	return compact({
		cwd: textOf(session['cwd']),
		model: textOf(at(session, 'metadata', 'model')),
		isSubagent: isChild(session, parent) ? true : undefined,
		parent,
		createdAtMs: timeMs(session['started_at']),
		updatedAtMs: timeMs(session['ended_at']) ?? timeMs(session['started_at']),
	});
};

const touchesByIndex = (touches: readonly Json[]): ReadonlyMap<unknown, readonly FileTouch[]> => {
	const byIndex = new Map<unknown, readonly FileTouch[]>();
	for (const record of touches) {
		const touch = touchOf(record);
		const index = record['event_index'];
		if (touch !== undefined) byIndex.set(index, [...(byIndex.get(index) ?? []), touch]);
	}
	return byIndex;
};

const withFiles = (form: Form, files: readonly FileTouch[] | undefined): Form =>
	form.tool === undefined || files === undefined
		? form
		: {...form, tool: {...form.tool, files: [...(form.tool.files ?? []), ...files]}};

/** @throws SourceUnreadable when the session is not there any more. */
export function* read(source: Source): Generator<Batch> {
	const place = recordOf(source.extra) as unknown as Place;
	const {session, events, touches, problems} = find(source.path, place);
	if (session === undefined) throw new SourceUnreadable('unreadable', `gone: ${source.key}`);
	const batch = createBatch(source.sessionId ?? '');
	const facts = factsOf(session, place);
	batch.patch(facts);
	for (const problem of problems) batch.problem(problem);
	const files = touchesByIndex(touches);
	const names = new Map<string, string>();
	const keys = new Set<string>();
	let task: string | undefined;
	const indexOf = ({record}: Line): number => Number(record['event_index']);
	const own = withoutCopies(events, {path: source.path, place, session});
	for (const {record, number, locator} of own.toSorted((a, b) => indexOf(a) - indexOf(b))) {
		const id = textOf(record['event_id']) ?? `e${record['event_index']}`;
		const key = keys.has(id) ? `l${number}` : id;
		keys.add(key);
		const at = {key, atMs: timeMs(record['occurred_at']), locator, model: facts.model ?? undefined};
		const form = formOf(record, {place: at, names}, batch.unknown);
		const isTask = facts.isSubagent === true && task === undefined && form.role === 'user';
		if (isTask) task = form.text;
		const told: Form = isTask ? {kind: 'meta', text: form.text} : form;
		batch.event(eventOf(at, 0, withFiles(told, files.get(record['event_index']))));
		if (batch.isFull()) yield batch.take(END);
	}
	if (task !== undefined) batch.patch({description: task});
	yield batch.take(END);
}
