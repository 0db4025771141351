import type {EventView} from '../../store/types.js';
import type {Line} from '../terminal/spans.js';
import type {Fold} from './options.js';
import {textRows} from './rows.js';

/** More than this is no reading any more; the pager takes the rest. */
const MAX_SHOWN = 1_000_000;

/** What is shown of an event: the capped text, or with `whole` the raw one as far as it was handed in. */
export const wholeText = (event: EventView, fold: Fold, fullText: string | undefined): string => {
	const text = fold === 'whole' && fullText !== undefined ? fullText : event.text;
	return text.length > MAX_SHOWN ? text.slice(0, MAX_SHOWN) : text;
};

const number = (value: number): string => value.toLocaleString('en-GB');

/** Says that something is missing below, and how long the whole would be. */
export const truncationNote = (
	event: EventView,
	fold: Fold,
	fullText: string | undefined,
	columns: number,
): readonly Line[] => {
	const hasWhole = fold === 'whole' && fullText !== undefined;
	const wholeLength = hasWhole ? fullText.length : event.fullLength;
	const isCut = hasWhole ? fullText.length > MAX_SHOWN : event.truncated;
	if (!isCut) return [];
	const note = hasWhole
		? `cut after ${number(MAX_SHOWN)} of ${number(wholeLength)} characters`
		: `shortened; the whole has ${number(wholeLength)} characters`;
	return textRows(`(${note})`, columns, 'warning');
};

/** What became of an event that no longer counts as it stands. */
export const stateNote = (event: EventView): string | null => {
	if (event.state === 'undone') return '(undone)';
	return event.state === 'gone' ? "(no longer in the agent's file)" : null;
};
