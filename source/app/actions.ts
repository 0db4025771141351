import type {FacetValue, ListAnswer, OutlineEntry} from '../../store/library.js';
import type {FromSyncWorker} from '../../store/sync/protocol.js';
import type {EventRef, EventView, RootView, SessionRef, SessionView} from '../../store/types.js';
import type {KeyEvent} from '../terminal/input.js';
import type {ResumeSheet, Transcript} from './backend.js';
import type {Counts, Notice, Size} from './state.js';

export type Action =
	| {readonly type: 'keys'; readonly events: readonly KeyEvent[]}
	| {readonly type: 'resized'; readonly size: Size}
	| {readonly type: 'ticked'; readonly nowMs: number}
	| {readonly type: 'noticed'; readonly notice: Notice | null}
	| {readonly type: 'sync-started'; readonly nowMs: number}
	| {readonly type: 'sync-said'; readonly message: FromSyncWorker; readonly nowMs: number}
	| {
			readonly type: 'overview';
			readonly counts: Counts;
			readonly agents: readonly FacetValue[];
			readonly roots: readonly RootView[];
	  }
	/** `question` as `listQuestion` gave it when it was asked; the same one again is a refresh. */
	| {readonly type: 'list'; readonly answer: ListAnswer; readonly question: string}
	| {readonly type: 'list-failed'; readonly message: string}
	| {readonly type: 'more-rows'; readonly answer: ListAnswer; readonly cursor: string}
	| {
			readonly type: 'children';
			readonly session: SessionRef;
			readonly sessions: readonly SessionView[];
	  }
	| {readonly type: 'missing'; readonly paths: readonly string[]}
	| {
			readonly type: 'preview';
			readonly session: SessionRef;
			readonly events: readonly EventView[];
	  }
	| {
			readonly type: 'transcript';
			readonly session: SessionRef;
			readonly transcript: Transcript | null;
	  }
	| {
			readonly type: 'outline';
			readonly session: SessionRef;
			readonly outline: readonly OutlineEntry[];
	  }
	| {
			readonly type: 'page';
			readonly session: SessionRef;
			readonly page: number;
			readonly events: readonly EventView[];
			readonly revision: number;
	  }
	| {
			readonly type: 'found';
			readonly session: SessionRef;
			readonly query: string;
			readonly matches: readonly number[];
	  }
	| {readonly type: 'full-text'; readonly event: EventRef; readonly text: string}
	| {readonly type: 'projects'; readonly values: readonly FacetValue[]}
	| {readonly type: 'resume-sheet'; readonly sheet: ResumeSheet}
	| {readonly type: 'export-path'; readonly session: SessionRef; readonly path: string}
	| {readonly type: 'exported'; readonly path: string; readonly masked: number}
	| {readonly type: 'export-failed'; readonly message: string}
	| {readonly type: 'starred'; readonly session: SessionRef; readonly starred: boolean};
