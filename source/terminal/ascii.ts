/** Punctuation of our own words and of what agents write that has a plain counterpart of the same width. */
const plain: Readonly<Record<string, string>> = {
	'…': '~',
	'–': '-',
	'—': '-',
	'−': '-',
	'·': '-',
	'•': '*',
	'×': 'x',
	'→': '>',
	'←': '<',
	'“': '"',
	'”': '"',
	'‘': "'",
	'’': "'",
};
const punctuation = new RegExp(`[${Object.keys(plain).join('')}]`, 'g');

/** For terminals that show ASCII only. Letters stay: to drop them would help nobody. */
export const asciiPunctuation = (text: string): string =>
	text.replace(punctuation, character => plain[character] ?? character);
