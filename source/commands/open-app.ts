import {runBrowse} from './browse.js';
import type {Invocation} from './command.js';
import {filtersOf, queryOf} from './filters.js';
import type {browseFlags} from './table.js';

export const run = (invocation: Invocation<typeof browseFlags>): Promise<number> => {
	const {flags, host, paths, config, configProblems} = invocation;
	return runBrowse({
		query: queryOf(invocation),
		filters: filtersOf(invocation),
		isPrint: flags.print === true,
		isDemo: flags.demo === true,
		host,
		paths,
		config,
		configProblems,
	});
};
