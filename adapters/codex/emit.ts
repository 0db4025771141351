/** Hands an event to the batch: the fields that every event of a line shares are added here, and long texts are cut. */

import type {AdapterEvent} from '../model.js';
import {capText} from '../shared/content.js';
import type {Line, Reading} from './state.js';

const PATCH_LIMIT = 64 * 1024;

/** Key of a block of a line: the bare key for its first one. */
export const blockKey = (line: Line, block: number): string =>
	block === 0 ? line.key : `${line.key}.${block}`;

type OwnPart = Pick<AdapterEvent, 'kind' | 'text'> &
	Partial<Pick<AdapterEvent, 'role' | 'input' | 'messageId' | 'model' | 'tool'>>;

export const emit = (reading: Reading, line: Line, event: OwnPart, block = 0): void => {
	const capped = capText(event.text);
	const fullLength = line.cutLength ?? capped.fullLength;
	const {tool} = event;
	reading.batch.event({
		...event,
		...(tool?.patch === undefined
			? {}
			: {tool: {...tool, patch: capText(tool.patch, PATCH_LIMIT).text}}),
		key: blockKey(line, block),
		text: capped.text,
		locator: line.locator,
		...(line.atMs === undefined ? {} : {atMs: line.atMs}),
		...(fullLength === undefined ? {} : {fullLength}),
	});
};

/** The model that writes now, as an event field. */
export const modelField = ({state}: Reading): {readonly model?: string} =>
	state.model === null ? {} : {model: state.model};
