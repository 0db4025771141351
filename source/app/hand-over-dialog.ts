/** The hand-over: which agent goes on, and what it is told. Pure. */
import {sanitize} from '../terminal/sanitize.js';
import {wrap} from '../terminal/width.js';
import {type DialogKey, dialogMoved, scrolled} from './dialog-fields.js';
import type {Dialog} from './dialog-state.js';
import {request} from './requests.js';
import {dialogRows} from './selectors.js';
import type {AppState, Size} from './state.js';

export type HandOverDialog = Extract<Dialog, {kind: 'hand-over'}>;

/** As many agents as are shown at once. */
const takerRows = 5;
/** Left of the text. */
const indent = 3;

/** What of the dialog's body belongs to the agents, the command and the text. */
export const handOverLayout = (size: Size, takers: number) => {
	const rows = dialogRows(size, true);
	const agents = Math.max(1, Math.min(takers, takerRows, Math.floor(rows / 2)));
	const hasRule = rows >= 10;
	return {agents, hasRule, textRows: Math.max(0, rows - agents - (hasRule ? 1 : 0))};
};

interface Wrapped {
	readonly text: string;
	readonly columns: number;
	readonly lines: readonly string[];
}

/** The last answer: a record is up to 64,000 characters, and asked for with each key. */
let last: Wrapped | undefined;

/** The record as it will be sent, in lines for the screen. */
export const recordLines = (text: string, {columns}: Size): readonly string[] => {
	if (last?.text === text && last.columns === columns) return last.lines;
	const room = Math.max(8, columns - indent - 1);
	const lines = sanitize(text)
		.split('\n')
		.flatMap(line => (line === '' ? [''] : wrap(line, room)));
	last = {text, columns, lines};
	return lines;
};

const back = (state: AppState, dialog: HandOverDialog): AppState => ({
	...state,
	dialog: dialog.back,
});

export const inHandOver = (
	state: AppState,
	dialog: HandOverDialog,
	{chord}: DialogKey,
): AppState => {
	const {offer, session} = dialog;
	if (chord === 'q') return back(state, dialog);
	if (offer === null) return state;
	if (chord === 'enter') {
		const taker = offer.takers[dialog.selected];
		if (!taker) return state;
		const notice = `${taker.label} goes on from: ${session.title}`;
		return request(
			{...state, dialog: null},
			{type: 'run', plan: taker.plan, place: 'here', notice},
		);
	}
	const arrows: Readonly<Record<string, string>> = {j: 'down', k: 'up'};
	const isStep = /^(?:up|down|j|k|tab|shift\+tab|ctrl\+[np])$/.test(chord);
	const selected = isStep
		? dialogMoved(dialog.selected, arrows[chord] ?? chord, offer.takers.length)
		: undefined;
	if (selected !== undefined) return {...state, dialog: {...dialog, selected}};
	const {textRows} = handOverLayout(state.size, offer.takers.length);
	const lines = recordLines(offer.text, state.size).length;
	const top = scrolled(dialog.top, chord, {rows: textRows, lines});
	return top === undefined ? state : {...state, dialog: {...dialog, top}};
};
