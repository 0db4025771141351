import type {EventKind} from '../../adapters/model.js';
import type {EventView} from '../../store/types.js';

/** How much of an event is laid out: its one line, the capped text that the store holds, or the whole raw text. */
export type Fold = 'folded' | 'open' | 'whole';

export interface LayoutOptions {
	readonly columns: number;
	/** `none` hides tool calls and results, `short` gives each a line, `full` unfolds them all. */
	readonly tools: 'none' | 'short' | 'full';
	/** Reasoning is unfolded; else it is one line. */
	readonly hasReasoning: boolean;
	readonly hasMeta: boolean;
	readonly fold: Fold;
	/** Whole text of the event, for `fold: 'whole'`. */
	readonly fullText?: string | undefined;
	/** Result of a tool call, where the reader has paired them by call id. */
	readonly result?: EventView | undefined;
	/** Whole text of `result`, for `fold: 'whole'`. */
	readonly fullResultText?: string | undefined;
	/** This result is laid out with its call and gives no lines of its own. */
	readonly isPaired?: boolean | undefined;
	/** This meta event is the task that opens a sub-agent's transcript: always shown, and whole. */
	readonly isTask?: boolean | undefined;
	/** Time of the event that stands above, for the line that names a pause. */
	readonly previousAtMs?: number | null | undefined;
	/** Kind of the event that stands above; null at the top, absent when it is not known. Decides about the blank row between. */
	readonly previousKind?: EventKind | null | undefined;
	/** Directory of the session: paths in it are shown as seen from there. */
	readonly cwd?: string | null | undefined;
	/** Default true. */
	readonly isUnicode?: boolean | undefined;
}

/** Marks that a terminal without Unicode shows in ASCII. */
export interface Symbols {
	readonly prompt: string;
	readonly folded: string;
	readonly unfolded: string;
	readonly gutter: string;
	readonly rule: string;
	readonly separator: string;
	readonly bullet: string;
	readonly minus: string;
	readonly ellipsis: string;
	readonly done: string;
	readonly doing: string;
	readonly pending: string;
}

const unicode: Symbols = {
	prompt: '❯',
	folded: '▸',
	unfolded: '▾',
	gutter: '│',
	rule: '─',
	separator: '·',
	bullet: '•',
	minus: '−',
	ellipsis: '…',
	done: '✓',
	doing: '▸',
	pending: '○',
};

const ascii: Symbols = {
	prompt: '>',
	folded: '+',
	unfolded: '-',
	gutter: '|',
	rule: '-',
	separator: '-',
	bullet: '*',
	minus: '-',
	ellipsis: '...',
	done: '[x]',
	doing: '[>]',
	pending: '[ ]',
};

export const symbolsFor = (isUnicode = true): Symbols => (isUnicode ? unicode : ascii);
