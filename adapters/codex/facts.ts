/** What is known of the session by now, from the state alone. */

import type {SessionFacts} from '../model.js';
import {at, textOf} from '../shared/narrow.js';
import type {Source} from '../types.js';
import {repeatsPrompt} from './names.js';
import type {ReaderState} from './state.js';

/** Carried from discovery: whether the name in the index is the user's own shows only when the prompts are known. */
export interface SourceExtra {
	readonly indexName?: string;
}

const customTitle = (source: Source, state: ReaderState): string | null => {
	const names = [textOf(at(source.extra, 'indexName')), state.threadName ?? undefined];
	const own = names.find(name => name !== undefined && !repeatsPrompt(name, state.promptHeads));
	return own ?? null;
};

const field = <K extends keyof SessionFacts>(
	name: K,
	value: SessionFacts[K],
): Partial<Pick<SessionFacts, K>> =>
	value === null || value === undefined ? {} : ({[name]: value} as Pick<SessionFacts, K>);

export const factsOf = (source: Source, state: ReaderState): SessionFacts => {
	const header = state.header?.facts ?? {};
	const cwd = header.cwd ?? state.environmentCwd ?? state.directories[0] ?? null;
	const others = state.directories.filter(path => path !== cwd);
	return {
		...header,
		// Null takes back what an earlier batch said, when the name turns out to be a prompt.
		customTitle: customTitle(source, state),
		...field('cwd', cwd),
		...(others.length === 0 ? {} : {directories: others}),
		...field('model', state.model),
		...field('description', state.task),
		...field('updatedAtMs', state.lastAtMs ?? undefined),
	};
};
