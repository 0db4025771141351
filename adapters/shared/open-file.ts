/** Opening and reading of files in which every failure means: this source cannot be read just now. */

import {closeSync, constants, fstatSync, openSync, readSync} from 'node:fs';
import {SourceUnreadable} from '../types.js';
import {errorText} from './errors.js';

export interface OpenFile {
	readonly sizeBytes: number;
	/** Fills a part of `into` from a position of the file; 0 = the end. */
	read(into: Uint8Array, position: number): number;
	close(): void;
}

const attempt = <T>(path: string, action: () => T): T => {
	try {
		return action();
	} catch (error) {
		throw new SourceUnreadable('unreadable', `${path}: ${errorText(error)}`, {cause: error});
	}
};

/** @throws SourceUnreadable also for what is no regular file: a pipe in its place must not block us. */
export const openFile = (path: string): OpenFile => {
	const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
	const file = attempt(path, () => openSync(path, flags));
	const stats = fstatSync(file);
	if (!stats.isFile()) {
		closeSync(file);
		throw new SourceUnreadable('unreadable', `${path}: not a regular file`);
	}
	let isOpen = true;
	return {
		sizeBytes: stats.size,
		read: (into, position) => attempt(path, () => readSync(file, into, 0, into.length, position)),
		close() {
			if (isOpen) closeSync(file);
			isOpen = false;
		},
	};
};
