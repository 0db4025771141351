/** A session that is one JSON document: read whole, or not at all. */

import {SourceUnreadable} from '../types.js';
import {readJsonFile} from './json-file.js';
import {isRecord} from './narrow.js';

/**
 * The object that a document holds.
 * @throws SourceUnreadable when it is gone, half written or no object: what was read before stays, and the next change is looked at.
 */
export const readDocument = (path: string): Record<string, unknown> => {
	const document = readJsonFile(path);
	if (document === undefined) throw new SourceUnreadable('unreadable', `gone: ${path}`);
	const {problem, value} = document;
	if (problem !== undefined) throw new SourceUnreadable(problem.code, problem.detail);
	if (!isRecord(value)) throw new SourceUnreadable('unsupported-schema', `no object: ${path}`);
	return value;
};
