/** GitHub Copilot Chat in VS Code and its siblings: a document or a log of changes for each chat, below the editor's user folder. */

import {isAbsolute, join, resolve} from 'node:path';
import {foreignBy} from '../shared/foreign.js';
import {at, textOf} from '../shared/narrow.js';
import {rawInFile} from '../shared/read-raw.js';
import {configRoots, defaultRoots, distinctRoots, expandHome} from '../shared/roots.js';
import type {Adapter, ResumePlan, Root, Surroundings} from '../types.js';
import {discover} from './discover.js';
import {rawInLog} from './document.js';
import {read} from './read.js';

/** Editors with this store, by the name of their folder. */
const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Code - OSS', 'Positron'];
/** Where the editor's other half runs on a remote machine. */
const SERVERS = ['.vscode-server', '.vscode-server-insiders'];

const configFolder = ({home, env, platform}: Surroundings): string => {
	if (platform === 'darwin') return join(home, 'Library', 'Application Support');
	if (platform === 'win32') return textOf(env['APPDATA']) ?? join(home, 'AppData', 'Roaming');
	const config = env['XDG_CONFIG_HOME'] ?? '';
	return isAbsolute(config) ? config : join(home, '.config');
};

const roots = (around: Surroundings): readonly Root[] => {
	const config = configFolder(around);
	const builtIn = [
		...EDITORS.map(editor => join(config, editor, 'User')),
		...SERVERS.map(server => join(around.home, server, 'data', 'User')),
	];
	const extraRoots = around.extraRoots.map(root => {
		return {...root, path: resolve(expandHome(root.path, around.home))};
	});
	return distinctRoots([...defaultRoots(...builtIn), ...configRoots({extraRoots})]);
};

const resume = (): ResumePlan => ({
	reason:
		'VS Code opens no given chat from the command line: open its folder, run "Chat: Show Chats…" and pick the title',
});

export const vscodeCopilot: Adapter = {
	id: 'vscode-copilot',
	label: 'VS Code Copilot Chat',
	shortLabel: 'VS Code',
	parserVersion: 1,
	checked: ['1.134'],
	// Ids of requests are random in new chats, and counted in some that were converted.
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	raw: (source, locator) => rawInLog(locator) ?? rawInFile(source, locator),
	// A document, or a log that begins with one.
	foreign: foreignBy({
		idIn: record =>
			[record, at(record, 'v')]
				.map(chat => (Array.isArray(at(chat, 'requests')) ? at(chat, 'sessionId') : undefined))
				.find(id => id !== undefined),
		at: (id, record) =>
			`globalStorage/emptyWindowChatSessions/${id}.${'requests' in record ? 'json' : 'jsonl'}`,
	}),
	resume,
};
