/** How a session hangs on another one, where the store states it. */

import type {ParentLink, SessionFacts} from '../model.js';
import {compact} from './compact.js';

export const parentLink = (
	id: string | undefined,
	relation: ParentLink['relation'],
	callId?: string,
): ParentLink | undefined =>
	id === undefined ? undefined : {id, relation, certainty: 'exact', ...compact({callId})};

/** Of a session that another one started. */
export const subagentFacts = (
	parentId: string | undefined,
	callId?: string,
): Pick<SessionFacts, 'isSubagent' | 'parent'> =>
	compact({
		isSubagent: parentId === undefined ? undefined : true,
		parent: parentLink(parentId, 'subagent', callId),
	});
