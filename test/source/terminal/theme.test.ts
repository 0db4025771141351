import stringWidth from 'string-width';
import {describe, expect, it} from 'vitest';
import type {StyleName} from '../../../source/terminal/spans.js';
import {
	createTheme,
	detectTheme,
	type SymbolName,
	themeNames,
} from '../../../source/terminal/theme.js';

const symbols: readonly SymbolName[] = [
	'prompt',
	'query',
	'folded',
	'unfolded',
	'gutter',
	'selection',
	'rule',
	'ellipsis',
	'separator',
	'bullet',
	'minus',
	'live',
	'star',
	'deleted',
	'warning',
	'children',
	'ok',
	'cursor',
	'barFull',
	'barEmpty',
];

describe('createTheme', () => {
	it.each(themeNames)('%s without colour still sets apart what matters', name => {
		const {style} = createTheme({name, isColour: false, isUnicode: true});
		const needed: StyleName[] = [
			'selected',
			'error',
			'warning',
			'match',
			'matchCurrent',
			'prompt',
			'heading',
			'key',
		];
		for (const styleName of needed) {
			expect(style(styleName)).not.toHaveProperty('color');
			expect(style(styleName), styleName).not.toEqual({});
		}
		expect(style('matchCurrent')).not.toEqual(style('match'));
	});

	it.each(themeNames)('%s uses no colour that vanishes on a light or a dark background', name => {
		const {style} = createTheme({name, isColour: true, isUnicode: true});
		for (const styleName of [
			'text',
			'accent',
			'error',
			'warning',
			'success',
			'match',
			'diffAdd',
			'codeType',
		] as const)
			expect([undefined, 'cyan', 'red', 'magenta', 'green', 'blueBright']).toContain(
				style(styleName).color,
			);
	});

	it('has no red against green for the colour-blind, and nothing dim in high contrast', () => {
		const colourBlind = createTheme({name: 'colour-blind', isColour: true, isUnicode: true});
		expect(colourBlind.style('diffAdd').color).not.toBe('green');
		const highContrast = createTheme({name: 'high-contrast', isColour: true, isUnicode: true});
		expect(highContrast.style('dim')).toEqual({});
	});

	it('has symbols of one column, and ASCII ones where the locale needs it', () => {
		const unicode = createTheme({name: 'default', isColour: true, isUnicode: true});
		const ascii = createTheme({name: 'default', isColour: true, isUnicode: false});
		expect(symbols.map(name => stringWidth(unicode.symbol(name)))).toEqual(symbols.map(() => 1));
		expect(symbols.map(ascii.symbol).join('')).toMatch(/^[!-~]+$/);
		expect(symbols.map(name => stringWidth(ascii.symbol(name)))).toEqual(symbols.map(() => 1));
	});

	it('styles a span without a style as plain text', () => {
		expect(
			createTheme({name: 'default', isColour: true, isUnicode: true}).style(undefined),
		).toEqual({});
	});
});

describe('detectTheme', () => {
	it.each([
		['a usual terminal', {TERM: 'xterm-256color', LANG: 'en_US.UTF-8'}, true, true, true],
		['no terminal', {TERM: 'xterm', LANG: 'C.UTF-8'}, false, false, true],
		['NO_COLOR', {NO_COLOR: '1', LANG: 'de_DE.utf8'}, true, false, true],
		['an empty NO_COLOR', {NO_COLOR: '', LANG: 'C.UTF-8'}, true, true, true],
		['TERM=dumb', {TERM: 'dumb', LANG: 'C.UTF-8'}, true, false, true],
		['LC_ALL before LANG', {LC_ALL: 'C', LANG: 'en_US.UTF-8'}, true, true, false],
		['LC_CTYPE before LANG', {LC_CTYPE: 'en_US.UTF-8', LANG: 'C'}, true, true, true],
		['no locale', {}, true, true, false],
		['the Linux console', {TERM: 'linux', LANG: 'C.UTF-8'}, true, true, false],
	])('%s', (_, env, isTty, isColour, isUnicode) => {
		expect(detectTheme(env, isTty)).toEqual({isColour, isUnicode});
	});
});
