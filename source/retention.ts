import {existsSync} from 'node:fs';
import type {Adapter, Retention, Surroundings} from '../adapters/types.js';
import type {Database} from '../store/open.js';
import {dueSessions} from '../store/read/retention.js';
import {count} from './app/format.js';

const DAY_MS = 86_400_000;
/** What falls due within so many days is worth a word. */
const DUE_WITHIN_DAYS = 7;

/** What an agent's own clean-up will take from a root soon, and whether we have it. */
export interface RetentionView extends Retention {
	readonly agent: string;
	readonly label: string;
	readonly root: string;
	readonly due: number;
	readonly mirrored: number;
}

/** One row for each present root whose agent deletes sessions by itself. The agents' settings are read, never written. */
export const retentionViews = (
	database: Database,
	{
		adapters,
		surroundings,
		nowMs,
	}: {
		readonly adapters: readonly Adapter[];
		readonly surroundings: (agent: string) => Surroundings;
		readonly nowMs: number;
	},
): readonly RetentionView[] =>
	adapters.flatMap(adapter => {
		if (adapter.retention === undefined) return [];
		return adapter.roots(surroundings(adapter.id)).flatMap((root): readonly RetentionView[] => {
			const retention = existsSync(root.path) ? adapter.retention?.(root) : undefined;
			if (retention === undefined) return [];
			const beforeMs = nowMs - (retention.days - DUE_WITHIN_DAYS) * DAY_MS;
			const {id: agent, label} = adapter;
			const due = dueSessions(database, {agent, root: root.path, beforeMs});
			return [{agent, label, root: root.path, ...retention, ...due}];
		});
	});

/** One quiet line: `Claude Code deletes 12 within 7 days, mirrored`; undefined when nothing falls due. */
export const retentionLine = (views: readonly RetentionView[]): string | undefined => {
	const soon = views.filter(({due}) => due > 0);
	const due = soon.reduce((sum, view) => sum + view.due, 0);
	if (due === 0) return undefined;
	const mirrored = soon.reduce((sum, view) => sum + view.mirrored, 0);
	const who = [...new Set(soon.map(({label}) => label))].join(' and ');
	const kept =
		mirrored === due
			? 'mirrored'
			: mirrored === 0
				? 'not mirrored'
				: `${mirrored} of them mirrored`;
	const verb = who.includes(' and ') ? 'delete' : 'deletes';
	return `${who} ${verb} ${count(due)} within ${DUE_WITHIN_DAYS} days, ${kept}`;
};
