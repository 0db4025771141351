/** The raw record behind an event. */

import type {Adapter, Locator, Source} from '../types.js';
import {jsonText} from './content.js';
import {readJsonFile} from './json-file.js';
import {lineAt} from './jsonl.js';
import {at} from './narrow.js';

/** Steps of a JSON pointer (RFC 6901). */
const steps = (pointer: string): readonly string[] =>
	pointer
		.split('/')
		.slice(1)
		.map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'));

const partOf = (path: string, pointer: string): string | undefined => {
	const part = at(readJsonFile(path)?.value, ...steps(pointer));
	return part === undefined ? undefined : jsonText(part);
};

/** The line, or the part of a JSON document, that a locator of a file names; undefined when it is not there any more. */
export const rawInFile = (source: Source, locator: Locator): string | undefined => {
	if ('offset' in locator) {
		return lineAt(locator.path ?? source.path, locator.offset, locator.length);
	}
	return 'pointer' in locator ? partOf(locator.path, locator.pointer) : undefined;
};

/** What the adapter says, else what the file holds. */
export const readRaw = (adapter: Adapter, source: Source, locator: Locator): string | undefined =>
	adapter.raw === undefined ? rawInFile(source, locator) : adapter.raw(source, locator);
