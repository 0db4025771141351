import type {ParentLink} from '../model.js';
import {isRecord} from '../shared/narrow.js';

const UUID = /^[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/i;

export const isSessionId = (id: string): boolean => UUID.test(id);

/** The parent that `subagentInfo` names. Builds call the field differently: `parentAgentId`, `parentComposerId`. */
export const parentOf = (subagentInfo: unknown): ParentLink | undefined => {
	if (!isRecord(subagentInfo)) return undefined;
	const id = Object.entries(subagentInfo)
		.filter(([name]) => /^parent.*Id$/i.test(name))
		.map(([, value]) => value)
		.find((value): value is string => typeof value === 'string' && isSessionId(value));
	return id === undefined ? undefined : {id, relation: 'subagent', certainty: 'exact'};
};
