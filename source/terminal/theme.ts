import type {StyleName} from './spans.js';

/** Properties of Ink's `Text`. */
export interface TextStyle {
	readonly color?: string;
	readonly backgroundColor?: string;
	readonly bold?: boolean;
	readonly dimColor?: boolean;
	readonly italic?: boolean;
	readonly underline?: boolean;
	readonly inverse?: boolean;
	readonly strikethrough?: boolean;
}

export const themeNames = ['default', 'high-contrast', 'colour-blind'] as const;
export type ThemeName = (typeof themeNames)[number];

export type SymbolName = keyof typeof symbols;

export interface ThemeOptions {
	readonly name: ThemeName;
	readonly isColour: boolean;
	readonly isUnicode: boolean;
}

export interface Theme extends ThemeOptions {
	readonly style: (name: StyleName | undefined) => TextStyle;
	readonly symbol: (name: SymbolName) => string;
}

type Styles = Readonly<Record<StyleName, TextStyle>>;

/**
 * Only the 16 colours that every terminal tunes to its own background; neither white, black nor yellow, which vanish on one of the
 * two. Whatever a colour says is also said by a symbol, a word or a weight.
 */
const standard: Styles = {
	text: {},
	dim: {dimColor: true},
	bold: {bold: true},
	accent: {color: 'cyan'},
	selected: {bold: true},
	prompt: {bold: true},
	promptMark: {color: 'cyan', bold: true},
	gutter: {dimColor: true},
	reasoning: {dimColor: true, italic: true},
	meta: {dimColor: true},
	tool: {},
	toolName: {color: 'cyan'},
	error: {color: 'red', bold: true},
	warning: {color: 'magenta', bold: true},
	success: {color: 'green'},
	heading: {bold: true, underline: true},
	strong: {bold: true},
	emphasis: {italic: true},
	strike: {strikethrough: true},
	link: {color: 'cyan', underline: true},
	quote: {italic: true, dimColor: true},
	bullet: {color: 'cyan'},
	rule: {dimColor: true},
	code: {color: 'cyan'},
	codeKeyword: {color: 'magenta'},
	codeString: {color: 'green'},
	codeComment: {dimColor: true, italic: true},
	codeNumber: {color: 'cyan'},
	codeName: {bold: true},
	codeType: {color: 'cyan'},
	diffAdd: {color: 'green'},
	diffRemove: {color: 'red'},
	diffHunk: {color: 'cyan', dimColor: true},
	lineNumber: {dimColor: true},
	match: {color: 'magenta', bold: true, underline: true},
	matchCurrent: {inverse: true, bold: true},
	filterWord: {color: 'cyan', underline: true},
	badge: {color: 'cyan'},
	key: {bold: true},
	agent1: {color: 'cyan'},
	agent2: {color: 'magenta'},
	agent3: {color: 'green'},
	agent4: {color: 'blueBright'},
};

/** Blue against red stays apart for those who cannot tell red from green. */
const colourBlind: Styles = {
	...standard,
	success: {color: 'blueBright'},
	codeString: {color: 'blueBright'},
	diffAdd: {color: 'blueBright'},
	diffRemove: {color: 'red', bold: true},
	agent3: {},
};

/** The terminal's own text colour has the best contrast that there is: weight, lines and inverse instead of colours. */
const highContrast: Styles = {
	...mapStyles(standard, ({dimColor: _dim, color: _color, ...style}) => style),
	selected: {bold: true, inverse: true},
	error: {bold: true, inverse: true},
	warning: {bold: true, underline: true},
	match: {bold: true, inverse: true},
	matchCurrent: {bold: true, inverse: true, underline: true},
	codeKeyword: {bold: true},
	diffAdd: {bold: true},
	diffRemove: {underline: true},
};

const themes: Readonly<Record<ThemeName, Styles>> = {
	default: standard,
	'high-contrast': highContrast,
	'colour-blind': colourBlind,
};

/** Each symbol and what stands for it where the locale has only ASCII. All are one column wide, except the two key names. */
const symbols = {
	prompt: ['❯', '>'],
	query: ['›', '>'],
	folded: ['▸', '+'],
	unfolded: ['▾', '-'],
	gutter: ['│', '|'],
	selection: ['▌', '>'],
	rule: ['─', '-'],
	ellipsis: ['…', '~'],
	separator: ['·', '-'],
	bullet: ['•', '*'],
	minus: ['−', '-'],
	live: ['●', 'o'],
	star: ['★', '*'],
	deleted: ['✗', 'x'],
	warning: ['⚠', '!'],
	children: ['⋯', '&'],
	ok: ['✓', 'v'],
	cursor: ['▏', '_'],
	barFull: ['█', '#'],
	barEmpty: ['░', '.'],
	enter: ['↵', 'Enter'],
	tab: ['⇥', 'Tab'],
} as const satisfies Readonly<Record<string, readonly [unicode: string, ascii: string]>>;

const plain: TextStyle = {};

export function createTheme({name, isColour, isUnicode}: ThemeOptions): Theme {
	const styles = isColour ? themes[name] : mapStyles(themes[name], withoutColour);
	return {
		name,
		isColour,
		isUnicode,
		style: style => (style === undefined ? plain : styles[style]),
		symbol: symbol => symbols[symbol][isUnicode ? 0 : 1],
	};
}

/** What the terminal can show: NO_COLOR, TERM and the locale say so. */
export function detectTheme(
	env: NodeJS.ProcessEnv,
	isTty: boolean,
): {readonly isColour: boolean; readonly isUnicode: boolean} {
	const {NO_COLOR, TERM, LC_ALL, LC_CTYPE, LANG} = env;
	const locale = LC_ALL || LC_CTYPE || LANG || '';
	return {
		isColour: isTty && !NO_COLOR && TERM !== 'dumb',
		// The font of the Linux console has 512 characters at most, few of ours among them.
		isUnicode: /utf-?8/i.test(locale) && TERM !== 'linux',
	};
}

function withoutColour({
	color: _color,
	backgroundColor: _background,
	...style
}: TextStyle): TextStyle {
	return style;
}

function mapStyles(styles: Styles, change: (style: TextStyle) => TextStyle): Styles {
	const entries = Object.entries(styles).map(([name, style]) => [name, change(style)]);
	return Object.fromEntries(entries) as Styles;
}
