const names: Readonly<Record<string, string>> = {
	enter: '↵',
	tab: '⇥',
	escape: 'Esc',
	space: 'Space',
	up: '↑',
	down: '↓',
	left: '←',
	right: '→',
	pageup: 'PgUp',
	pagedown: 'PgDn',
	home: 'Home',
	end: 'End',
	backspace: 'Backspace',
	delete: 'Delete',
};

const plainNames: Readonly<Record<string, string>> = {
	...names,
	enter: 'Enter',
	tab: 'Tab',
	up: 'Up',
	down: 'Down',
	left: 'Left',
	right: 'Right',
};

const keyName = (name: string, isUnicode: boolean): string =>
	(isUnicode ? names : plainNames)[name] ?? (/^f\d+$/.test(name) ? name.toUpperCase() : name);

/** A chord for the hint line, as short as can be: `^R`, `⇥`, `Shift-⇥`, `F1`, `g g`. */
export const shortChord = (chord: string, isUnicode = true): string =>
	chord
		.split(' ')
		.map(key =>
			key
				.replace(/^ctrl\+(.)$/, (_, letter: string) => `^${letter.toUpperCase()}`)
				.replace(/^ctrl\+/, '^')
				.replace(/^alt\+/, 'Alt-')
				.replace(/^shift\+/, 'Shift-')
				.replace(/[a-z\d]{2,}$/, name => keyName(name, isUnicode)),
		)
		.join(' ');

/** A chord as prose writes it: `Ctrl-R`, `Shift-Tab`, `Enter`. */
export const longChord = (chord: string): string =>
	chord
		.split(' ')
		.map(key =>
			key
				.replace(/^ctrl\+(.)$/, (_, letter: string) => `Ctrl-${letter.toUpperCase()}`)
				.replace(/^ctrl\+/, 'Ctrl-')
				.replace(/^alt\+/, 'Alt-')
				.replace(/^shift\+/, 'Shift-')
				.replace(/[a-z\d]{2,}$/, name => keyName(name, false)),
		)
		.join(' ');
