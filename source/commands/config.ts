import {EXIT} from '../errors.js';
import {readOwnKeys} from '../keymap/own-keys.js';
import type {Invocation} from './command.js';
import type {jsonFlag} from './flags.js';
import {note, printJson, printLines} from './output.js';

export const run = ({
	flags,
	config,
	configProblems,
	paths,
}: Invocation<typeof jsonFlag>): number => {
	const {configFile, dataFolder} = paths;
	const keyProblems = readOwnKeys(config.keys).problems;
	for (const problem of keyProblems) note(problem);
	if (flags.json)
		printJson({
			schemaVersion: 1,
			path: configFile,
			dataFolder,
			config,
			problems: [...configProblems, ...keyProblems],
		});
	else
		printLines([
			`settings  ${configFile}`,
			`data      ${dataFolder}`,
			...JSON.stringify(config, undefined, 2).split('\n'),
		]);
	return EXIT.done;
};
