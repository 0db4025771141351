/** Questions that are waiting: of one channel only the newest counts. */
export interface WaitingQuestion {
	readonly id: number;
	readonly channel: string;
}

export interface Waiting<Q extends WaitingQuestion> {
	/** Gives back the question that the new one replaces. */
	add(question: Q): Q | undefined;
	/** The one that has waited longest. */
	next(): Q | undefined;
}

export const createWaiting = <Q extends WaitingQuestion>(): Waiting<Q> => {
	const waiting = new Map<string, Q>();
	return {
		add(question) {
			const older = waiting.get(question.channel);
			// Set anew, so that a busy channel goes behind the others.
			waiting.delete(question.channel);
			waiting.set(question.channel, question);
			return older;
		},
		next() {
			const [first] = waiting.values();
			if (first !== undefined) waiting.delete(first.channel);
			return first;
		},
	};
};
