import fc from 'fast-check';

/** Pieces that have gone wrong in terminals before. */
const awkward = [
	'日本語',
	'한국어',
	'각',
	'👨‍👩‍👧‍👦',
	'👍🏽',
	'🏽',
	'🇩🇪',
	'🇩',
	'1️⃣',
	'❤️',
	'❤',
	'é',
	'e\u0301',
	'\u0301',
	'\u0903',
	'नि',
	'ൎ',
	'שלום',
	'مرحبا',
	'\u0600',
	'\u200b',
	'\u200d',
	'\ufeff',
	'\ufe0f',
	'\u20e3',
	'ﾞ',
	'ｶﾞ',
	'\u3000',
	'Ａ',
	'─',
	'★',
	' ',
	'  ',
	'-',
	'word',
	'a',
];

const hostile = [
	'\x1b[2J',
	'\x1b]52;c;aGk=\x07',
	'\x1b]0;title',
	'\x1b',
	'\x9b',
	'\x9b2J',
	'\x1b[',
	'[2J',
	'\x07',
	'\b',
	'\0',
	'\x7f',
	'\r',
	'\r\n',
	'\n',
	'\t',
	'\u202e',
	'\u2066',
	'\u200f',
	'\u061c',
	'\u2028',
	'\u2029',
	'\ud83d',
	'\ude00',
	'\x1bP',
	'\x1b\\',
];

const joined = (pieces: fc.Arbitrary<string>) =>
	fc.array(pieces, {maxLength: 30}).map(parts => parts.join(''));

/** Any string at all, with what terminals obey well represented. */
export const anyText = joined(
	fc.oneof(
		fc.constantFrom(...hostile, ...awkward),
		fc.string({unit: 'binary', maxLength: 4}),
		fc.string({maxLength: 6}),
	),
);

/** Text of one line as it comes out of the sanitiser: every script, no control character. */
export const cleanText = joined(
	fc.oneof(
		fc.constantFrom(...awkward),
		fc.string({unit: 'grapheme', maxLength: 4}),
		fc.string({maxLength: 8}),
	),
).map(text => text.replace(/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069\u200e\u200f\u061c]/gu, ''));
