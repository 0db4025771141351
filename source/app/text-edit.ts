/** A line of text that is being typed. The cursor is a UTF-16 position and never stands inside of a grapheme. */
export interface Field {
	readonly text: string;
	readonly cursor: number;
}

const graphemes = new Intl.Segmenter();

export const fieldOf = (text: string): Field => ({text, cursor: text.length});

/** A paste may hold newlines and control bytes; a field has one line. */
export const insertText = ({text, cursor}: Field, added: string): Field => {
	const clean = added.replace(/[\0-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');
	return {
		text: text.slice(0, cursor) + clean + text.slice(cursor),
		cursor: cursor + clean.length,
	};
};

const before = ({text, cursor}: Field): number =>
	[...graphemes.segment(text.slice(0, cursor))].at(-1)?.index ?? 0;

const after = ({text, cursor}: Field): number => {
	const [next] = graphemes.segment(text.slice(cursor));
	return cursor + (next?.segment.length ?? 0);
};

const wordBefore = ({text, cursor}: Field): number =>
	text.slice(0, cursor).replace(/\S*\s*$/u, '').length;

const wordAfter = ({text, cursor}: Field): number =>
	cursor + (/^\s*\S*/u.exec(text.slice(cursor))?.[0].length ?? 0);

const move = (cursorOf: (field: Field) => number) => (field: Field) => ({
	text: field.text,
	cursor: cursorOf(field),
});

const remove =
	(fromOf: (field: Field) => number, toOf: (field: Field) => number) =>
	(field: Field): Field => {
		const from = fromOf(field);
		return {text: field.text.slice(0, from) + field.text.slice(toOf(field)), cursor: from};
	};

const cursorOf = ({cursor}: Field): number => cursor;

/** Editing keys as a shell has them; Ctrl-F, Ctrl-K and Ctrl-D are taken by the app. */
const edits: Readonly<Record<string, (field: Field) => Field>> = {
	left: move(before),
	right: move(after),
	'ctrl+b': move(before),
	'ctrl+a': move(() => 0),
	'ctrl+e': move(({text}) => text.length),
	'alt+b': move(wordBefore),
	'ctrl+left': move(wordBefore),
	'alt+left': move(wordBefore),
	'alt+f': move(wordAfter),
	'ctrl+right': move(wordAfter),
	'alt+right': move(wordAfter),
	backspace: remove(before, cursorOf),
	'ctrl+h': remove(before, cursorOf),
	delete: remove(cursorOf, after),
	'ctrl+w': remove(wordBefore, cursorOf),
	'alt+backspace': remove(wordBefore, cursorOf),
	'alt+d': remove(cursorOf, wordAfter),
	'ctrl+u': remove(() => 0, cursorOf),
};

/** The field after an editing key; undefined when the chord is none. */
export const editField = (field: Field, chord: string): Field | undefined => edits[chord]?.(field);
