const named: Readonly<Record<string, string>> = {
	enter: '\r',
	tab: '\t',
	'shift+tab': '\x1b[Z',
	escape: '\x1b',
	backspace: '\x7f',
	space: ' ',
	insert: '\x1b[2~',
	delete: '\x1b[3~',
	pageup: '\x1b[5~',
	pagedown: '\x1b[6~',
	f5: '\x1b[15~',
	f6: '\x1b[17~',
	f7: '\x1b[18~',
	f8: '\x1b[19~',
	f9: '\x1b[20~',
	f10: '\x1b[21~',
	f11: '\x1b[23~',
	f12: '\x1b[24~',
	'ctrl+space': '\0',
};

const letters: Readonly<Record<string, string>> = {
	up: 'A',
	down: 'B',
	right: 'C',
	left: 'D',
	home: 'H',
	end: 'F',
};

const functionKeys: Readonly<Record<string, string>> = {f1: 'P', f2: 'Q', f3: 'R', f4: 'S'};

const modifierBits: Readonly<Record<string, number>> = {shift: 1, alt: 2, ctrl: 4};

/** What xterm sends for a chord; text that is no chord is sent as it is. */
export function bytesOf(key: string): string {
	if (named[key] !== undefined) return named[key];
	if (letters[key]) return `\x1b[${letters[key]}`;
	if (functionKeys[key]) return `\x1bO${functionKeys[key]}`;
	const [, prefix = '', rest = ''] = /^((?:(?:ctrl|alt|shift)\+)+)(.+)$/s.exec(key) ?? [];
	if (prefix === '') return key;
	const modifiers = prefix.split('+').filter(Boolean);
	if (letters[rest]) {
		const bits = modifiers.reduce((sum, name) => sum + (modifierBits[name] ?? 0), 0);
		return `\x1b[1;${bits + 1}${letters[rest]}`;
	}
	const plain = modifiers.includes('ctrl')
		? String.fromCharCode(rest.charCodeAt(0) & 31)
		: bytesOf(rest);
	return modifiers.includes('alt') ? `\x1b${plain}` : plain;
}
