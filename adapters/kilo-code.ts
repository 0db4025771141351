/** Kilo Code: the command line program, a fork of OpenCode. */
import {createFamilyAdapter} from './shared/session-parts/family.js';
import {withoutQuotes} from './shared/session-parts/typed-text.js';

const MAIN = 'kilo.db';
const CHANNEL = /^kilo-[\w.-]+\.db$/;
/** Names of early builds, which count only as long as there is no new one. */
const EARLY = /^opencode(-[\w.-]+)?\.db$/;

const ENVIRONMENT = {start: '<environment_details>', end: '</environment_details>'} as const;

/** Without the state of the editor that may stand behind a prompt. */
const withoutEnvironment = (text: string): string => {
	if (!text.trimEnd().endsWith(ENVIRONMENT.end)) return text;
	const start = text.lastIndexOf(ENVIRONMENT.start);
	return start === -1 ? text : text.slice(0, start).trimEnd();
};

const databasesIn = (names: readonly string[]): readonly string[] => {
	const there = new Set(names);
	return [
		...names.filter(name => name === MAIN),
		...names.filter(name => CHANNEL.test(name)),
		...names.filter(
			name =>
				EARLY.test(name) &&
				!there.has(name.replace(EARLY, (_, channel = '') => `kilo${channel}.db`)),
		),
	];
};

export const kiloCode = createFamilyAdapter({
	id: 'kilo-code',
	label: 'Kilo Code',
	shortLabel: 'Kilo',
	parserVersion: 1,
	checked: ['7.7.9', '7.7.7'],
	folder: 'kilo',
	databaseVariable: 'KILO_DB',
	mainDatabase: MAIN,
	databasesIn,
	hasTrees: true,
	command: 'kilo',
	canFork: true,
	dialect: {typedText: text => withoutQuotes(withoutEnvironment(text))},
});
