import type {Token, Tokens} from 'marked';
import type {Line, StyleName} from '../terminal/spans.js';
import {widthOf, wrapLine} from '../terminal/width.js';
import {codeLines, languageOf} from './code.js';
import {inlineLine, known} from './inline.js';
import {lexMarkdown} from './lexer.js';
import type {Symbols} from './options.js';
import {indentRows, textRows, wrapRows} from './rows.js';
import {tableRows} from './table.js';

/** Lists and quotes nested deeper are shown as they are. */
const MAX_DEPTH = 8;
/** Columns that a list or a quote must leave to its content. */
const MIN_COLUMNS = 8;

interface Frame {
	readonly columns: number;
	readonly depth: number;
	readonly style?: StyleName | undefined;
	readonly symbols: Symbols;
}

const narrower = (frame: Frame, by: number): Frame => ({
	...frame,
	columns: Math.max(1, frame.columns - by),
	depth: frame.depth + 1,
});

const paragraph = (tokens: readonly Token[] | undefined, frame: Frame, style?: StyleName) =>
	wrapLine(inlineLine(tokens, style ?? frame.style), frame.columns);

/** The fences stay: they say where code begins and ends, also without colours. */
const codeBlock = (token: Tokens.Code, frame: Frame): readonly Line[] => {
	const indent = frame.columns > MIN_COLUMNS + 2 ? '  ' : '';
	const columns = frame.columns - indent.length;
	const fence = (info: string): Line => [{text: `\`\`\`${info}`, style: 'dim'}];
	const rows = wrapRows(
		[fence(languageOf(token.lang)), ...codeLines(token.text, token.lang), fence('')],
		columns,
	);
	return indent === '' ? rows : indentRows(rows, {text: indent});
};

const listItem = (item: Tokens.ListItem, marker: string, frame: Frame): readonly Line[] => {
	const {symbols} = frame;
	const box = item.task ? `${item.checked ? symbols.done : symbols.pending} ` : `${marker} `;
	const inner = narrower(frame, widthOf(box));
	const rows = blockRows(item.tokens, inner);
	return indentRows(rows.length === 0 ? [[]] : rows, {text: box, style: 'bullet'});
};

const list = (token: Tokens.List, frame: Frame): readonly Line[] => {
	const start = Number(token.start) || 1;
	const widest = String(start + token.items.length - 1).length;
	return token.items.flatMap((item, index) => {
		const marker = token.ordered
			? `${String(start + index).padStart(widest)}.`
			: frame.symbols.bullet;
		const rows = listItem(item, marker, frame);
		return token.loose && index > 0 ? [[], ...rows] : rows;
	});
};

const quote = (token: Tokens.Blockquote, frame: Frame): readonly Line[] => {
	const mark = {text: `${frame.symbols.gutter} `, style: 'quote'} as const;
	const inner = {...narrower(frame, widthOf(mark.text)), style: 'quote' as const};
	return indentRows(blockRows(token.tokens, inner), mark, mark);
};

const block = (untyped: Token, frame: Frame): readonly Line[] => {
	const token = known(untyped);
	const isTooDeep = frame.depth >= MAX_DEPTH || frame.columns < MIN_COLUMNS;
	switch (token.type) {
		case 'heading':
			return paragraph(token.tokens, frame, 'heading');
		case 'paragraph':
			return paragraph(token.tokens, frame);
		case 'text':
			return token.tokens
				? paragraph(token.tokens, frame)
				: textRows(token.text, frame.columns, frame.style);
		case 'code':
			return codeBlock(token, frame);
		case 'table':
			return tableRows(token, frame.columns, frame.symbols);
		case 'hr':
			return [[{text: frame.symbols.rule.repeat(frame.columns), style: 'rule'}]];
		case 'list':
			return isTooDeep ? textRows(token.raw, frame.columns, frame.style) : list(token, frame);
		case 'blockquote':
			return isTooDeep ? textRows(token.raw, frame.columns, frame.style) : quote(token, frame);
		case 'checkbox':
			return [];
		default:
			return textRows(token.raw.replace(/\n+$/, ''), frame.columns, frame.style);
	}
};

/** Blocks stand as far apart as they were written: a blank row only where the text has one. */
const blockRows = (tokens: readonly Token[], frame: Frame): readonly Line[] => {
	const rows: Line[] = [];
	let hasBlank = false;
	for (const token of tokens) {
		if (token.type !== 'space') {
			if (hasBlank && rows.length > 0) rows.push([]);
			rows.push(...block(token, frame));
			hasBlank = false;
		}
		hasBlank ||= /\n[ \t]*\n\s*$/.test(token.raw.slice(-200));
	}
	return rows;
};

/** Sanitised Markdown as rows of at most `columns`. What cannot be read as Markdown is shown as it was written. */
export const markdownRows = (
	text: string,
	columns: number,
	symbols: Symbols,
	style?: StyleName,
): readonly Line[] => {
	const tokens = lexMarkdown(text);
	return tokens === undefined
		? textRows(text, columns, style)
		: blockRows(tokens, {columns, depth: 0, style, symbols});
};
