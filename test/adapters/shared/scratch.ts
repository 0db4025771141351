import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll} from 'vitest';

/** A folder for the tests of one file, and files in it. */
export const scratchFolder = () => {
	const folder = mkdtempSync(join(tmpdir(), 'backscroll-shared-'));
	afterAll(() => rmSync(folder, {recursive: true, force: true}));
	let count = 0;
	return {
		folder,
		/** Writes a new file and gives its path. */
		write(content: string | Uint8Array, name = `${count++}.jsonl`): string {
			const path = join(folder, name);
			writeFileSync(path, content);
			return path;
		},
	};
};
