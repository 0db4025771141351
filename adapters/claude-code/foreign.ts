/** A transcript that lies anywhere, recognised by its records. */

import {isRecord, recordOf, textOf} from '../shared/narrow.js';
import {UUID} from '../shared/session-ids.js';
import type {ForeignPlace} from '../types.js';
import {agentIdOf} from './sidecars.js';

type Head = readonly Readonly<Record<string, unknown>>[];

const isMessage = (record: Readonly<Record<string, unknown>>): boolean =>
	(record['type'] === 'user' || record['type'] === 'assistant') &&
	textOf(record['uuid']) !== undefined &&
	isRecord(record['message']) &&
	'content' in recordOf(record['message']);

const AGENT_ID = /^[\w-]+$/;

export const foreign = (head: Head): ForeignPlace | undefined => {
	const message = head.find(isMessage);
	const rootId = textOf(message?.['sessionId']);
	if (message === undefined || rootId === undefined || !UUID.test(rootId)) return undefined;
	const agentId = message['isSidechain'] === true ? agentIdOf(message['agentId']) : undefined;
	return agentId !== undefined && AGENT_ID.test(agentId)
		? {at: `projects/imported/${rootId}/subagents/agent-${agentId}.jsonl`}
		: {at: `projects/imported/${rootId}.jsonl`};
};
