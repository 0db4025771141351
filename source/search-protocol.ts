/** What the search worker and its client say to each other. */
import type {AnswerOf, Question, Questions} from './app/backend.js';

/** What the search worker is started with (`workerData`). */
export interface SearchWorkerData {
	/** Data folder. */
	readonly folder: string;
	readonly home: string;
	readonly platform: NodeJS.Platform;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly extraRoots: readonly {
		readonly agent: string;
		readonly path: string;
		readonly label?: string;
	}[];
	/** Where the app was started. */
	readonly cwd: string;
	/** Further arguments for an agent's resume command, by agent. */
	readonly flags: Readonly<Record<string, readonly string[]>>;
	/** For what went wrong: the person is told one line, the rest stands there. */
	readonly logFile: string;
}

export type AskedQuestion = {
	readonly [Q in Question]: {
		readonly id: number;
		/** A newer question on the same channel makes an older one worthless. */
		readonly channel: string;
		readonly question: Q;
		readonly parameters: Parameters<Questions[Q]>;
	};
}[Question];

export type ToSearchWorker = AskedQuestion | {readonly question: 'stop'};

export type FromSearchWorker =
	| {readonly id: number; readonly kind: 'answer'; readonly value: AnswerOf<Question>}
	| {readonly id: number; readonly kind: 'superseded'}
	| {readonly id: number; readonly kind: 'failed'; readonly message: string}
	| {readonly kind: 'stopped'};
