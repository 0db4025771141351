/** What a session has taken back. */

import {listOf, textOf} from '../narrow.js';
import type {Json} from './records.js';

/** True for a part that is no longer on the branch that the session is on. */
export type IsUndone = (messageId: string, partId: string) => boolean;

const nothing: IsUndone = () => false;

/** `{messageID, partID?}`: undone from there on, until the next prompt deletes it. Ids ascend in time. */
const fromPlace = ({messageID, partID}: Json): IsUndone => {
	const firstMessage = textOf(messageID);
	if (firstMessage === undefined) return nothing;
	const firstPart = textOf(partID);
	return (messageId, partId) =>
		messageId > firstMessage ||
		(messageId === firstMessage && (firstPart === undefined || partId >= firstPart));
};

/** ZCode deletes nothing: what is kept is named, and what was said after the cut is on the branch. */
const offBranch = (revert: Json, messageIds: readonly string[]): IsUndone => {
	const kept = new Set(listOf(revert['keptMessageIDs']));
	const cut = messageIds.indexOf(textOf(revert['branchCutAfterMessageID']) ?? '');
	const undone = new Set(messageIds.filter((id, index) => index <= cut && !kept.has(id)));
	return messageId => undone.has(messageId);
};

/** Reads `session.revert`, with the ids of all messages in order. */
export const undoneBy = (revert: Json, messageIds: readonly string[]): IsUndone =>
	Array.isArray(revert['keptMessageIDs']) ? offBranch(revert, messageIds) : fromPlace(revert);
