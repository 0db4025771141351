/** Moves in the reader: by rows, and to prompts, blocks, errors and code. */
import type {Landmarks} from '../../store/library.js';
import {goTo, scrolled, standAt, withBlockInSight} from './reader-goals.js';
import {notice} from './requests.js';
import {readerView} from './selectors.js';
import type {AppState, ReaderState} from './state.js';
import {blockBeside, eventAt, HEAD, hasRows, resultOf} from './transcript-events.js';
import {leadOf, linesOf, settlePlace, type View, windowRows} from './transcript-window.js';

type Command = (state: AppState) => AppState;

export const inReader =
	(then: (reader: ReaderState, view: View, state: AppState) => ReaderState): Command =>
	state =>
		state.reader ? {...state, reader: then(state.reader, readerView(state), state)} : state;

export const scroll = (by: (view: View) => number): Command =>
	inReader((reader, view) => {
		const moved = scrolled(reader, reader.owedRows + by(view), view);
		const {position} = moved;
		const isStuck =
			position.index === reader.position.index && position.line === reader.position.line;
		if (!isStuck || moved.owedRows !== 0) return withBlockInSight(moved, view);
		// Nothing left to scroll: the mark goes on, so that every block can be reached.
		return {...moved, block: blockBeside(moved, reader.block, by(view) > 0 ? 1 : -1)};
	});

export const toPrompt = (step: 1 | -1): Command =>
	inReader((reader, view) => {
		const {outline} = reader;
		const here = reader.goal?.kind === 'event' ? reader.goal.index : reader.position.index;
		const block = reader.goal?.kind === 'event' ? here : reader.block;
		const lead = leadOf(linesOf(reader, here, view) ?? []);
		const isInside = reader.position.line > lead;
		const entry =
			step > 0
				? outline.find(({index}) => index > Math.max(here, block))
				: outline.findLast(({index}) => index < block || (isInside && index === here));
		if (entry) return goTo(reader, {kind: 'event', index: entry.index, isMatch: false}, view);
		return step > 0 ? goTo(reader, {kind: 'bottom'}, view) : toTop(reader, view);
	});

export const toTop = (reader: ReaderState, view: View): ReaderState => {
	const start = {
		...reader,
		position: {index: hasRows(reader, HEAD) ? HEAD : 0, line: 0},
		goal: null,
		owedRows: 0,
	};
	const position = settlePlace(start, start.position, view);
	return {...start, position, block: position.index};
};

/** Marks the next block and brings its beginning into sight, moving the screen no more than that needs. */
export const toBlock = (step: 1 | -1): Command =>
	inReader((reader, view) => {
		const block = blockBeside(reader, reader.block, step);
		const marked = {...reader, block, goal: null};
		const lead = leadOf(linesOf(reader, block, view) ?? []);
		const rows = windowRows(reader, view);
		if (rows.some(({index, line}) => index === block && line === lead)) return marked;
		return standAt(marked, block, view, step > 0 ? Math.floor(view.rows / 2) : 2);
	});

const landmarkWords = {
	errors: 'no error in this session',
	code: 'no code in this session',
} as const;

/** To the next error or piece of code, and after the last one to the first. */
export const toLandmark =
	(what: keyof Landmarks, step: 1 | -1): Command =>
	state => {
		const {reader} = state;
		if (!reader) return state;
		const places = reader.landmarks[what];
		const here = reader.goal?.kind === 'event' ? reader.goal.index : reader.block;
		const next =
			step > 0
				? (places.find(index => index > resultBehind(reader, here)) ?? places[0])
				: (places.findLast(index => index < here) ?? places.at(-1));
		if (next === undefined) return notice(state, landmarkWords[what]);
		// Errors are tool calls: hidden ones could not be jumped to.
		const tools = what === 'errors' && reader.tools === 'none' ? 'short' : reader.tools;
		const goal = {kind: 'event', index: next, isMatch: false} as const;
		return {...state, reader: goTo({...reader, tools}, goal, readerView(state))};
	};

/** A failed call and its result are one block: the next error lies behind both. */
const resultBehind = (reader: ReaderState, index: number): number => {
	const event = eventAt(reader, index);
	return (event && resultOf(reader, event)?.index) ?? index;
};
