/** Reads JSON documents that their agent rewrites as a whole. */

import {readFileSync, statSync} from 'node:fs';
import type {Problem, ProblemCode} from '../model.js';
import {sizeLabel} from './content.js';
import {errorText, isAbsent} from './errors.js';

/** Largest document that is loaded. */
const DOCUMENT_LIMIT = 64 * 1024 * 1024;

export type JsonDocument =
	| {readonly value: unknown; readonly problem?: undefined}
	| {readonly problem: Problem; readonly value?: undefined};

const problem = (code: ProblemCode, where: string, detail: string): JsonDocument => ({
	problem: {code, where, detail},
});

const parse = (path: string, text: string): JsonDocument => {
	try {
		return {value: JSON.parse(text)};
	} catch (error) {
		// A document that is being written has no end yet; it is read again on the next pass.
		const code = /[}\]]\s*$/.test(text.slice(-200)) ? 'malformed-line' : 'truncated';
		return problem(code, path, errorText(error));
	}
};

/** The value of a JSON document; undefined when there is no such file. */
export const readJsonFile = (path: string, maxBytes = DOCUMENT_LIMIT): JsonDocument | undefined => {
	try {
		const stats = statSync(path);
		if (!stats.isFile()) return problem('unreadable', path, 'not a regular file');
		if (stats.size > maxBytes) {
			const size = `${sizeLabel(stats.size)}, limit ${sizeLabel(maxBytes)}`;
			return problem('limit', path, `document too large: ${size}`);
		}
		return parse(path, readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
	} catch (error) {
		if (isAbsent(error)) return undefined;
		return problem('unreadable', path, errorText(error));
	}
};
