import {EXIT} from '../errors.js';
import type {Invocation} from './command.js';
import type {jsonFlag} from './flags.js';
import {printJson, printLines} from './output.js';

export const run = ({
	flags,
	config,
	configProblems,
	paths,
}: Invocation<typeof jsonFlag>): number => {
	const {configFile, dataFolder} = paths;
	if (flags.json)
		printJson({
			schemaVersion: 1,
			path: configFile,
			dataFolder,
			config,
			problems: configProblems,
		});
	else
		printLines([
			`settings  ${configFile}`,
			`data      ${dataFolder}`,
			...JSON.stringify(config, undefined, 2).split('\n'),
		]);
	return EXIT.done;
};
