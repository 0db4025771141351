/** OpenCode: one database, and documents of the time before it. */

import {createFamilyAdapter} from './shared/session-parts/family.js';
import {withoutQuotes} from './shared/session-parts/typed-text.js';

const MAIN = 'opencode.db';
/** Builds that are no release keep `opencode-<channel>.db`. */
const CHANNEL = /^opencode-[\w.-]+\.db$/;

export const opencode = createFamilyAdapter({
	id: 'opencode',
	label: 'OpenCode',
	shortLabel: 'OpenCode',
	parserVersion: 1,
	checked: ['1.18.34', '1.18.33'],
	folder: 'opencode',
	databaseVariable: 'OPENCODE_DB',
	mainDatabase: MAIN,
	databasesIn: names => [
		...names.filter(name => name === MAIN),
		...names.filter(name => CHANNEL.test(name)),
	],
	hasTrees: true,
	command: 'opencode',
	canFork: true,
	hasPrompt: true,
	unattendedFlags: ['--auto'],
	dialect: {typedText: withoutQuotes},
});
