/** What the reader gives away of a block: its text, its code, its images. */

import type {EventView} from '../../store/types.js';
import {sanitize} from '../terminal/sanitize.js';
import {codeOf} from '../transcript/code-blocks.js';
import {placeholdersIn} from '../transcript/placeholders.js';
import {notice, request} from './requests.js';
import type {AppState, ReaderState} from './state.js';
import {eventAt, isOpen, resultOf} from './transcript-events.js';

type Command = (state: AppState) => AppState;

const textOf = (reader: ReaderState, event: EventView): string =>
	reader.fullTexts[event.ref] ?? event.text;

/** The marked event and, where it is a call, its result. */
const marked = (reader: ReaderState | null): readonly EventView[] => {
	const event = reader && eventAt(reader, reader.block);
	if (!reader || !event) return [];
	const result = resultOf(reader, event);
	return result ? [event, result] : [event];
};

export const copyBlock: Command = state => {
	const {reader} = state;
	const [event, result] = marked(reader);
	if (!reader || !event) return state;
	const text =
		result && isOpen(reader, event)
			? `${textOf(reader, event)}\n\n${textOf(reader, result)}`
			: textOf(reader, event);
	return request(state, {type: 'copy', text: sanitize(text), what: 'block'});
};

/** One piece of code; the same key takes the next one of the block, and after the last one the first. */
export const copyCode: Command = state => {
	const {reader} = state;
	const [event] = marked(reader);
	if (!reader || !event) return state;
	const pieces = codeOf(event, textOf(reader, event));
	const last = reader.copiedCode?.block === event.index ? reader.copiedCode.at : -1;
	const at = (last + 1) % Math.max(1, pieces.length);
	const code = pieces[at];
	if (code === undefined) return notice(state, 'no code in this block');
	const copiedCode = {block: event.index, at};
	const what = pieces.length === 1 ? 'code' : `code ${at + 1} of ${pieces.length}`;
	return request({...state, reader: {...reader, copiedCode}}, {type: 'copy', text: code, what});
};

export const hasAttachments = (reader: ReaderState | null): boolean =>
	marked(reader).some(({text}) => placeholdersIn(text).length > 0);

/** Opens the images and documents of the marked block with the system's programs. */
export const openAttachments: Command = state => {
	const events = marked(state.reader).filter(({text}) => placeholdersIn(text).length > 0);
	return events.length === 0
		? notice(state, 'no image or document in this block')
		: request(state, {type: 'attachments', events: events.map(({ref}) => ref)});
};
