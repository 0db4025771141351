/** What the conversations of the demo history are told in. */

export type Step =
	| {readonly prompt: string}
	| {readonly reply: string}
	| {readonly thinking: string}
	| {
			readonly tool: string;
			readonly input: Readonly<Record<string, unknown>>;
			readonly output: string;
			readonly isError?: true;
			/** What the agent keeps of the result beside its text. */
			readonly result?: Readonly<Record<string, unknown>>;
	  }
	/** A sub-agent: its task and what it did. */
	| {readonly task: string; readonly steps: readonly Step[]; readonly answer: string}
	/** A prompt with an image (base64 of a PNG). */
	| {readonly picture: string; readonly prompt: string}
	/** The agent ran out of room and summed up. */
	| {readonly compacted: string}
	/** Steps that the person took back. */
	| {readonly rewound: readonly Step[]}
	/** Nothing for so many minutes. */
	| {readonly pauseMinutes: number};

export interface Story {
	readonly agent: 'claude-code' | 'codex';
	readonly project: string;
	readonly branch: string;
	readonly title?: string;
	readonly hoursAgo: number;
	readonly steps: readonly Step[];
	/** A second session that begins as this one does. */
	readonly fork?: {readonly afterRecords: number; readonly steps: readonly Step[]};
}
