/** Qwen Code: `<base>/projects/<slug>/chats/<session id>.jsonl`, a tree of records by `parentUuid`; sub-agents have files of their own. */

import {createChatReader} from '../shared/gemini/read.js';
import type {Adapter, Batch, Cursor, Source} from '../types.js';
import {discover, roots} from './discover.js';
import {foreign} from './foreign.js';
import {readTranscript} from './read.js';
import {resume} from './resume.js';

/** Versions before about 0.4 wrote the documents of the Gemini CLI that they were forked from. */
const readOldChat = createChatReader(new Set(['gemini', 'qwen']));

const read = (source: Source, from?: Cursor): Iterable<Batch> =>
	source.mode === 'append' ? readTranscript(source, from) : readOldChat(source);

export const qwenCode: Adapter = {
	id: 'qwen-code',
	label: 'Qwen Code',
	shortLabel: 'Qwen',
	parserVersion: 1,
	checked: ['0.24.4', '0.15.10'],
	hasGlobalKeys: true,
	roots,
	discover,
	read,
	foreign,
	resume,
	unattendedFlags: ['--yolo'],
};
