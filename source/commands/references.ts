import type {Library, Resolution} from '../../store/library.js';
import type {SessionView} from '../../store/types.js';
import {AppError, UsageError} from '../errors.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import {cut} from '../terminal/width.js';

const SHOWN_COLUMNS = 80;

export type Found = Extract<Resolution, {readonly found: 'session' | 'event'}>;

/**
 * What a REF leads to.
 * @throws UsageError when it is ambiguous; AppError `nothing` when it leads nowhere
 */
export const resolved = (library: Library, text: string): Found => {
	const resolution = library.resolve(text);
	const shown = cut(sanitizeLine(text), SHOWN_COLUMNS);
	if (resolution.found === 'several')
		throw new UsageError(`${shown} is ambiguous, it could be:`, {details: resolution.candidates});
	if (resolution.found === 'none')
		throw new AppError(`nothing is called ${shown}`, {code: 'nothing'});
	return resolution;
};

/** The session of a REF, also where an event is named. */
export const resolvedSession = (library: Library, text: string): SessionView =>
	resolved(library, text).session;

/** @throws UsageError unless there is exactly one */
export const onlyReference = (words: readonly string[], command: string): string => {
	const [first, ...others] = words;
	if (first === undefined || others.length > 0)
		throw new UsageError(`${command} needs one REF: see backscroll ${command} --help`);
	return first;
};
