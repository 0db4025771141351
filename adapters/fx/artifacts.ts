/** Outputs of tools: files of their own below `tool-results/`. The records hold only how they begin. */

import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {stampOf} from '../shared/walk.js';

const LIMIT_BYTES = 8 * 1024 * 1024;
const NAME = /^[\w-][\w.-]{0,254}$/;

/** The text of an output; undefined if it is not there, not a text, or too large. */
export const artifactText = (folder: string, name: string): string | undefined => {
	if (!NAME.test(name)) return undefined;
	const stamp = stampOf(join(folder, 'tool-results', name));
	if (stamp === undefined || stamp.sizeBytes > LIMIT_BYTES) return undefined;
	try {
		const text = readFileSync(stamp.path, 'utf8');
		return text.includes('\0') ? undefined : text;
	} catch {
		return undefined; // gone or not ours to read: its beginning has to do
	}
};
