import {describe, expect, test} from 'vitest';
import {commands} from '../../../source/app/commands.js';
import {bindings, type KeyContext} from '../../../source/keymap/bindings.js';
import {longChord, shortChord} from '../../../source/keymap/chord.js';
import {helpMarkdown, helpSections} from '../../../source/keymap/help.js';
import {matchKey} from '../../../source/keymap/match.js';
import {readOwnKeys} from '../../../source/keymap/own-keys.js';
import {widthOf} from '../../../source/terminal/width.js';

const context: KeyContext = {
	hasRow: true,
	isQueryEmpty: true,
	isCursorAtEnd: true,
	isHere: false,
	canUnfold: true,
	canFold: true,
	hasParent: true,
	hasChildren: true,
	hasFind: true,
	hasAttachments: true,
};

describe('the table of keys', () => {
	test.each([context, {...context, isHere: true}])(
		'no chord does two things in one mode',
		around => {
			for (const mode of ['list', 'reader', 'global'] as const) {
				const keys = bindings
					.filter(({modes, when}) => modes.includes(mode) && (when?.(around) ?? true))
					.flatMap(binding => binding.keys);
				expect(keys).toEqual([...new Set(keys)]);
			}
		},
	);

	test('every binding has something to do, an id of its own and a short label', () => {
		const ids = bindings.map(({id}) => id);
		expect(new Set(ids).size).toBe(ids.length);
		expect(Object.keys(commands).sort()).toEqual([...ids].sort());
		for (const {label} of bindings) expect(widthOf(label)).toBeLessThanOrEqual(24);
	});

	test('no letter is bound on the sessions screen, where letters are typed', () => {
		const keys = bindings.filter(({modes}) => modes.includes('list')).flatMap(({keys}) => keys);
		expect(keys.filter(key => key.length === 1)).toEqual(['?']);
	});
});

describe('matching', () => {
	const ask = (chord: string, pending: string | null = null, table = bindings) =>
		matchKey(table, {modes: ['reader', 'global'], chord, pending, context});

	test('finds keys of the screen and of everywhere', () => {
		expect(ask('j')).toEqual({kind: 'command', id: 'reader.down'});
		expect(ask('ctrl+k')).toEqual({kind: 'command', id: 'app.palette'});
		expect(ask('ctrl+q')).toEqual({kind: 'none'});
	});

	test('a sequence waits for its second key, and lets go of it', () => {
		const table = readOwnKeys({'reader.top': ['g g']}).bindings;
		expect(ask('g', null, table)).toEqual({kind: 'pending', chord: 'g'});
		expect(ask('g', 'g', table)).toEqual({kind: 'command', id: 'reader.top'});
		expect(ask('j', 'g', table)).toEqual({kind: 'command', id: 'reader.down'});
	});

	test('a binding that does nothing now is passed over', () => {
		const quiet = {...context, hasFind: false};
		expect(
			matchKey(bindings, {modes: ['reader'], chord: 'n', pending: null, context: quiet}),
		).toEqual({kind: 'none'});
	});
});

describe('the keys in words', () => {
	test.each([
		['ctrl+r', '^R', 'Ctrl-R'],
		['shift+tab', 'Shift-⇥', 'Shift-Tab'],
		['enter', '↵', 'Enter'],
		['f1', 'F1', 'F1'],
		['g g', 'g g', 'g g'],
		['G', 'G', 'G'],
		['escape', 'Esc', 'Esc'],
	])('%s', (chord, short, long) => {
		expect(shortChord(chord)).toBe(short);
		expect(longChord(chord)).toBe(long);
	});

	test('the help has every key that is bound, the open screen first', () => {
		const sections = helpSections(bindings, 'reader');
		expect(sections[0]?.title).toBe('Reader');
		const text = sections.flatMap(({entries}) => entries.map(({keys}) => keys)).join(', ');
		for (const {keys} of bindings)
			for (const key of keys) expect(text.split(', ')).toContain(longChord(key));
	});

	test('the README section is a table per screen', () => {
		expect(helpMarkdown(bindings)).toContain('| Ctrl-R | Go on with the session in its agent');
	});
});
