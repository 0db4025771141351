/** What is asked or shown over a screen: at most one at a time. */
import type {FacetName, FacetValue, FileEntry, Stats} from '../../store/library.js';
import type {SessionRef, SessionView} from '../../store/types.js';
import type {MaskedSecret} from '../export/redact.js';
import type {KeyEvent} from '../terminal/input.js';
import type {
	ExportChoice,
	HandOverOffer,
	ResumeChoice,
	ResumeSheet,
	SourceRoot,
} from './backend.js';
import type {StatsRange} from './state.js';
import type {Field} from './text-edit.js';

export type Dialog =
	| {readonly kind: 'help'; readonly top: number}
	| {readonly kind: 'palette'; readonly field: Field; readonly selected: number}
	| {
			readonly kind: 'facet';
			readonly name: FacetName;
			readonly field: Field;
			readonly selected: number;
			/** Null until they are there. */
			readonly values: readonly FacetValue[] | null;
			/** As the query writes them. */
			readonly chosen: readonly string[];
			/** They were chosen here, and not by the query before. */
			readonly isSeveral: boolean;
	  }
	| {
			readonly kind: 'mark';
			readonly what: 'title' | 'tags' | 'note';
			readonly sessions: readonly SessionView[];
			readonly field: Field;
	  }
	| {
			readonly kind: 'resume';
			readonly session: SessionView;
			/** Null until the first one is there. */
			readonly sheet: ResumeSheet | null;
			readonly choice: ResumeChoice;
			/** The choice is another one than that of the sheet, which is being asked for. */
			readonly isStale: boolean;
			/** Keys that were pressed meanwhile. */
			readonly waiting: readonly KeyEvent[];
			/** Chord of the way to go that is selected; null: the first one. */
			readonly selected: string | null;
			/** What the program says of its version, once it has said so. */
			readonly version: {readonly program: string; readonly text: string | null} | null;
			readonly field: {
				readonly what: 'directory' | 'arguments';
				readonly field: Field;
				/** What a directory can be completed to. */
				readonly names: readonly string[];
				readonly problem: string | null;
			} | null;
	  }
	| {
			readonly kind: 'export';
			readonly session: SessionView;
			/** Further sessions that were chosen with it: then `path` is a folder. */
			readonly others: readonly SessionView[];
			readonly choice: ExportChoice;
			readonly focus: number;
			/** Null until the suggested path is there. */
			readonly path: Field | null;
			/** The path was typed: another format does not replace it. */
			readonly isOwnPath: boolean;
			readonly problem: string | null;
	  }
	| {
			readonly kind: 'children';
			readonly sessions: readonly SessionView[];
			readonly selected: number;
	  }
	| {readonly kind: 'outline'; readonly field: Field; readonly selected: number}
	| {
			readonly kind: 'files';
			readonly session: SessionRef;
			readonly field: Field;
			readonly selected: number;
			/** Null until they are there. */
			readonly files: readonly FileEntry[] | null;
	  }
	| {readonly kind: 'details'; readonly session: SessionView; readonly top: number}
	| {
			readonly kind: 'hand-over';
			readonly session: SessionView;
			readonly selected: number;
			/** Null until it is there. */
			readonly offer: HandOverOffer | null;
			/** First line of the record that is shown. */
			readonly top: number;
			/** What it was opened from. */
			readonly back: Dialog | null;
	  }
	| {
			readonly kind: 'secrets';
			/** Null until they are there. */
			readonly secrets: readonly MaskedSecret[] | null;
			readonly top: number;
			readonly back: Dialog;
	  }
	| {
			readonly kind: 'import';
			readonly field: Field;
			/** Why the file was not taken. */
			readonly problem: string | null;
	  }
	| {readonly kind: 'forget'; readonly sessions: readonly SessionView[]}
	/** Null: not there yet. */
	| {readonly kind: 'sources'; readonly roots: readonly SourceRoot[] | null; readonly top: number}
	| {
			readonly kind: 'stats';
			readonly range: StatsRange;
			readonly stats: Stats | null;
			readonly top: number;
	  };
