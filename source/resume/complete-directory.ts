/** Completion of a directory that is being typed. */
import {resolve} from 'node:path';
import {expandHome} from '../paths.js';

export interface Completion {
	/** What was typed, as far as it goes on in one way only; with a `/` behind it when that is a whole directory. */
	readonly text: string;
	/** Names to choose from, as they would stand at the end of the text. */
	readonly names: readonly string[];
}

export interface CompletionPlace {
	readonly home: string;
	/** Directory that a relative path begins in. */
	readonly cwd: string;
	/** Names of the directories in a directory; empty when there are none, or it cannot be read. */
	readonly listFolder: (path: string) => readonly string[];
}

const commonStart = (names: readonly string[]): string => {
	const [first = '', ...others] = names;
	let length = first.length;
	for (const name of others) while (!name.startsWith(first.slice(0, length))) length--;
	// Half of a surrogate pair is no character.
	return first.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
};

/** As a shell does it; names that differ in case only count where none fits exactly. Hidden ones want their dot. */
export const completeDirectory = (
	text: string,
	{home, cwd, listFolder}: CompletionPlace,
): Completion => {
	if (text === '~') return {text: '~/', names: []};
	const slash = text.lastIndexOf('/');
	const [before, start] = [text.slice(0, slash + 1), text.slice(slash + 1)];
	const names = listFolder(typedDirectory(before, {home, cwd}))
		.filter(name => start.startsWith('.') || !name.startsWith('.'))
		.toSorted();
	const exact = names.filter(name => name.startsWith(start));
	const fitting =
		exact.length > 0
			? exact
			: names.filter(name => name.toLowerCase().startsWith(start.toLowerCase()));
	const [only] = fitting;
	if (only === undefined) return {text, names: []};
	if (fitting.length === 1) return {text: `${before}${only}/`, names: []};
	const common = commonStart(fitting);
	return {text: before + (common.length > start.length ? common : start), names: fitting};
};

/** The directory that a typed text means. */
export const typedDirectory = (
	text: string,
	{home, cwd}: Pick<CompletionPlace, 'home' | 'cwd'>,
): string => resolve(cwd, expandHome(text, home));
