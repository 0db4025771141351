import stringWidth from 'string-width';

export interface Grapheme {
	readonly text: string;
	/** UTF-16 position. */
	readonly index: number;
	readonly columns: number;
}

const segmenter = new Intl.Segmenter();

/** `Intl.Segmenter` takes time by the square of the length (64,000 characters: half a second), so it is given this much at once. */
const windowLength = 64;

/**
 * Characters that are a grapheme each, whatever stands beside them in such a run (Grapheme_Cluster_Break=Other, or a whole Hangul
 * syllable): ASCII, Latin, Greek, Cyrillic, punctuation, symbols, CJK.
 */
const simpleRun =
	/[ -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2100-\u2bff\u3000-\u3029\u3041-\u3096\u309b-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff01-\uff9d]+/y;

/** Filled with graphemes of one UTF-16 unit only, so it cannot grow beyond 65,536 entries. */
const columnsOfUnit = new Map<string, number>();

/** What a person takes for one character, one after the other. */
export function* graphemesOf(text: string): Generator<Grapheme, void> {
	for (let at = 0; at < text.length; ) {
		simpleRun.lastIndex = at;
		const runEnd = simpleRun.test(text) ? simpleRun.lastIndex : at;
		// What follows the run may belong to its last character.
		const certainEnd = runEnd === text.length ? runEnd : runEnd - 1;
		for (; at < certainEnd; at++) yield graphemeAt(text.charAt(at), at);
		if (at === text.length) return;
		for (const end of boundariesFrom(text, at)) {
			yield graphemeAt(text.slice(at, end), at);
			at = end;
		}
	}
}

/** Ends of the graphemes that begin here; at least one, and none that the end of the window made up. */
function boundariesFrom(text: string, from: number): readonly number[] {
	for (let length = windowLength; ; length *= 2) {
		// Half a surrogate pair at the end would be a character of its own.
		const isPairCut = (text.codePointAt(from + length - 1) ?? 0) > 0xff_ff;
		const end = from + length + (isPairCut ? 1 : 0);
		const segments = segmenter.segment(text.slice(from, end));
		const boundaries = Array.from(segments, ({index}) => from + index).slice(1);
		if (end >= text.length) return [...boundaries, text.length];
		if (boundaries.length > 0) return boundaries;
	}
}

function graphemeAt(text: string, index: number): Grapheme {
	return {text, index, columns: columnsOf(text)};
}

function columnsOf(grapheme: string): number {
	if (grapheme.length > 1) return stringWidth(grapheme);
	const known = columnsOfUnit.get(grapheme);
	if (known !== undefined) return known;
	const columns = stringWidth(grapheme);
	columnsOfUnit.set(grapheme, columns);
	return columns;
}
