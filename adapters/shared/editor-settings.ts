/** Single settings out of an editor's `settings.json`, which may hold comments and trailing commas. */
import {readFileSync} from 'node:fs';
import {stampOf} from './walk.js';

/** Settings are typed by hand; a larger file is none. */
const SETTINGS_BYTES = 4 * 1024 * 1024;

const unquote = (quoted: string): string | undefined => {
	try {
		return String(JSON.parse(quoted));
	} catch {
		return undefined; // half typed
	}
};

const textIn = (path: string): string => {
	const stamp = stampOf(path);
	if (stamp === undefined || stamp.sizeBytes > SETTINGS_BYTES) return '';
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return ''; // not ours to read: then the agent's own folder is all we know
	}
};

/** The text that a setting has, unless its line is commented out. */
export const settingIn = (path: string, name: string): string | undefined => {
	const key = name.replaceAll('.', '\\.');
	const line = new RegExp(`(?:^|[,{])[ \\t]*"${key}"\\s*:\\s*("(?:[^"\\\\\\n]|\\\\.)*")`, 'm');
	const quoted = line.exec(textIn(path))?.[1];
	return quoted === undefined ? undefined : unquote(quoted);
};
