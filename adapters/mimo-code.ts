/** MiMo Code, a fork of OpenCode. */

import {createFamilyAdapter} from './shared/session-parts/family.js';
import {withoutQuotes} from './shared/session-parts/typed-text.js';

const MAIN = 'mimocode.db';

export const mimoCode = createFamilyAdapter({
	id: 'mimo-code',
	label: 'MiMo Code',
	shortLabel: 'MiMo',
	parserVersion: 1,
	// Only the schema is known: columns are probed.
	checked: ['2026-08'],
	folder: 'mimocode',
	databaseVariable: 'MIMOCODE_DB',
	homeVariable: 'MIMOCODE_HOME',
	mainDatabase: MAIN,
	databasesIn: names => names.filter(name => name === MAIN),
	hasTrees: false,
	command: 'mimo',
	canFork: false,
	dialect: {typedText: withoutQuotes},
});
