/**
 * Every key of the app. Key dispatch, hint line, palette, help screen and the README section are printed from this table; what a
 * binding does stands in `app/commands.ts` under the same id.
 */

/** Where a key works: one of the screens, or everywhere. */
export type Mode = 'list' | 'reader' | 'global';

export const groups = ['Read', 'Go on', 'Search and filter', 'Move', 'Take out', 'App'] as const;
export type Group = (typeof groups)[number];

/** What `when` may look at. */
export interface KeyContext {
	readonly isQueryEmpty: boolean;
	readonly isCursorAtEnd: boolean;
	readonly isHere: boolean;
	readonly canUnfold: boolean;
	readonly canFold: boolean;
	/** A parent session, sub-agents, or matches to jump between are there. */
	readonly hasParent: boolean;
	readonly hasChildren: boolean;
	readonly hasFind: boolean;
}

export interface Binding {
	readonly id: string;
	/** Chords as `chordOf` writes them; a blank stands between the keys of a sequence (`g g`). */
	readonly keys: readonly string[];
	readonly modes: readonly Mode[];
	/** For the hint line and the palette: at most 24 columns. */
	readonly label: string;
	/** One sentence for the help screen. */
	readonly help: string;
	readonly group: Group;
	/** Place in the hint line; without it the key is not shown there. */
	readonly hint?: number;
	/** Moves and the like are no palette entries. */
	readonly isHidden?: true;
	readonly when?: (context: KeyContext) => boolean;
}

const table = <const T extends readonly Binding[]>(rows: T): T => rows;

const rows = table([
	{
		id: 'list.open',
		keys: ['enter'],
		modes: ['list'],
		label: 'read',
		help: 'Read the session, opened at the best match',
		group: 'Read',
		hint: 1,
	},
	{
		id: 'list.resume',
		keys: ['ctrl+r'],
		modes: ['list'],
		label: 'resume',
		help: 'Go on with the session in its agent; a sheet shows first what would run',
		group: 'Go on',
		hint: 2,
	},
	{
		id: 'list.export',
		keys: ['ctrl+s'],
		modes: ['list'],
		label: 'export',
		help: 'Export the session as Markdown or JSON',
		group: 'Take out',
		hint: 4,
	},
	{
		id: 'list.copy-command',
		keys: ['ctrl+y'],
		modes: ['list'],
		label: 'copy command',
		help: 'Copy the command that resumes the session',
		group: 'Take out',
		hint: 3,
	},
	{
		id: 'list.next-agent',
		keys: ['tab'],
		modes: ['list'],
		label: 'agent',
		help: 'Next agent that has sessions; completes a half-typed filter word',
		group: 'Search and filter',
		hint: 5,
	},
	{
		id: 'list.previous-agent',
		keys: ['shift+tab'],
		modes: ['list'],
		label: 'previous agent',
		help: 'Previous agent that has sessions',
		group: 'Search and filter',
	},
	{
		id: 'list.projects',
		keys: ['ctrl+f'],
		modes: ['list'],
		label: 'project',
		help: 'Choose a project',
		group: 'Search and filter',
		hint: 6,
	},
	{
		id: 'list.here',
		keys: ['ctrl+g'],
		modes: ['list'],
		label: 'here',
		help: 'Only the project of this directory, or everywhere',
		group: 'Search and filter',
		hint: 7,
		when: ({isHere}) => !isHere,
	},
	{
		id: 'list.everywhere',
		keys: ['ctrl+g'],
		modes: ['list'],
		label: 'everywhere',
		help: 'Every project again',
		group: 'Search and filter',
		hint: 7,
		when: ({isHere}) => isHere,
	},
	{
		id: 'list.sort',
		keys: ['ctrl+t'],
		modes: ['list'],
		label: 'sort',
		help: 'Order by time, relevance or number of messages',
		group: 'Search and filter',
	},
	{
		id: 'list.preview',
		keys: ['ctrl+v'],
		modes: ['list'],
		label: 'preview',
		help: 'Show or hide the preview (from 110 columns)',
		group: 'Read',
	},
	{
		id: 'list.star',
		keys: [],
		modes: ['list'],
		label: 'star or unstar',
		help: 'Star the session, or take the star away',
		group: 'Read',
	},
	{
		id: 'list.unfold',
		keys: ['right'],
		modes: ['list'],
		label: 'show sub-agents',
		help: 'Unfold the sub-agents of the session (at the end of the query)',
		group: 'Move',
		when: ({isCursorAtEnd, canUnfold}) => isCursorAtEnd && canUnfold,
	},
	{
		id: 'list.fold',
		keys: ['left'],
		modes: ['list'],
		label: 'hide sub-agents',
		help: 'Fold the sub-agents again',
		group: 'Move',
		when: ({isCursorAtEnd, canFold}) => isCursorAtEnd && canFold,
	},
	{
		id: 'list.up',
		keys: ['up', 'ctrl+p'],
		modes: ['list'],
		label: 'up',
		help: 'Session above',
		group: 'Move',
		isHidden: true,
	},
	{
		id: 'list.down',
		keys: ['down', 'ctrl+n'],
		modes: ['list'],
		label: 'down',
		help: 'Session below',
		group: 'Move',
		isHidden: true,
	},
	{
		id: 'list.page-up',
		keys: ['pageup'],
		modes: ['list'],
		label: 'page up',
		help: 'One page up',
		group: 'Move',
		isHidden: true,
	},
	{
		id: 'list.page-down',
		keys: ['pagedown'],
		modes: ['list'],
		label: 'page down',
		help: 'One page down',
		group: 'Move',
		isHidden: true,
	},
	{
		id: 'list.first',
		keys: ['home'],
		modes: ['list'],
		label: 'first',
		help: 'First session',
		group: 'Move',
		isHidden: true,
	},
	{
		id: 'list.last',
		keys: ['end'],
		modes: ['list'],
		label: 'last',
		help: 'Last session',
		group: 'Move',
		isHidden: true,
	},
	{
		id: 'list.back',
		keys: ['escape'],
		modes: ['list'],
		label: 'clear, then leave',
		help: 'Clear one level: query, then filters; then leave',
		group: 'App',
		isHidden: true,
	},
	{
		id: 'list.keys',
		keys: ['f1'],
		modes: ['list'],
		label: 'help',
		help: 'All keys',
		group: 'App',
		hint: 12,
	},
	{
		id: 'list.help',
		keys: ['?'],
		modes: ['list'],
		label: 'help',
		help: 'All keys (while the query is empty)',
		group: 'App',
		isHidden: true,
		when: ({isQueryEmpty}) => isQueryEmpty,
	},
	{
		id: 'reader.down',
		keys: ['j', 'down'],
		modes: ['reader'],
		label: 'down',
		help: 'One line down',
		group: 'Move',
		isHidden: true,
	},
	{
		id: 'reader.up',
		keys: ['k', 'up'],
		modes: ['reader'],
		label: 'up',
		help: 'One line up',
		group: 'Move',
		isHidden: true,
	},
	{
		id: 'reader.half-down',
		keys: ['d', 'ctrl+d'],
		modes: ['reader'],
		label: 'half a page down',
		help: 'Half a page down',
		group: 'Move',
		isHidden: true,
	},
	{
		id: 'reader.half-up',
		keys: ['u', 'ctrl+u'],
		modes: ['reader'],
		label: 'half a page up',
		help: 'Half a page up',
		group: 'Move',
		isHidden: true,
	},
	{
		id: 'reader.page-down',
		keys: ['space', 'pagedown', 'ctrl+f'],
		modes: ['reader'],
		label: 'page down',
		help: 'One page down',
		group: 'Move',
		isHidden: true,
	},
	{
		id: 'reader.page-up',
		keys: ['b', 'pageup', 'ctrl+b'],
		modes: ['reader'],
		label: 'page up',
		help: 'One page up',
		group: 'Move',
		isHidden: true,
	},
	{
		id: 'reader.top',
		keys: ['g', 'home'],
		modes: ['reader'],
		label: 'top',
		help: 'To the beginning',
		group: 'Move',
		isHidden: true,
	},
	{
		id: 'reader.bottom',
		keys: ['G', 'end'],
		modes: ['reader'],
		label: 'bottom',
		help: 'To the end',
		group: 'Move',
		isHidden: true,
	},
	{
		id: 'reader.next-prompt',
		keys: [']'],
		modes: ['reader'],
		label: 'next prompt',
		help: 'Next prompt',
		group: 'Move',
		hint: 1,
	},
	{
		id: 'reader.previous-prompt',
		keys: ['['],
		modes: ['reader'],
		label: 'previous prompt',
		help: 'Previous prompt',
		group: 'Move',
	},
	{
		id: 'reader.next-block',
		keys: ['}'],
		modes: ['reader'],
		label: 'next block',
		help: 'Next block: prompt, reply, tool call',
		group: 'Move',
	},
	{
		id: 'reader.previous-block',
		keys: ['{'],
		modes: ['reader'],
		label: 'previous block',
		help: 'Previous block',
		group: 'Move',
	},
	{
		id: 'reader.find',
		keys: ['/'],
		modes: ['reader'],
		label: 'find',
		help: 'Find in this session',
		group: 'Search and filter',
		hint: 2,
	},
	{
		id: 'reader.next-match',
		keys: ['n'],
		modes: ['reader'],
		label: 'next match',
		help: 'Next match',
		group: 'Search and filter',
		hint: 3,
		when: ({hasFind}) => hasFind,
	},
	{
		id: 'reader.previous-match',
		keys: ['N'],
		modes: ['reader'],
		label: 'previous match',
		help: 'Previous match',
		group: 'Search and filter',
		when: ({hasFind}) => hasFind,
	},
	{
		id: 'reader.unfold',
		keys: ['enter'],
		modes: ['reader'],
		label: 'unfold',
		help: 'Unfold the marked block, once more to its whole output; opens a parent or sub-agent',
		group: 'Read',
		hint: 4,
	},
	{
		id: 'reader.tools',
		keys: ['t'],
		modes: ['reader'],
		label: 'tools',
		help: 'Tool calls: one line, in full, hidden',
		group: 'Read',
		hint: 5,
	},
	{
		id: 'reader.reasoning',
		keys: ['T'],
		modes: ['reader'],
		label: 'reasoning',
		help: 'Show or hide reasoning',
		group: 'Read',
	},
	{
		id: 'reader.meta',
		keys: ['m'],
		modes: ['reader'],
		label: 'meta records',
		help: 'Show or hide what nobody typed: environment, reminders, hooks',
		group: 'Read',
	},
	{
		id: 'reader.children',
		keys: ['c'],
		modes: ['reader'],
		label: 'sub-agents',
		help: 'Open a sub-agent of this session',
		group: 'Read',
		hint: 9,
		when: ({hasChildren}) => hasChildren,
	},
	{
		id: 'reader.parent',
		keys: ['p'],
		modes: ['reader'],
		label: 'parent',
		help: 'Open the session that this one hangs on',
		group: 'Read',
		hint: 9,
		when: ({hasParent}) => hasParent,
	},
	{
		id: 'reader.details',
		keys: ['i'],
		modes: ['reader'],
		label: 'details',
		help: 'Where the session comes from: file, version, counts, tokens',
		group: 'Read',
	},
	{
		id: 'reader.star',
		keys: ['*'],
		modes: ['reader'],
		label: 'star or unstar',
		help: 'Star the session, or take the star away',
		group: 'Read',
	},
	{
		id: 'reader.previous-session',
		keys: [','],
		modes: ['reader'],
		label: 'previous session',
		help: 'Previous session of the list',
		group: 'Move',
	},
	{
		id: 'reader.next-session',
		keys: ['.'],
		modes: ['reader'],
		label: 'next session',
		help: 'Next session of the list',
		group: 'Move',
	},
	{
		id: 'reader.copy',
		keys: ['y'],
		modes: ['reader'],
		label: 'copy',
		help: 'Copy the marked block',
		group: 'Take out',
		hint: 8,
	},
	{
		id: 'reader.copy-command',
		keys: ['ctrl+y'],
		modes: ['reader'],
		label: 'copy command',
		help: 'Copy the command that resumes the session',
		group: 'Take out',
	},
	{
		id: 'reader.export',
		keys: ['x', 'ctrl+s'],
		modes: ['reader'],
		label: 'export',
		help: 'Export the session as Markdown or JSON',
		group: 'Take out',
		hint: 7,
	},
	{
		id: 'reader.editor',
		keys: ['e'],
		modes: ['reader'],
		label: 'open in editor',
		help: 'Open the session as Markdown in $VISUAL or $EDITOR',
		group: 'Take out',
	},
	{
		id: 'reader.pager',
		keys: ['v'],
		modes: ['reader'],
		label: 'open in pager',
		help: 'Open the session as Markdown in $PAGER',
		group: 'Take out',
	},
	{
		id: 'reader.resume',
		keys: ['r', 'ctrl+r'],
		modes: ['reader'],
		label: 'resume',
		help: 'Go on with the session in its agent; a sheet shows first what would run',
		group: 'Go on',
		hint: 6,
	},
	{
		id: 'reader.fork',
		keys: ['F'],
		modes: ['reader'],
		label: 'resume as a fork',
		help: 'Begin a new session from this one, where the agent can',
		group: 'Go on',
	},
	{
		id: 'reader.back',
		keys: ['q'],
		modes: ['reader'],
		label: 'back',
		help: 'Back to the list (or to the session you came from)',
		group: 'App',
		hint: 10,
	},
	{
		id: 'reader.escape',
		keys: ['escape'],
		modes: ['reader'],
		label: 'end search, then back',
		help: 'End the search with `/`, else back',
		group: 'App',
		isHidden: true,
	},
	{
		id: 'reader.help',
		keys: ['?', 'f1'],
		modes: ['reader'],
		label: 'keys',
		help: 'All keys',
		group: 'App',
		hint: 11,
	},
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

export type CommandId = (typeof rows)[number]['id'];

export interface KnownBinding extends Binding {
	readonly id: CommandId;
}

export const bindings: readonly KnownBinding[] = rows;

/** The table with the keys of the user's config; unknown ids are left to whoever reads the config. */
export const withOwnKeys = (
	own: Readonly<Record<string, readonly string[]>>,
): readonly KnownBinding[] =>
	bindings.map(binding => {
		const keys = own[binding.id];
		return keys ? {...binding, keys} : binding;
	});
