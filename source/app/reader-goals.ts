/**
 * Where a scroll, a jump or a search leads in a transcript of which only some pages are loaded: what cannot be reached yet is
 * kept as a goal, or as rows that are owed, and made up for when the events arrive.
 */
import type {Fold, Goal, ReaderState} from './state.js';
import {
	awaitedTexts,
	blockBeside,
	blockOf,
	eventAt,
	isCut,
	nearestShown,
	totalOf,
} from './transcript-events.js';
import {
	goalIndexOf,
	isBefore,
	lastPlace,
	leadOf,
	linesOf,
	matchingLines,
	movePlace,
	settlePlace,
	type View,
	walk,
	windowRows,
} from './transcript-window.js';

/** The marked block is in sight: else the nearest one that is. */
export const withBlockInSight = (reader: ReaderState, view: View): ReaderState => {
	const rows = windowRows(reader, view).filter(({content}) => content.length > 0);
	const first = rows[0]?.index ?? reader.block;
	const last = rows.at(-1)?.index ?? reader.block;
	const block = Math.min(Math.max(reader.block, first), last);
	return block === reader.block ? reader : {...reader, block};
};

/** Scrolls as far as events are loaded; the rest is owed. */
export const scrolled = (reader: ReaderState, by: number, view: View): ReaderState => {
	const {place, left} = walk(reader, {from: reader.position, by}, view);
	return {...reader, position: settlePlace(reader, place, view), goal: null, owedRows: left};
};

export const payOwed = (reader: ReaderState, view: View): ReaderState =>
	reader.owedRows === 0 || reader.goal !== null ? reader : scrolled(reader, reader.owedRows, view);

/** Stands at a block: its content in the first row, or `above` rows further down. */
export const standAt = (reader: ReaderState, index: number, view: View, above = 0): ReaderState => {
	const lead = leadOf(linesOf(reader, index, view) ?? []);
	const start = {index, line: lead};
	const wished = above > 0 ? movePlace(reader, {from: start, by: -above}, view) : start;
	return {...reader, position: settlePlace(reader, wished, view), block: index};
};

export const goTo = (reader: ReaderState, goal: Goal, view: View): ReaderState =>
	reached({...reader, goal, owedRows: 0}, view);

/** Goes to the goal when the events there are loaded, else leaves it for the answer that brings them. */
export const reached = (reader: ReaderState, view: View): ReaderState => {
	const {goal} = reader;
	if (goal === null || !reader.transcript) return reader;
	if (goal.kind === 'bottom') return reachedBottom(reader, view);
	const index = goalIndexOf(reader);
	if (index === undefined) return reader;
	if (goal.kind === 'find') return reachedFind(reader, {goal, index}, view);
	// Who jumps into what was rewound wants to see it.
	const isUndone = eventAt(reader, index)?.state === 'undone';
	const there = {...reader, goal: null, hasUndone: reader.hasUndone || isUndone};
	const shown = nearestShown(there, index);
	if (shown === undefined) return reader;
	if (!goal.isMatch) return standAt(there, shown, view);
	const matched = withMatchInSight(standAt(there, shown, view, 2), shown, view);
	return isAwaited(matched, shown) ? {...matched, goal} : matched;
};

const reachedBottom = (reader: ReaderState, view: View): ReaderState => {
	const last = lastPlace(reader, view);
	if (!last) return reader;
	const block = blockBeside(reader, totalOf(reader), -1);
	return {...reader, position: last, block, goal: null};
};

/** Of a block that is longer than the screen, or folded, the match itself comes into sight. */
const withMatchInSight = (reader: ReaderState, index: number, view: View): ReaderState => {
	const open = unfoldedForMatch(reader, index, view);
	const [line] = matchingLines(open, index, view);
	return line === undefined ? open : atMatch(open, {index, line}, view);
};

const atMatch = (reader: ReaderState, place: ReaderState['position'], view: View): ReaderState => {
	const rows = windowRows(reader, view);
	const isInSight = rows.some(row => row.index === place.index && row.line === place.line);
	const position = isInSight
		? reader.position
		: settlePlace(
				reader,
				movePlace(reader, {from: place, by: -Math.floor(view.rows / 3)}, view),
				view,
			);
	return {
		...reader,
		position,
		block: place.index,
		find: reader.find && {...reader.find, current: place},
	};
};

/** As far unfolded as it takes to see the match; where the stored text is cut, that is the whole text, which has to come first. */
const unfoldedForMatch = (reader: ReaderState, index: number, view: View): ReaderState => {
	const hasMatch = (form: ReaderState): boolean => matchingLines(form, index, view).length > 0;
	const folded = (fold: Fold): ReaderState => ({
		...reader,
		folds: {...reader.folds, [index]: fold},
	});
	if (reader.folds[index] === 'folded' || hasMatch(reader)) return reader;
	const open = folded('open');
	if (hasMatch(open)) return open;
	const whole = folded('whole');
	return isCut(reader, index) && (isAwaited(whole, index) || hasMatch(whole)) ? whole : reader;
};

const isAwaited = (reader: ReaderState, index: number): boolean =>
	awaitedTexts(reader, index).length > 0;

interface FoundEvent {
	readonly goal: Extract<Goal, {kind: 'find'}>;
	readonly index: number;
}

/** Matches in events that are not shown are passed over; after the last one the first one follows. */
const reachedFind = (reader: ReaderState, {goal, index}: FoundEvent, view: View): ReaderState => {
	const matches = reader.find?.matches ?? [];
	if (!eventAt(reader, index)) return reader;
	const block = blockOf(reader, index);
	const open = unfoldedForMatch(reader, block, view);
	const lines = matchingLines(open, block, view);
	const line = goal.step > 0 ? lines[0] : lines.at(-1);
	if (line !== undefined) return {...atMatch(open, {index: block, line}, view), goal: null};
	if (isAwaited(open, block)) return {...open, goal};
	const at = goal.at + goal.step;
	if (at < 0 || at >= matches.length) return {...reader, goal: null};
	return reached({...reader, goal: {...goal, at}}, view);
};

/**
 * The next match: further on in the same event, else in the next event that holds one. Behind the last one `end`, unless the search
 * begins again at the other end (`isRound`).
 */
export const findStep = (
	reader: ReaderState,
	{step, isRound}: {readonly step: 1 | -1; readonly isRound: boolean},
	view: View,
): ReaderState | 'end' => {
	const {find, goal} = reader;
	if (find?.matches === null) return {...reader, find: {...find, owedSteps: find.owedSteps + step}};
	if (!find || find.matches.length === 0) return isRound ? reader : 'end';
	// Still on the way to a match: one further.
	if (goal?.kind === 'find') {
		const count = find.matches.length;
		const at = goal.at + step;
		if ((at < 0 || at >= count) && !isRound) return 'end';
		return goTo(reader, {kind: 'find', at: (at + count) % count, step}, view);
	}
	const from = find.current ?? {index: reader.position.index, line: reader.position.line - step};
	const lines = matchingLines(reader, from.index, view);
	const line = step > 0 ? lines.find(at => at > from.line) : lines.findLast(at => at < from.line);
	if (line !== undefined) return atMatch(reader, {index: from.index, line}, view);
	const {matches} = find;
	const at =
		step > 0
			? matches.findIndex(index => blockOf(reader, index) > from.index)
			: matches.findLastIndex(index => blockOf(reader, index) < from.index);
	if (at === -1 && !isRound) return 'end';
	const wrapped = step > 0 ? 0 : matches.length - 1;
	return goTo(reader, {kind: 'find', at: at === -1 ? wrapped : at, step}, view);
};

/** The bottom is followed while the session grows. */
export const isAtEnd = (reader: ReaderState, view: View): boolean => {
	const last = lastPlace(reader, view);
	return last !== undefined && !isBefore(reader.position, last);
};
