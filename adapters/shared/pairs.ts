/** Bounded lists of pairs, for what has to be remembered while a log is read on and on: small, plain JSON, kept in the cursor. */

export type Pair = [key: string, value: string];

/** The newest value under a key. */
export const recall = (pairs: readonly Pair[], key: string): string | undefined =>
	pairs.findLast(([known]) => known === key)?.[1];

/** Adds to one of the lists of a progress: of more than its limit the oldest goes. */
export const rememberIn =
	<List extends string>(limits: Readonly<Record<List, number>>) =>
	(progress: Readonly<Record<List, Pair[]>>, list: List, pair: Pair): void => {
		progress[list].push(pair);
		if (progress[list].length > limits[list]) progress[list].shift();
	};

const DIRECTORIES = 20;

/** Directories that a session worked in, each once. */
export const noteDirectory = (
	{directories}: {readonly directories: string[]},
	directory: string,
): void => {
	if (directories.length < DIRECTORIES && !directories.includes(directory))
		directories.push(directory);
};
