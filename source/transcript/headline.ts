import type {EventKind} from '../../adapters/model.js';
import type {EventView} from '../../store/types.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import {subjectOf, toolNameOf} from './tool-call.js';

/** Enough for any row, and cheap whatever the text. */
const MAX_CHARS = 2000;

const start = (event: EventView): string => sanitizeLine(event.text.slice(0, MAX_CHARS));

const headlines: Readonly<Record<EventKind, (event: EventView) => string>> = {
	message: start,
	meta: start,
	reasoning: event => `thinking: ${start(event)}`,
	summary: event => `compacted: ${start(event)}`,
	tool_use: event => `${toolNameOf(event)} ${subjectOf(event)}`.trim(),
	tool_result: event => `${toolNameOf(event)}: ${start(event)}`,
};

/** An event as one sanitised line, for lists and outlines; the caller cuts it to its width. */
export const headline = (event: EventView): string => headlines[event.kind](event);
