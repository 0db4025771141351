import {readDate} from '../../store/search/dates.js';
import {statsLines} from '../app/stats-lines.js';
import {EXIT, UsageError} from '../errors.js';
import {detectTheme} from '../terminal/theme.js';
import {cut} from '../terminal/width.js';
import type {Invocation} from './command.js';
import {withHistory} from './history.js';
import {plainLine, printJson, printLines} from './output.js';
import {adapterOf} from './plain.js';
import type {statsFlags} from './table.js';

type StatsInvocation = Invocation<typeof statsFlags>;

export const run = (invocation: StatsInvocation): Promise<number> =>
	withHistory(invocation, ({library}) => {
		const {flags, host} = invocation;
		const stats = library.stats(sinceOf(invocation));
		if (flags.json) {
			printJson({schemaVersion: 1, since: flags.since ?? null, ...stats});
			return EXIT.done;
		}
		const look = {
			columns: host.columns,
			isUnicode: detectTheme(host.env, host.isOutputTty).isUnicode,
			agentLabel: (agent: string) => adapterOf(agent)?.label ?? agent,
		};
		const lines = statsLines(stats, look).map(line => line.map(({text}) => text).join(''));
		printLines(lines.map(line => cut(plainLine(line), host.columns)));
		return EXIT.done;
	});

const sinceOf = ({flags, host}: StatsInvocation): number => {
	if (flags.since === undefined) return 0;
	const date = readDate(flags.since, host.now());
	if (date === undefined)
		throw new UsageError(
			`--since takes a date such as 2d, 1w, today or 2026-11-01, not ${flags.since}`,
		);
	return date.kind === 'span' ? date.fromMs : date.atMs;
};
