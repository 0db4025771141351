/** What rows and documents have in common as sources. */

import {realpathSync, statSync} from 'node:fs';
import type {Locator} from '../../model.js';
import type {Discovered, Root, Source} from '../../types.js';
import {errorText, isAbsent} from '../errors.js';
import {rawInFile} from '../read-raw.js';
import {rawRow} from './database.js';
import {discoverDatabase} from './discover.js';

/** Rows have a `#` in their key. */
export const isDatabaseSource = ({key, path}: Source): boolean => key !== path;

/** The row, line or document of an event. */
export const rawRecord = (source: Source, locator: Locator): string | undefined =>
	'table' in locator ? rawRow(source.path, locator.table, locator.row) : rawInFile(source, locator);

export const isFile = (path: string): boolean =>
	statSync(path, {throwIfNoEntry: false})?.isFile() === true;

/** A root that is a database, or a folder that the agent looks through. */
export function* discoverRoot(
	{path}: Root,
	inFolder: (folder: string) => Iterable<Discovered>,
): Generator<Discovered> {
	try {
		const stats = statSync(path, {throwIfNoEntry: false});
		// The root itself may be a link.
		if (stats?.isFile() === true) yield* discoverDatabase(realpathSync(path));
		if (stats?.isDirectory() === true) yield* inFolder(path);
	} catch (error) {
		if (isAbsent(error)) return;
		yield {problem: {code: 'unreadable', where: path, detail: errorText(error)}};
	}
}

/** Passes on what is found, and adds the ids of its sessions to `known`. */
export function* noting(found: Iterable<Discovered>, known: Set<string>): Generator<Discovered> {
	for (const item of found) {
		if ('source' in item && item.source.sessionId !== undefined) known.add(item.source.sessionId);
		yield item;
	}
}
