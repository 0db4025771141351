import {shellWord} from './plan.js';

/** One piece of a word: quoted in one way or the other, a character behind a backslash, or plain. */
const piece = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/gsy;

/**
 * Arguments that a person typed, as a shell would take them apart; nothing else of a shell has a meaning here. Null: a quote is
 * open.
 */
export const splitWords = (text: string): readonly string[] | null => {
	const words: string[] = [];
	let at = 0;
	for (;;) {
		at += /^\s*/.exec(text.slice(at))?.[0].length ?? 0;
		if (at === text.length) return words;
		let word = '';
		piece.lastIndex = at;
		for (let match = piece.exec(text); match; match = piece.exec(text)) {
			const [, single, double, escaped, plain] = match;
			word += single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? plain ?? '';
			at = piece.lastIndex;
		}
		if (at < text.length && !/\s/.test(text[at] ?? '')) return null;
		words.push(word);
	}
};

/** The words as one would type them. */
export const joinWords = (words: readonly string[]): string =>
	words.map(word => shellWord(word)).join(' ');
