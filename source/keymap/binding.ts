/** Where a key works: one of the screens, or everywhere. */
export type Mode = 'list' | 'reader' | 'global';

export const groups = ['Read', 'Go on', 'Search and filter', 'Move', 'Take out', 'App'] as const;
type Group = (typeof groups)[number];

/** What `when` may look at. */
export interface KeyContext {
	readonly isQueryEmpty: boolean;
	readonly isCursorAtEnd: boolean;
	readonly isHere: boolean;
	/** A row of the list is selected. */
	readonly hasRow: boolean;
	readonly canUnfold: boolean;
	readonly canFold: boolean;
	/** A parent session, sub-agents, or matches to jump between are there. */
	readonly hasParent: boolean;
	readonly hasChildren: boolean;
	readonly hasFind: boolean;
	/** The marked block holds an image or a document. */
	readonly hasAttachments: boolean;
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
	/** The hint would mislead otherwise, though the key may be pressed ahead of what it is for. */
	readonly hintWhen?: (context: KeyContext) => boolean;
	/** Moves and the like are no palette entries. */
	readonly isHidden?: true;
	readonly when?: (context: KeyContext) => boolean;
}

/** A part of the table; its ids stay known as literals. */
export const keyTable = <const T extends readonly Binding[]>(rows: T): T => rows;
