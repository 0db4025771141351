/** Which call started a sub-agent: only the log of its parent says so. */

import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {compact} from '../shared/compact.js';
import {readLines} from '../shared/jsonl.js';
import {at, recordOf, textOf} from '../shared/narrow.js';
import {parseRecord} from '../shared/records.js';
import type {Source} from '../types.js';
import type {Json} from './content.js';
import type {Place} from './discover.js';
import type {Progress} from './progress.js';

type Spawn = NonNullable<Progress['spawn']>;

const parentLog = ({path}: Source, {form, agentId = ''}: Place, state: Json): string => {
	const parent = textOf(at(state, 'agents', agentId, 'parentAgentId')) ?? 'main';
	const folder = dirname(path);
	return form === 'new'
		? join(dirname(folder), parent, 'wire.jsonl')
		: join(dirname(dirname(folder)), 'wire.jsonl');
};

const spawnIn = (record: Json, agentId: string): Spawn | undefined => {
	if (record['type'] === 'subagent.spawned' && record['subagentId'] === agentId) {
		return compact({
			callId: textOf(record['parentToolCallId']),
			description: textOf(record['description']),
		});
	}
	const payload = recordOf(at(record, 'message', 'payload'));
	if (payload['agent_id'] !== agentId) return undefined;
	return compact({callId: textOf(payload['parent_tool_call_id'])});
};

/** Lines are parsed only if they name such a record. */
const MARKS = ['"subagent.spawned"', '"SubagentEvent"'] as const;

export const findSpawn = (source: Source, place: Place, state: Json): Spawn | undefined => {
	const path = parentLog(source, place, state);
	if (place.agentId === undefined || path === source.path || !existsSync(path)) return undefined;
	for (const line of readLines(path)) {
		if (line.kind === 'long' || !MARKS.some(mark => line.text.includes(mark))) continue;
		const spawn = spawnIn(parseRecord(line.text) ?? {}, place.agentId);
		if (spawn !== undefined) return spawn;
	}
	return undefined;
};
