import type {
	FacetName,
	FacetValue,
	FileEntry,
	Landmarks,
	ListAnswer,
	OutlineEntry,
	Stats,
} from '../../store/library.js';
import type {FromSyncWorker} from '../../store/sync/protocol.js';
import type {
	EventRef,
	EventView,
	RootView,
	SearchHit,
	SessionRef,
	SessionView,
} from '../../store/types.js';
import type {DeepScanProgress} from '../deep-scan/scan.js';
import type {MaskedSecret} from '../export/redact.js';
import type {Completion} from '../resume/complete-directory.js';
import type {KeyEvent} from '../terminal/input.js';
import type {
	HandOverOffer,
	ImportedFile,
	ResumeChoice,
	ResumeSheet,
	SourceRoot,
	Transcript,
} from './backend.js';
import type {Counts, Notice, Size, StatsRange} from './state.js';
import type {Field} from './text-edit.js';

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
	| {
			readonly type: 'list';
			readonly answer: ListAnswer;
			readonly question: string;
			/** For the keystroke; the ranked answer follows. */
			readonly isDraft?: boolean;
	  }
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
			/** What is to be read first comes along. */
			readonly first?: {readonly page: number; readonly events: readonly EventView[]};
	  }
	| {readonly type: 'opening-late'; readonly session: SessionRef}
	| {
			readonly type: 'outline';
			readonly session: SessionRef;
			readonly outline: readonly OutlineEntry[];
			readonly landmarks: Landmarks;
	  }
	| {
			readonly type: 'files';
			readonly session: SessionRef;
			readonly files: readonly FileEntry[];
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
	| {readonly type: 'full-text'; readonly event: EventRef; readonly text: string | null}
	| {
			readonly type: 'facet';
			readonly name: FacetName;
			readonly values: readonly FacetValue[];
	  }
	/** `choice`: what was asked; an answer to another one is too late. */
	| {
			readonly type: 'resume-sheet';
			readonly sheet: ResumeSheet;
			readonly choice: ResumeChoice;
	  }
	| {readonly type: 'resume-failed'; readonly message: string}
	/** The command cannot be printed as it is: the sheet says why, and what else there is. */
	| {readonly type: 'resume-open'; readonly session: SessionView}
	| {
			readonly type: 'program-version';
			readonly program: string;
			readonly version: string | null;
	  }
	| {
			readonly type: 'directory-completed';
			readonly text: string;
			readonly completion: Completion;
	  }
	| {readonly type: 'restored'; readonly session: SessionRef}
	| {readonly type: 'imported'; readonly file: ImportedFile}
	| {readonly type: 'import-failed'; readonly message: string}
	| {readonly type: 'forked'; readonly session: SessionRef}
	| {readonly type: 'upkeep'; readonly due: string | null; readonly setAside: string | null}
	| {readonly type: 'secrets'; readonly secrets: readonly MaskedSecret[]}
	| {readonly type: 'export-path'; readonly session: SessionRef; readonly path: string}
	| {
			readonly type: 'exported';
			readonly path: string;
			readonly masked: number;
			readonly sessions: number;
	  }
	| {readonly type: 'export-failed'; readonly message: string}
	| {readonly type: 'hand-over'; readonly session: SessionRef; readonly offer: HandOverOffer}
	| {readonly type: 'sources'; readonly roots: readonly SourceRoot[]}
	| {readonly type: 'stats'; readonly range: StatsRange; readonly stats: Stats}
	| {
			readonly type: 'completion';
			readonly name: FacetName;
			readonly query: Field;
			readonly values: readonly FacetValue[];
	  }
	| {
			readonly type: 'deep';
			readonly id: number;
			readonly hits: readonly SearchHit[];
			readonly progress: DeepScanProgress | null;
			readonly note: string | null;
			readonly isDone: boolean;
	  }
	| {readonly type: 'forgotten'; readonly sessions: readonly SessionRef[]}
	| {readonly type: 'marked'; readonly said: string};
