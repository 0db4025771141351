/** What is asked or shown over a screen: at most one at a time. */
import type {FacetName, FacetValue, FileEntry, Stats} from '../../store/library.js';
import type {SessionRef, SessionView} from '../../store/types.js';
import type {ExportChoice, HandOverRecord, ResumeSheet, SourceRoot, Taker} from './backend.js';
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
			readonly sheet: ResumeSheet | null;
			readonly isFork: boolean;
			readonly directory: string | null;
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
			/** Null until they are there. */
			readonly takers: readonly Taker[] | null;
			readonly record: HandOverRecord | null;
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
