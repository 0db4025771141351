import type {EventView} from '../../store/types.js';
import {sanitize, sanitizeLine} from '../terminal/sanitize.js';
import type {Line} from '../terminal/spans.js';
import {widthOf} from '../terminal/width.js';
import {codeLines} from './code.js';
import {countChanges, layoutPatch, type PatchLine, parsePatch} from './diff.js';
import {type LayoutOptions, type Symbols, symbolsFor} from './options.js';
import {headRow, indentRows, textRows, wrapRows} from './rows.js';
import {stateNote, truncationNote, wholeText} from './text.js';
import {formatDuration} from './time.js';
import {type CheckItem, checkList, commandOf, listLead, readableInput} from './tool-input.js';

/** Content of an unfolded call stands under the name of the tool. */
const INDENT = 4;

interface Call {
	readonly event: EventView;
	readonly result: EventView | undefined;
	readonly options: LayoutOptions;
	readonly symbols: Symbols;
	readonly patch: readonly PatchLine[] | undefined;
	readonly list: readonly CheckItem[] | undefined;
	/** It started a sub-agent; some agents say so in the result only. */
	readonly hasChild: boolean;
}

const plural = (count: number, word: string): string =>
	`${count.toLocaleString('en-GB')} ${word}${count === 1 ? '' : 's'}`;

const sizeFact = (result: EventView): string => {
	if (result.truncated) return plural(result.fullLength, 'character');
	const text = result.text.trimEnd();
	return text === '' ? 'no output' : plural(text.split('\n').length, 'line');
};

/** Said as a word, since a colour alone is not seen by everybody. */
const outcome = (event: EventView, result: EventView | undefined): Line => {
	const exitCode = result?.tool?.exitCode ?? event.tool?.exitCode ?? null;
	if (exitCode !== null && exitCode !== 0) return [{text: `exit ${exitCode}`, style: 'warning'}];
	const isError = event.tool?.isError === true || result?.tool?.isError === true;
	return isError ? [{text: 'failed', style: 'error'}] : [];
};

const changeFact = (patch: readonly PatchLine[], symbols: Symbols): Line => {
	const {added, removed} = countChanges(patch);
	return [
		{text: `+${added} `, style: 'diffAdd'},
		{text: `${symbols.minus}${removed}`, style: 'diffRemove'},
	];
};

const contentFact = ({event, result, patch, list, hasChild, symbols}: Call): Line => {
	if (hasChild) return [{text: 'sub-agent', style: 'badge'}];
	if (patch) return changeFact(patch, symbols);
	if (list) {
		const done = list.filter(item => item.state === 'done').length;
		const text = event.truncated ? 'shortened' : `${done} of ${list.length} done`;
		return [{text, style: 'dim'}];
	}
	return result ? [{text: sizeFact(result), style: 'dim'}] : [];
};

const facts = (call: Call): readonly Line[] => {
	const {event, result} = call;
	const durationMs = result?.tool?.durationMs ?? event.tool?.durationMs ?? null;
	const note = stateNote(event);
	const all: readonly Line[] = [
		contentFact(call),
		durationMs === null ? [] : [{text: formatDuration(durationMs), style: 'dim'}],
		call.hasChild ? [{text: 'c opens', style: 'key'}] : [],
		outcome(event, result),
		note === null ? [] : [{text: note, style: 'warning'}],
	];
	return all.filter(fact => fact.length > 0);
};

/** One line that says what was done: the argument that matters, else the beginning of the input. */
export const subjectOf = (event: EventView): string => {
	const text = commandOf(event.tool?.name ?? '', event.text) ?? readableInput(event.text);
	return sanitizeLine((event.tool?.subject ?? text).slice(0, 2000));
};

export const toolNameOf = (event: EventView): string =>
	sanitizeLine(event.tool?.name ?? '') || (event.kind === 'tool_result' ? 'result' : 'tool');

/** `src/a.ts` instead of the absolute path of a file in the directory of the session. */
const fromThere = (subject: string, cwd: string | null | undefined): string =>
	cwd && subject.startsWith(`${cwd}/`) ? subject.slice(cwd.length + 1) : subject;

const head = (call: Call, isOpen: boolean): Line => {
	const {event, symbols, options} = call;
	const subject =
		call.list || event.kind === 'tool_result' ? '' : fromThere(subjectOf(event), options.cwd);
	const shown = call.hasChild ? `"${subject}"` : subject;
	const mark = isOpen ? symbols.unfolded : symbols.folded;
	const left: Line = [
		{text: `${mark} `, style: 'tool'},
		{text: toolNameOf(event), style: 'toolName'},
		...(subject === '' ? [] : [{text: `  ${shown}`, style: 'tool'} as const]),
	];
	return headRow({left, facts: facts(call)}, options.columns, symbols);
};

const listStyles = {done: 'dim', doing: 'strong', pending: 'text'} as const;

const listRows = (
	items: readonly CheckItem[],
	columns: number,
	symbols: Symbols,
): readonly Line[] =>
	items.flatMap(({state, text}) => {
		const box = `${symbols[state]} `;
		const rows = textRows(
			sanitizeLine(text),
			Math.max(1, columns - widthOf(box)),
			listStyles[state],
		);
		return indentRows(rows, {text: box, style: state === 'done' ? 'success' : 'bullet'});
	});

const inputRows = (call: Call, shownHead: Line, columns: number): readonly Line[] => {
	const {event, options} = call;
	const text = wholeText(event, options.fold, options.fullText);
	const command = commandOf(event.tool?.name ?? '', text);
	const shown = sanitize(command ?? readableInput(text)).trimEnd();
	const subject = subjectOf(event);
	const isWholeHead = shownHead.some(
		({text: part}) => part.trim() === fromThere(subject, options.cwd),
	);
	// The only argument is the one that matters: `file_path: src/a.ts`.
	const isInHead = isWholeHead && (shown === subject || /^\w+: (.*)$/.exec(shown)?.[1] === subject);
	if (shown === '' || isInHead) return [];
	const lines = codeLines(shown, command === undefined ? undefined : 'bash');
	const rows =
		command === undefined
			? wrapRows(lines, columns)
			: indentRows(wrapRows(lines, Math.max(1, columns - 2)), {text: '$ ', style: 'dim'});
	return [...rows, ...truncationNote(event, options.fold, options.fullText, columns)];
};

const outputRows = (
	event: EventView,
	options: LayoutOptions,
	fullText: string | undefined,
	columns: number,
): readonly Line[] => {
	const text = sanitize(wholeText(event, options.fold, fullText)).trimEnd();
	const rows = text === '' ? [] : textRows(text, columns, 'text');
	return [...rows, ...truncationNote(event, options.fold, fullText, columns)];
};

const givenRows = (call: Call, shownHead: Line, columns: number): readonly Line[] => {
	const {event, options, symbols, patch, list} = call;
	if (patch) return layoutPatch(patch, columns, symbols);
	if (!list) return inputRows(call, shownHead, columns);
	const lead = sanitize(listLead(wholeText(event, options.fold, options.fullText)));
	return [
		...(lead === '' ? [] : textRows(lead, columns, 'tool')),
		...listRows(list, columns, symbols),
		...truncationNote(event, options.fold, options.fullText, columns),
	];
};

const callBody = (call: Call, shownHead: Line, columns: number): readonly Line[] => {
	const {result, options, patch, list} = call;
	const isFailed = outcome(call.event, result).length > 0;
	const isWhole = options.fold === 'whole';
	const given = givenRows(call, shownHead, columns);
	// What answers an edit or a list ("file updated") says nothing that the lines above do not.
	const hasOutput = result !== undefined && (isWhole || isFailed || !(patch || list));
	const output = hasOutput ? outputRows(result, options, options.fullResultText, columns) : [];
	return given.length > 0 && output.length > 0 ? [...given, [], ...output] : [...given, ...output];
};

const patchOf = (event: EventView, result: EventView | undefined) => {
	// The result knows the line numbers, the call only what was asked for.
	const patch = result?.tool?.patch ?? event.tool?.patch ?? '';
	return patch.trim() === '' ? undefined : parsePatch(sanitize(patch));
};

/** The head alone, or with what stands below the name of the tool. */
const unfold = (
	call: Call,
	bodyOf: (first: Line, columns: number) => readonly Line[],
): readonly Line[] => {
	const {columns, fold} = call.options;
	const isOpen = fold !== 'folded';
	const first = head(call, isOpen);
	if (!isOpen) return [first];
	const indent = ' '.repeat(columns < 24 ? 2 : INDENT);
	const body = bodyOf(first, columns - indent.length);
	return [first, ...body.map(row => (row.length === 0 ? row : [{text: indent}, ...row]))];
};

/** A call with what is known of its result: one line, or unfolded with input, diff and output. */
export const layoutToolUse = (event: EventView, options: LayoutOptions): readonly Line[] => {
	const {result, fold, fullText} = options;
	const call: Call = {
		event,
		result,
		options,
		symbols: symbolsFor(options.isUnicode),
		patch: patchOf(event, result),
		list: checkList(event.tool?.name ?? '', wholeText(event, fold, fullText)),
		hasChild: Boolean(event.tool?.child ?? result?.tool?.child),
	};
	return unfold(call, (first, columns) => callBody(call, first, columns));
};

/** A result whose call is not in sight. */
export const layoutToolResult = (event: EventView, options: LayoutOptions): readonly Line[] => {
	const symbols = symbolsFor(options.isUnicode);
	const patch = patchOf(event, undefined);
	const call: Call = {
		event,
		result: event,
		options,
		symbols,
		patch,
		list: undefined,
		hasChild: Boolean(event.tool?.child),
	};
	return unfold(call, (_, columns) =>
		patch
			? layoutPatch(patch, columns, symbols)
			: outputRows(event, options, options.fullText, columns),
	);
};
