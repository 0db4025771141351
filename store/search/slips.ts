/** How far a typed text is from a word. */

/** Slips that a word of this length may hold. */
export const allowedSlips = (length: number): number => (length < 4 ? 0 : length < 8 ? 1 : 2);

/**
 * Insertions, omissions, replacements and swaps of neighbours between a text and the nearest beginning of a word; more than
 * `limit` is only known to be more.
 */
export const slipsBetween = (text: string, word: string, limit: number): number => {
	let before: number[] = [];
	let previous = Array.from({length: text.length + 1}, (_, at) => at);
	let best = text.length;
	const end = Math.min(word.length, text.length + limit);
	for (let row = 1; row <= end; row++) {
		const current = [row];
		let least = row;
		for (let at = 1; at <= text.length; at++) {
			const isSame = text[at - 1] === word[row - 1];
			const isSwapped =
				row > 1 && at > 1 && text[at - 2] === word[row - 1] && text[at - 1] === word[row - 2];
			const slips = Math.min(
				(previous[at] as number) + 1,
				(current[at - 1] as number) + 1,
				(previous[at - 1] as number) + (isSame ? 0 : 1),
				isSwapped ? (before[at - 2] as number) + 1 : Number.POSITIVE_INFINITY,
			);
			current.push(slips);
			least = Math.min(least, slips);
		}
		best = Math.min(best, current[text.length] as number);
		if (least > limit) break;
		[before, previous] = [previous, current];
	}
	return best;
};
