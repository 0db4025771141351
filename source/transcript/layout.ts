import type {EventKind} from '../../adapters/model.js';
import type {EventView} from '../../store/types.js';
import {sanitize} from '../terminal/sanitize.js';
import type {Line, Span, StyleName} from '../terminal/spans.js';
import {cutLine, wrapLine} from '../terminal/width.js';
import {headline} from './headline.js';
import {markdownRows} from './markdown.js';
import {type LayoutOptions, symbolsFor} from './options.js';
import {placeholderPattern} from './placeholders.js';
import {dimRows, gutterRows, headRow, indentRows, MARGIN, ruleRow, textRows} from './rows.js';
import {stateNote, truncationNote, wholeText} from './text.js';
import {formatGap} from './time.js';
import {layoutToolResult, layoutToolUse} from './tool-call.js';

export {headline} from './headline.js';
export type {Fold, LayoutOptions} from './options.js';

type Layout = (event: EventView, options: LayoutOptions) => readonly Line[];

const promptSpans = (text: string, style: StyleName): Line =>
	text
		.split(placeholderPattern)
		.map((part, index): Span => ({text: part, style: index % 2 === 1 ? 'badge' : style}));

/** As it was typed: a prompt is no Markdown, and pasted logs must keep their lines. */
const layoutPrompt: Layout = (event, options) => {
	const symbols = symbolsFor(options.isUnicode);
	const columns = options.columns - MARGIN;
	const isLocal = event.input === 'local';
	const note = stateNote(event);
	const script = event.input === 'headless' ? '(by a script) ' : '';
	const notes = `${note === null ? '' : `${note} `}${script}`;
	const text = sanitize(wholeText(event, options.fold, options.fullText)).trimEnd();
	const line: Line = [
		...(notes === '' ? [] : [{text: notes, style: 'warning'} as const]),
		...promptSpans(text, isLocal ? 'dim' : 'prompt'),
	];
	const rows = indentRows(wrapLine(line, columns), {
		text: `${symbols.prompt} `,
		style: 'promptMark',
	});
	const cut = truncationNote(event, options.fold, options.fullText, columns);
	return [...rows, ...indentRows(cut, {text: ' '.repeat(MARGIN)})];
};

const noteRows = (event: EventView, columns: number): readonly Line[] => {
	const note = stateNote(event);
	return note === null ? [] : textRows(note, columns, 'warning');
};

const layoutReply: Layout = (event, options) => {
	const symbols = symbolsFor(options.isUnicode);
	const columns = options.columns - MARGIN;
	const text = sanitize(wholeText(event, options.fold, options.fullText)).trim();
	return gutterRows(
		[
			...noteRows(event, columns),
			...markdownRows(text, columns, symbols),
			...truncationNote(event, options.fold, options.fullText, columns),
		],
		symbols,
	);
};

const layoutMessage: Layout = (event, options) =>
	event.role === 'user' ? layoutPrompt(event, options) : layoutReply(event, options);

const lineCount = (text: string): string => {
	const count = text.trim().split('\n').length;
	return count === 1 ? '1 line' : `${count.toLocaleString('en-GB')} lines`;
};

const layoutReasoning: Layout = (event, options) => {
	const symbols = symbolsFor(options.isUnicode);
	const columns = options.columns - MARGIN;
	const text = sanitize(wholeText(event, options.fold, options.fullText)).trim();
	const note = stateNote(event);
	const label = `thinking ${symbols.separator} ${lineCount(text)}`;
	const isShown = options.hasReasoning || options.fold !== 'folded';
	const rows: readonly Line[] = isShown
		? [
				...noteRows(event, columns),
				...textRows(text, columns, 'reasoning'),
				...truncationNote(event, options.fold, options.fullText, columns),
			]
		: textRows(note === null ? label : `${label} ${note}`, columns, 'reasoning');
	return gutterRows(rows, symbols);
};

const layoutSummary: Layout = (event, options) => {
	const symbols = symbolsFor(options.isUnicode);
	const text = sanitize(wholeText(event, options.fold, options.fullText)).trim();
	const size = text.includes('\n') ? ` ${symbols.separator} ${lineCount(text)}` : '';
	const mark = options.fold === 'folded' ? symbols.folded : symbols.unfolded;
	const label = text === '' ? 'compacted' : `${mark} compacted${size}`;
	const first = ruleRow(label, options.columns, symbols);
	if (options.fold === 'folded' || text === '') return [first];
	const columns = options.columns - MARGIN;
	return [
		first,
		...gutterRows(
			[
				...markdownRows(text, columns, symbols, 'dim'),
				...truncationNote(event, options.fold, options.fullText, columns),
			],
			symbols,
		),
	];
};

const layoutMeta: Layout = (event, options) => {
	if (options.isTask) return layoutPrompt(event, options);
	const symbols = symbolsFor(options.isUnicode);
	const text = sanitize(wholeText(event, options.fold, options.fullText)).trim();
	const isOpen = options.fold !== 'folded';
	const left: Line = [
		{text: `${isOpen ? symbols.unfolded : symbols.folded} `, style: 'meta'},
		{text: isOpen ? 'meta' : `meta  ${headline(event)}`, style: 'meta'},
	];
	const first = headRow(
		{left, facts: [[{text: lineCount(text), style: 'meta'}]]},
		options.columns,
		symbols,
	);
	if (!isOpen) return [first];
	const columns = options.columns - MARGIN;
	const rows = [
		...textRows(text, columns, 'meta'),
		...truncationNote(event, options.fold, options.fullText, columns),
	];
	return [first, ...indentRows(rows, {text: ' '.repeat(MARGIN)})];
};

const layouts: Readonly<Record<EventKind, Layout>> = {
	message: layoutMessage,
	reasoning: layoutReasoning,
	tool_use: layoutToolUse,
	tool_result: layoutToolResult,
	summary: layoutSummary,
	meta: layoutMeta,
};

const isTool = (kind: EventKind): boolean => kind === 'tool_use' || kind === 'tool_result';

/** Whether the event has lines at all: copies belong to the parent, and some kinds are switched off. */
export const isVisible = (
	event: EventView,
	options: Pick<LayoutOptions, 'tools' | 'hasMeta' | 'isTask' | 'isPaired'>,
): boolean => {
	if (event.state === 'copied') return false;
	if (isTool(event.kind))
		return options.tools !== 'none' && !(event.kind === 'tool_result' && options.isPaired);
	if (event.kind === 'meta') return options.hasMeta || options.isTask === true;
	return event.kind === 'summary' || event.text.trim() !== '';
};

/** Stands for a stretch that was rewound, until it is shown. */
export const layoutRewound = (
	steps: number,
	{columns, isUnicode}: Pick<LayoutOptions, 'columns' | 'isUnicode'>,
): readonly Line[] => {
	const symbols = symbolsFor(isUnicode);
	const count = steps === 1 ? '1 step' : `${steps.toLocaleString('en-GB')} steps`;
	const label = `${symbols.folded} rewound ${symbols.separator} ${count} ${symbols.separator} w shows`;
	return [[], ruleRow(label, columns, symbols)];
};

const isQuiet = (kind: EventKind): boolean =>
	isTool(kind) || kind === 'reasoning' || kind === 'meta';

/** Messages stand apart; calls, thoughts and the like follow each other closely. */
const hasSpaceBefore = (event: EventView, {previousKind}: LayoutOptions): boolean => {
	if (previousKind === null) return false;
	if (previousKind === undefined) return !isQuiet(event.kind);
	return !(isQuiet(event.kind) && isQuiet(previousKind));
};

const before = (event: EventView, options: LayoutOptions): readonly Line[] => {
	const gap = formatGap(options.previousAtMs, event.atMs);
	if (gap !== null) return [[], ruleRow(gap, options.columns, symbolsFor(options.isUnicode)), []];
	return hasSpaceBefore(event, options) ? [[]] : [];
};

/**
 * An event as rows for the screen: sanitised, styled, wrapped, never wider than `columns`. What the options hide gives none.
 * The rows begin with what separates the event from the one above: a blank row, or the line that names a pause.
 */
export const layoutEvent = (event: EventView, options: LayoutOptions): readonly Line[] => {
	if (!isVisible(event, options)) return [];
	const isUnfolded = isTool(event.kind) && options.tools === 'full' && options.fold === 'folded';
	const folded: LayoutOptions = isUnfolded ? {...options, fold: 'open'} : options;
	const rows = layouts[event.kind](event, folded);
	const shown = event.state === 'undone' ? dimRows(rows) : rows;
	// A mark at the end of one span can widen the character that the next begins with.
	return [...before(event, options), ...shown].map(row => cutLine(row, options.columns, ''));
};
