/** The raw record behind an event. */

import type {Locator} from '../model.js';
import type {Adapter, Source} from '../types.js';
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

export const partText = (value: unknown, pointer: string): string | undefined => {
	const part = at(value, ...steps(pointer));
	return part === undefined ? undefined : jsonText(part);
};

/** The part of a document's text that a pointer names; undefined when it is no JSON, or has no such part. */
export const partOf = (document: string, pointer: string): string | undefined => {
	try {
		return partText(JSON.parse(document), pointer);
	} catch {
		return undefined; // a document that was mirrored half written
	}
};

/** The line, or the part of a JSON document, that a locator of a file names; undefined when it is not there any more. */
export const rawInFile = (source: Source, locator: Locator): string | undefined => {
	if ('offset' in locator) {
		return lineAt(locator.path ?? source.path, locator.offset, locator.length);
	}
	return 'pointer' in locator
		? partText(readJsonFile(locator.path)?.value, locator.pointer)
		: undefined;
};

/** What the adapter says, else what the file holds. */
export const readRaw = (adapter: Adapter, source: Source, locator: Locator): string | undefined =>
	adapter.raw === undefined ? rawInFile(source, locator) : adapter.raw(source, locator);
