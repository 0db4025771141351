/** Reads a session: its messages, and what `metadata.json` says of it. */

import {basename, dirname} from 'node:path';
import {eventKey, type SessionFacts, type Usage} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {readDocument} from '../shared/document.js';
import {readJsonFile} from '../shared/json-file.js';
import {at, countOf, isRecord, listOf, textOf} from '../shared/narrow.js';
import {parentLink} from '../shared/parent.js';
import type {Place} from '../shared/rows/events.js';
import {timeMs} from '../shared/time.js';
import type {Batch, Source} from '../types.js';
import {firstOf, messageEvents, partsOf} from './messages.js';

const usageOf = (value: unknown, place: Place): Usage | undefined => {
	const usage = at(value, 'usage');
	if (!isRecord(usage)) return undefined;
	const count = (...names: readonly string[]): number => countOf(firstOf([usage], names));
	const [cacheRead, cacheWrite] = [count('cache_read_tokens'), count('cache_write_tokens')];
	const input = count('input_tokens', 'request_tokens') - cacheRead - cacheWrite;
	return compact({
		key: eventKey(place.key),
		input: Math.max(0, input),
		output: count('output_tokens', 'response_tokens'),
		cacheRead,
		cacheWrite,
		model: place.model,
		atMs: place.atMs,
	});
};

const timeOf = (value: unknown): number | undefined => {
	const stated = ['created_at', 'timestamp'].map(name => timeMs(at(value, name)));
	const parts = partsOf(value).map(part => timeMs(at(part, 'timestamp')));
	return [...stated, ...parts].find(time => time !== undefined);
};

/** `/clear` and `/prune` move messages to other places: the time says better which one it is. */
const keyOf = (value: unknown, index: number, taken: Set<string>): string => {
	const atMs = timeOf(value);
	const wanted = textOf(at(value, 'id')) ?? (atMs === undefined ? `${index}` : `t${atMs}`);
	const key = taken.has(wanted) ? `${wanted}-${index}` : wanted;
	taken.add(key);
	return key;
};

const TALK = ['message_history', 'messages'] as const;
const IDS = ['session_id', 'sessionId'];
const PARENTS = [
	'parent_session_id',
	'parentSessionId',
	'forked_from_session_id',
	'forkedFromSessionId',
	'fork_parent_id',
];

const factsOf = (context: unknown, metadata: unknown): SessionFacts => {
	const known = [metadata, context];
	const text = (...names: readonly string[]): string | undefined => textOf(firstOf(known, names));
	return compact({
		generatedTitle: text('title'),
		cwd: text('workspace_path', 'workspacePath', 'workspace', 'cwd'),
		branch: text('git_branch', 'branch', 'vcs_branch'),
		model: text('model'),
		parent: parentLink(text(...PARENTS), 'fork'),
		createdAtMs: timeMs(firstOf(known, ['created_at'])),
		updatedAtMs: timeMs(firstOf(known, ['updated_at'])),
	});
};

const PROMPT_ROLES: ReadonlySet<unknown> = new Set(['request', 'user']);

export function* read(source: Source): Generator<Batch> {
	const context = readDocument(source.path);
	const metadata = readJsonFile(source.files[1]?.path ?? '');
	const ids = firstOf([context, metadata?.value], IDS);
	const batch = createBatch(textOf(ids) ?? basename(dirname(source.path)));
	if (metadata?.problem !== undefined) batch.problem(metadata.problem);
	batch.patch(factsOf(context, metadata?.value));
	const list = TALK.find(name => Array.isArray(context[name])) ?? TALK[0];
	const [taken, names] = [new Set<string>(), new Map<string, string>()];
	for (const [index, value] of listOf(context[list]).entries()) {
		const model = textOf(at(value, 'model_name'));
		const place: Place = {
			key: keyOf(value, index, taken),
			atMs: timeOf(value),
			locator: {path: source.path, pointer: `/${list}/${index}`},
			model,
		};
		const role = at(value, 'role') ?? at(value, 'kind');
		const isReply = role === 'assistant' || role === 'response';
		const message = {isReply, isSystem: !isReply && !PROMPT_ROLES.has(role), place, names};
		if (model !== undefined) batch.patch({model});
		for (const event of messageEvents(value, message, kind => batch.unknown(kind))) {
			batch.event(event);
		}
		const usage = usageOf(value, place);
		if (usage !== undefined) batch.usage(usage);
	}
	yield batch.take(END);
}
