/**
 * What the full-text index is given instead of the bare text, so that FTS5's plain word tokeniser finds two things more
 * (PERFORMANCE section 3): any piece of a Chinese, Japanese or Korean run, and the inner parts of camelCase names.
 */

// Han, kana, bopomofo and Hangul with their iteration and length marks; half-width forms included.
const CJK_CLASS =
	'\\u1100-\\u11ff\\u3005-\\u3007\\u3041-\\u30fa\\u30fc-\\u30ff\\u3105-\\u318e\\u31a0-\\u31bf\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\ua960-\\ua97c\\uac00-\\ud7fb\\uf900-\\ufaff\\uff66-\\uffdc\\u{1b000}-\\u{1b16f}\\u{20000}-\\u{3ffff}';
const CJK = new RegExp(`[${CJK_CLASS}]`, 'u');
const EVERY_CJK = new RegExp(`[${CJK_CLASS}]`, 'gu');
// macOS file names come decomposed; the index knows the composed form.
const DECOMPOSED = /[\u0300-\u036f\u1100-\u11ff\u3099\u309a]/;

/** True for a character that is a word of its own in the index. */
export const isCjk = (codePoint: number): boolean =>
	codePoint >= 0x1100 && CJK.test(String.fromCodePoint(codePoint));

/** The text as it goes into the full-text index: its own words, then the tails of its camelCase names, a line for each name. */
export const indexText = (text: string): string => {
	const composed = DECOMPOSED.test(text) ? text.normalize('NFC') : text;
	const tails = humpTails(composed);
	const spaced = CJK.test(composed) ? composed.replace(EVERY_CJK, ' $& ') : composed;
	return tails === '' ? spaced : `${spaced}\n${tails}`;
};

const SEPARATOR = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

const CLASS_OF_ASCII = Uint8Array.from({length: 128}, (_, code) => {
	const char = String.fromCharCode(code);
	if (/[a-z]/.test(char)) return LOWER;
	if (/[A-Z]/.test(char)) return UPPER;
	return /[0-9]/.test(char) ? DIGIT : SEPARATOR;
});

/** Beyond ASCII names are taken to be Latin, Greek or Cyrillic: capitals there make humps too. */
const classOf = (code: number): number => {
	if (code < 128) return CLASS_OF_ASCII[code] as number;
	const isLetter = (code >= 0xc0 && code < 0x590) || (code >= 0x1e00 && code < 0x2000);
	if (!isLetter) return SEPARATOR;
	const isCapital =
		(code <= 0xde && code !== 0xd7) ||
		(code >= 0x391 && code <= 0x3a9) ||
		(code >= 0x410 && code <= 0x42f);
	return isCapital ? UPPER : LOWER;
};

// Longer or more ragged than any identifier: base64 and the like, whose tails would only swell the index.
const NAME_CHARS = 64;
const SHORT_NAME_CHARS = 12;
const CHARS_PER_HUMP = 3;

/** One line per distinct camelCase name: `getUserById` → `userbyid byid id`. */
const humpTails = (text: string): string => {
	let names: Set<string> | undefined;
	let start = 0;
	let humps = 0;
	let previous = SEPARATOR;
	let isSecondCapital = false;
	const {length} = text;
	for (let index = 0; index <= length; index++) {
		const kind = index < length ? classOf(text.charCodeAt(index)) : SEPARATOR;
		if (kind === SEPARATOR) {
			if (humps > 0 && isName(index - start, humps)) {
				names ??= new Set();
				names.add(text.slice(start, index));
			}
			humps = 0;
			start = index + 1;
		} else if (kind === UPPER) {
			if (previous === LOWER || previous === DIGIT) humps++;
		} else if (kind === LOWER && isSecondCapital) humps++;
		isSecondCapital = kind === UPPER && previous === UPPER;
		previous = kind;
	}
	if (names === undefined) return '';
	let lines = '';
	for (const name of names) {
		if (lines !== '') lines += '\n';
		let separator = '';
		for (const at of humpsOf(name)) {
			lines += separator + name.slice(at).toLowerCase();
			separator = ' ';
		}
	}
	return lines;
};

const isName = (length: number, humps: number): boolean =>
	length <= NAME_CHARS && (length <= SHORT_NAME_CHARS || humps * CHARS_PER_HUMP <= length);

/** Where the inner parts of a name begin: `getUserById` → 3, 7, 9; `HTTPServer` → 4. */
export const humpsOf = (name: string): readonly number[] => {
	const found: number[] = [];
	let previous = SEPARATOR;
	let isSecondCapital = false;
	for (let index = 0; index < name.length; index++) {
		const kind = classOf(name.charCodeAt(index));
		if (kind === UPPER && (previous === LOWER || previous === DIGIT)) found.push(index);
		else if (kind === LOWER && isSecondCapital) found.push(index - 1);
		isSecondCapital = kind === UPPER && previous === UPPER;
		previous = kind;
	}
	return found;
};
