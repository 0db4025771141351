import type {KeyPress} from './input.js';
import {sanitizeForFile} from './sanitize.js';

/** What a stretch of input means; `undefined` is something to be ignored. */
export type Meaning = KeyPress | 'paste' | undefined;

interface Modifiers {
	readonly ctrl: boolean;
	readonly alt: boolean;
	readonly shift: boolean;
}

const none: Modifiers = {ctrl: false, alt: false, shift: false};

const names = (table: string): ReadonlyMap<string, string> =>
	new Map(table.split(' ').map(entry => entry.split('=') as [string, string]));

/** Last byte of `CSI … X` and `SS3 X`. */
const letterKeys = names('A=up B=down C=right D=left H=home F=end P=f1 Q=f2 R=f3 S=f4');
/** rxvt: `CSI a` is Shift with an arrow, `SS3 a` Ctrl with it. */
const rxvtArrows = names('a=up b=down c=right d=left');
/** Number in `CSI n ~`; 7 and 8 are rxvt's. */
const numberKeys = names(
	'1=home 2=insert 3=delete 4=end 5=pageup 6=pagedown 7=home 8=end 11=f1 12=f2 13=f3 14=f4 15=f5 17=f6 18=f7 19=f8 20=f9 21=f10 23=f11 24=f12',
);
const linuxFunctionKeys = names('A=f1 B=f2 C=f3 D=f4 E=f5');
/** Code points that are keys: the control characters, and the keypad of the kitty protocol. */
const codeKeys = names(
	'8=backspace 9=tab 13=enter 27=escape 127=backspace 57414=enter 57417=left 57418=right 57419=up 57420=down 57421=pageup 57422=pagedown 57423=home 57424=end 57425=insert 57426=delete',
);

/** Begins of answers of the terminal (OSC, DCS, APC), which nobody here asked for; `ESC ]` alone is a key with Alt. */
const answerStart = String.raw`\x1b(?:\]\d|P[\d>!$+]|_G)[^\0-\x1f]*`;

/** Input that may still become something else: wait for more. */
const incomplete = new RegExp(
	[
		String.raw`\x1b[O\]P_]?$`,
		String.raw`\x1bO\d$`,
		// `ESC [ 3 $` is whole as it is (rxvt).
		String.raw`\x1b\[(?!\d+\$)[0-?]*[ -/]*$`,
		String.raw`\x1b\[\[$`,
		String.raw`\x1b\[M.{0,2}[\ud800-\udbff]?$`,
		String.raw`${answerStart}\x1b?$`,
		String.raw`\x1b?[\ud800-\udbff]$`,
	].join('|'),
	'suy',
);

interface Rule {
	readonly pattern: RegExp;
	readonly read: (first: string, second: string) => Meaning;
}

const ignore = (): Meaning => undefined;

/** The first rule that fits; the last one always does. */
const rules: readonly Rule[] = [
	{pattern: /\x1b\[\[([A-E])/y, read: letter => keyIn(linuxFunctionKeys, letter)},
	// A mouse report of the oldest kind: three more characters of any value.
	{pattern: /\x1b\[M.{3}/suy, read: ignore},
	{pattern: /\x1b\[(\d+)\$/y, read: number => keyIn(numberKeys, number, {...none, shift: true})},
	{pattern: /\x1b\[(?![M[])([0-?]*)[ -/]*([@-~])/y, read: readCsi},
	{pattern: /\x1b\[[0-?]+[ -/]*/y, read: ignore},
	{pattern: /\x1bO(\d?)([A-Za-z])/y, read: readSs3},
	{pattern: new RegExp(String.raw`${answerStart}(?:\x07|\x1b\\)?`, 'y'), read: ignore},
	{pattern: /\x1b([^\x1b])/uy, read: character => readCharacter(character, {...none, alt: true})},
	{pattern: /(.)/suy, read: character => readCharacter(character, none)},
];

export function isIncomplete(input: string, at: number): boolean {
	incomplete.lastIndex = at;
	return incomplete.test(input);
}

/** The key at this place, and where the next one begins. */
export function readKey(
	input: string,
	at: number,
): {readonly meaning: Meaning; readonly end: number} {
	for (const {pattern, read} of rules) {
		pattern.lastIndex = at;
		const match = pattern.exec(input);
		if (match) return {meaning: read(match[1] ?? '', match[2] ?? ''), end: pattern.lastIndex};
	}
	return {meaning: undefined, end: at + 1};
}

function readCsi(parameters: string, final: string): Meaning {
	// Private parameters: mouse reports, answers about modes.
	if (/^[<=>?]/.test(parameters)) return undefined;
	const [first = '', second = '', third = ''] = parameters.split(';');
	if (final === 'u') return readCode(first, second);
	if (final === 'Z') return keyNamed('tab', {...none, shift: true});
	if (final === '^') return keyIn(numberKeys, first, {...none, ctrl: true});
	if (final === '@') return keyIn(numberKeys, first, {...none, ctrl: true, shift: true});
	if (rxvtArrows.has(final)) return keyIn(rxvtArrows, final, {...none, shift: true});
	if (final !== '~') return withModifiers(second, modifiers => keyIn(letterKeys, final, modifiers));
	if (first === '200') return 'paste';
	// xterm's modifyOtherKeys.
	if (first === '27') return readCode(third, second);
	return withModifiers(second, modifiers => keyIn(numberKeys, first, modifiers));
}

function readSs3(modifiers: string, final: string): Meaning {
	if (final === 'M') return keyNamed('enter', none);
	if (rxvtArrows.has(final)) return keyIn(rxvtArrows, final, {...none, ctrl: true});
	return withModifiers(modifiers, known => keyIn(letterKeys, final, known));
}

/** `codes` is `code:shifted:base` of the kitty protocol, or a code alone. */
function readCode(codes: string, modifiers: string): Meaning {
	const [code = '', shifted = ''] = codes.split(':');
	const name = codeKeys.get(code);
	if (name) return withModifiers(modifiers, known => keyNamed(name, known));
	const character = characterOf(code);
	return withModifiers(modifiers, known => {
		if (known.shift && !known.ctrl && character !== ' ')
			return readCharacter(characterOf(shifted) || character.toUpperCase(), {
				...known,
				shift: false,
			});
		return readCharacter(character, known);
	});
}

function characterOf(code: string): string {
	const point = Number(code);
	// The private area holds keys such as Caps Lock and Volume Up.
	const isCharacter = point >= 32 && point <= 0x10_ff_ff && !(point >= 0xe0_00 && point <= 0xf8_ff);
	return isCharacter ? String.fromCodePoint(point) : '';
}

/** `1 + bits`, and the kind of event behind a colon: 3 is a key that was let go. Super and Hyper are the desktop's. */
function withModifiers(parameter: string, read: (modifiers: Modifiers) => Meaning): Meaning {
	const [value, eventType] = parameter.split(':');
	const bits = Math.max(0, (Number(value) || 1) - 1);
	if (eventType === '3' || (bits & 0b11000) !== 0) return undefined;
	return read({shift: (bits & 1) !== 0, alt: (bits & 2) !== 0, ctrl: (bits & 4) !== 0});
}

/** One character as it was typed: a letter, a control byte, or something that is no key. */
function readCharacter(character: string, modifiers: Modifiers): Meaning {
	const code = character.codePointAt(0);
	if (code === undefined) return undefined;
	if (character === ' ') {
		const text = modifiers.ctrl || modifiers.alt ? '' : ' ';
		return {kind: 'key', name: 'space', text, ...modifiers};
	}
	const name = codeKeys.get(String(code));
	if (name) return keyNamed(name, modifiers);
	if (code === 0) return keyNamed('space', {...modifiers, ctrl: true});
	if (code < 32) {
		const letter = String.fromCharCode(code + 64).toLowerCase();
		return keyNamed(letter, {...modifiers, ctrl: true});
	}
	if (character === '\ufffd' || sanitizeForFile(character) !== character) return undefined;
	if (!modifiers.ctrl)
		return {kind: 'key', name: character, text: modifiers.alt ? '' : character, ...modifiers};
	const lower = character.toLowerCase();
	return keyNamed(lower, {...modifiers, shift: modifiers.shift || lower !== character});
}

function keyIn(table: ReadonlyMap<string, string>, entry: string, modifiers = none): Meaning {
	const name = table.get(entry);
	return name === undefined ? undefined : keyNamed(name, modifiers);
}

function keyNamed(name: string, modifiers: Modifiers): KeyPress {
	return {kind: 'key', name, text: '', ...modifiers};
}
