import {existsSync} from 'node:fs';
import {adapters} from '../../adapters/registry.js';
import type {Adapter} from '../../adapters/types.js';
import {createTheme, detectTheme} from '../terminal/theme.js';
import type {Invocation} from './command.js';
import type {RowOptions} from './rows.js';

export const adapterOf = (agent: string): Adapter | undefined =>
	adapters.find(({id}) => id === agent);

/** ISO 8601 UTC, as every time on the command line. */
export const isoTime = (atMs: number | null): string | null =>
	atMs === null ? null : new Date(atMs).toISOString();

/** How plain rows look in this terminal, or file. */
export const rowOptions = ({host, config}: Invocation): RowOptions => {
	const {isUnicode} = detectTheme(host.env, host.isOutputTty);
	const {symbol} = createTheme({name: config.theme, isColour: false, isUnicode});
	return {
		columns: host.columns,
		nowMs: host.now(),
		symbol,
		agentLabel: agent => adapterOf(agent)?.shortLabel ?? agent,
		isDirectoryMissing: ({cwd}) => cwd !== null && !existsSync(cwd),
	};
};
