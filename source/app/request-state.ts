/** What keys ask for that takes time. */
import type {FacetName} from '../../store/library.js';
import type {MarkChange} from '../../store/marks-file.js';
import type {EventRef, SessionRef, SessionView} from '../../store/types.js';
import type {AgentPlan, ExportChoice} from './backend.js';
import type {StatsRange} from './state.js';
import type {Field} from './text-edit.js';

/** Work for `effects.ts` that one action asks for; gone with the next one. */
export type Request =
	| {readonly type: 'quit'; readonly print?: string; readonly isDemo?: true}
	| {readonly type: 'suspend'}
	| {
			readonly type: 'copy';
			readonly text: string;
			readonly what: string;
			/** Nothing of a transcript: no secret is looked for in it. */
			readonly isAsItIs?: true;
	  }
	| {readonly type: 'copy-command'; readonly session: SessionView}
	| {readonly type: 'print-command'; readonly session: SessionView}
	| {readonly type: 'more-rows'; readonly cursor: string; readonly limit: number}
	| {readonly type: 'children'; readonly session: SessionRef}
	| {readonly type: 'facet'; readonly name: FacetName}
	| {readonly type: 'sources'}
	| {
			readonly type: 'complete';
			readonly name: Exclude<FacetName, 'agent' | 'date'>;
			readonly query: Field;
	  }
	| {readonly type: 'deep-scan'; readonly id: number}
	| {readonly type: 'forget'; readonly sessions: readonly SessionRef[]}
	| {readonly type: 'stats'; readonly range: StatsRange}
	| {
			readonly type: 'run';
			readonly plan: AgentPlan;
			readonly place: 'here' | 'window' | 'split';
			/** Said on the ordinary screen before the agent takes it. */
			readonly notice: string;
	  }
	| {readonly type: 'hand-over'; readonly session: SessionRef; readonly directory: string | null}
	| {readonly type: 'complete-directory'; readonly text: string}
	| {readonly type: 'restore'; readonly session: SessionRef}
	| {readonly type: 'import'; readonly path: string}
	| {readonly type: 'fork'; readonly session: SessionRef; readonly upTo: EventRef | null}
	| {
			readonly type: 'secrets';
			readonly sessions: readonly SessionRef[];
			readonly choice: ExportChoice;
	  }
	| {
			readonly type: 'export';
			readonly session: SessionRef;
			readonly choice: ExportChoice;
			readonly path: string;
	  }
	| {readonly type: 'open'; readonly program: 'editor' | 'pager'; readonly session: SessionView}
	| {readonly type: 'files'; readonly session: SessionRef}
	| {readonly type: 'attachments'; readonly events: readonly EventRef[]}
	| {
			readonly type: 'export-many';
			readonly sessions: readonly SessionRef[];
			readonly choice: ExportChoice;
			readonly folder: string;
	  }
	| {
			readonly type: 'mark';
			readonly sessions: readonly SessionRef[];
			readonly change: MarkChange;
			/** Said when it is done. */
			readonly said: string;
	  };
