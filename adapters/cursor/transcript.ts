/** Tells the two forms of transcripts apart. */

import {readLines} from '../shared/jsonl.js';
import type {Batch, Cursor, Source} from '../types.js';
import {readJsonTranscript} from './json-transcript.js';
import {readTextTranscript} from './text-transcript.js';

/** Those of old builds are plain text, whatever the file is called. */
const isPlainText = (path: string): boolean => {
	for (const line of readLines(path)) {
		return line.kind === 'line' && /^(?:user|assistant):\s*$/.test(line.text);
	}
	return false;
};

export const readTranscript = (source: Source, from?: Cursor): Iterable<Batch> =>
	isPlainText(source.path) ? readTextTranscript(source) : readJsonTranscript(source, from);
