/** The two workers behind the app: one searches, one reads what changed. */

import {startSearch} from '../search-client.js';
import {startSync} from '../sync-client.js';
import type {BrowseOptions, Place} from './browse.js';

/** Longer than this nobody waits for workers to end by themselves. */
const closeLimitMs = 1_500;

const isSource = import.meta.url.endsWith('.tsx');
const workerUrl = (name: string): URL =>
	new URL(isSource ? `../${name}.ts` : `./${name}.js`, import.meta.url);

const withinLimit = (work: Promise<unknown>): Promise<unknown> => {
	let timer: NodeJS.Timeout | undefined;
	const limit = new Promise(resolve => {
		timer = setTimeout(resolve, closeLimitMs);
	});
	return Promise.race([work, limit]).finally(() => clearTimeout(timer));
};

/** Starts both; `close` lets them end what they are at. */
export const startWorkers = (
	{home, env, dataFolder}: Place,
	{host, config, paths}: BrowseOptions,
) => {
	const facts = {
		folder: dataFolder,
		home,
		platform: host.platform,
		env,
		extraRoots: config.roots,
		logFile: paths.logFile,
	};
	const backend = startSearch(workerUrl('search-worker'), {
		...facts,
		cwd: host.cwd,
		flags: config.flags,
	});
	const sync = startSync(workerUrl('sync-worker'), {
		...facts,
		hiddenAgents: config.hiddenAgents,
		isMirroring: config.mirror,
	});
	const close = async () => {
		await withinLimit(Promise.all([backend.close(), sync.close()]));
		await Promise.all([backend.terminate(), sync.terminate()]);
	};
	return {backend, sync, close};
};
