/** What the keys of several dialogs share. Pure. */
import type {KeyEvent} from '../terminal/input.js';
import {editField, type Field, insertText} from './text-edit.js';

export interface DialogKey {
	readonly chord: string;
	readonly event: KeyEvent;
}

/** The field with what a key writes or edits; undefined when the key is none of a field. */
export const typed = (field: Field, {chord, event}: DialogKey): Field | undefined => {
	if (event.kind === 'paste') return insertText(field, event.text);
	const edited = editField(field, chord);
	if (edited) return edited;
	return event.text !== '' && !event.ctrl && !event.alt ? insertText(field, event.text) : undefined;
};

const steps: Readonly<Record<string, number>> = {
	up: -1,
	'ctrl+p': -1,
	'shift+tab': -1,
	down: 1,
	'ctrl+n': 1,
	tab: 1,
	pageup: -10,
	pagedown: 10,
	home: -Infinity,
	end: Infinity,
};

/** Moves in a list that the keys of text fields may stand beside. */
export const dialogMoved = (
	selected: number,
	chord: string,
	length: number,
): number | undefined => {
	const step = steps[chord];
	return step === undefined ? undefined : Math.max(0, Math.min(length - 1, selected + step));
};

/** First row of a text that is longer than the dialog, after a key that scrolls it; undefined for other keys. */
export const scrolled = (
	top: number,
	chord: string,
	{rows, lines}: {readonly rows: number; readonly lines: number},
): number | undefined => {
	const page = Math.max(1, rows - 1);
	const by: Readonly<Record<string, number>> = {
		j: 1,
		down: 1,
		k: -1,
		up: -1,
		space: page,
		pagedown: page,
		d: Math.ceil(page / 2),
		b: -page,
		pageup: -page,
		u: -Math.ceil(page / 2),
		g: -lines,
		home: -lines,
		G: lines,
		end: lines,
	};
	const step = by[chord];
	const last = Math.max(0, lines - rows);
	return step === undefined ? undefined : Math.max(0, Math.min(last, Math.min(top, last) + step));
};
