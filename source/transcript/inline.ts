import type {MarkedToken, Token} from 'marked';
import {sanitize} from '../terminal/sanitize.js';
import type {Line, Span, StyleName} from '../terminal/spans.js';

/** A token of a known kind; the lexer is used without extensions. */
export const known = (token: Token): MarkedToken => token as MarkedToken;

/** Emphasis inside of emphasis beyond this is text: each level costs stack. */
const MAX_DEPTH = 12;

const entities: Readonly<Record<string, string>> = {
	'&amp;': '&',
	'&lt;': '<',
	'&gt;': '>',
	'&quot;': '"',
	'&#39;': "'",
	'&apos;': "'",
	'&nbsp;': ' ',
};

/**
 * marked 18 decodes numeric entities in texts (`&#27;` becomes an ESC) and leaves named ones alone, so texts are sanitised once
 * more: after sanitising and before lexing they looked harmless.
 */
const decoded = (text: string): string =>
	sanitize(
		text.replace(/&(?:amp|lt|gt|quot|apos|nbsp|#39);/g, entity => entities[entity] ?? entity),
	);

const plain = (text: string, style: StyleName | undefined): Span =>
	style === undefined ? {text} : {text, style};

/** The address, where the text does not show it already; of `data:` addresses there is nothing to see. */
const address = (href: string, text: string): Line =>
	href === text || href === `mailto:${text}` || /^data:/i.test(href)
		? []
		: [{text: ` (${href})`, style: 'dim'}];

/** Inline Markdown as spans; a newline in a span begins a row. */
export const inlineLine = (
	tokens: readonly Token[] | undefined,
	style?: StyleName,
	depth = 0,
): Line =>
	(tokens ?? []).flatMap((untyped): Line => {
		const token = known(untyped);
		const inner = (innerStyle: StyleName): Line =>
			'tokens' in token && token.tokens && depth < MAX_DEPTH
				? inlineLine(token.tokens, innerStyle, depth + 1)
				: [plain('text' in token ? token.text : token.raw, innerStyle)];
		switch (token.type) {
			case 'strong':
				return inner('strong');
			case 'em':
				return inner('emphasis');
			case 'del':
				return inner('strike');
			case 'codespan':
				return [{text: token.text, style: 'code'}];
			case 'link':
				return [...inner('link'), ...address(token.href, token.text)];
			case 'image':
				return [
					{text: `[image ${token.text}]`.replace(' ]', ']'), style: 'badge'},
					...address(token.href, token.text),
				];
			case 'br':
				return [{text: '\n'}];
			case 'escape':
				return [plain(token.text, style)];
			case 'text':
				return token.tokens && depth < MAX_DEPTH
					? inlineLine(token.tokens, style, depth + 1)
					: [plain(decoded(token.text), style)];
			case 'checkbox':
				return [];
			default:
				return [plain(token.raw, style)];
		}
	});
