/**
 * Every key of the app. Key dispatch, hint line, palette, help screen and the README section are printed from this table; what a
 * binding does stands in `app/commands.ts` under the same id.
 */
import {type Binding, keyTable} from './binding.js';
import {listKeys} from './list-keys.js';
import {readerKeys} from './reader-keys.js';
import {readerMoves} from './reader-moves.js';

export type {KeyContext, Mode} from './binding.js';

const appKeys = keyTable([
	{
		id: 'app.palette',
		keys: ['ctrl+k'],
		modes: ['global'],
		label: 'all actions',
		help: 'Every action by name, with its key',
		group: 'App',
		hint: 8,
	},
	{
		id: 'app.sources',
		keys: ['f3'],
		modes: ['global'],
		label: 'sources',
		help: 'Sources: where sessions were looked for, what was found, and what is hidden',
		group: 'App',
	},
	{
		id: 'app.stats',
		keys: ['f4'],
		modes: ['global'],
		label: 'statistics',
		help: 'Statistics: sessions, prompts, tokens and cost by agent, project, model and day',
		group: 'App',
	},
	{
		id: 'app.suspend',
		keys: ['ctrl+z'],
		modes: ['global'],
		label: 'to the shell',
		help: 'Stop backscroll for the shell; fg comes back',
		group: 'App',
		isHidden: true,
	},
	{
		id: 'app.quit',
		keys: ['ctrl+c'],
		modes: ['global'],
		label: 'leave',
		help: 'Leave backscroll',
		group: 'App',
	},
]);

const rows = [...listKeys, ...readerMoves, ...readerKeys, ...appKeys];

export type CommandId = (typeof rows)[number]['id'];

export interface KnownBinding extends Binding {
	readonly id: CommandId;
}

export const bindings: readonly KnownBinding[] = rows;
