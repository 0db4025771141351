/** Single settings out of an editor's `settings.json`, which may hold comments and trailing commas. */

import {settingsText} from './settings-text.js';

const unquote = (quoted: string): string | undefined => {
	try {
		return String(JSON.parse(quoted));
	} catch {
		return undefined; // half typed
	}
};

/** The text that a setting has, unless its line is commented out. */
export const settingIn = (path: string, name: string): string | undefined => {
	const key = name.replaceAll('.', '\\.');
	const line = new RegExp(`(?:^|[,{])[ \\t]*"${key}"\\s*:\\s*("(?:[^"\\\\\\n]|\\\\.)*")`, 'm');
	const quoted = line.exec(settingsText(path))?.[1];
	return quoted === undefined ? undefined : unquote(quoted);
};
