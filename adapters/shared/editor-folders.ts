/** Where VS Code and its siblings keep what belongs to a user: settings, and a folder for each extension. */

import {isAbsolute, join} from 'node:path';
import type {Surroundings} from '../types.js';
import {textOf} from './narrow.js';

/** Editors that take the extensions of VS Code, by the name of their folder. */
const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];
/** Where the editor's other half runs on a remote machine. */
const SERVERS = ['.vscode-server', '.cursor-server'];

/** The folder in which programs keep their settings. */
export const configFolder = ({home, env, platform}: Surroundings): string => {
	if (platform === 'darwin') return join(home, 'Library', 'Application Support');
	if (platform === 'win32') return textOf(env['APPDATA']) ?? join(home, 'AppData', 'Roaming');
	const config = env['XDG_CONFIG_HOME'] ?? '';
	return isAbsolute(config) ? config : join(home, '.config');
};

/** The user folders of all editors, whether they exist or not. */
export const editorUserFolders = (around: Surroundings): readonly string[] => [
	...EDITORS.map(editor => join(configFolder(around), editor, 'User')),
	...SERVERS.map(server => join(around.home, server, 'data', 'User')),
];
