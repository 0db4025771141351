/** Settings of an agent or an editor, for the few words in them that matter here. */

import {readFileSync} from 'node:fs';
import {stampOf} from './walk.js';

/** Settings are typed by hand; a larger file is none. */
const SETTINGS_BYTES = 4 * 1024 * 1024;

/** The text of a file with settings; empty if there is none. */
export const settingsText = (path: string): string => {
	const stamp = stampOf(path);
	if (stamp === undefined || stamp.sizeBytes > SETTINGS_BYTES) return '';
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return ''; // not ours to read: then the agent's own folder is all we know
	}
};
