/** Chats from before composers: tabs in the database of a workspace, whole in one value. */

import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {at, isRecord, listOf, recordOf, textOf} from '../shared/narrow.js';
import {withDatabase} from '../shared/sqlite.js';
import {timeMs} from '../shared/time.js';
import type {Batch, Source} from '../types.js';
import {type BubbleReading, readBubble} from './bubbles.js';
import type {EditorPlace} from './editor.js';
import {jsonOf, rowOf, valuesOf} from './values.js';
import {TABS_KEY} from './workspaces.js';

export function* readTab(source: Source): Generator<Batch> {
	const {directory} = recordOf(source.extra) as unknown as EditorPlace;
	const value = withDatabase(source.path, db =>
		valuesOf(db, 'ItemTable', [TABS_KEY]).get(TABS_KEY),
	);
	const tabs = listOf(at(jsonOf(value), 'tabs'));
	const index = tabs.findIndex(tab => at(tab, 'tabId') === source.sessionId);
	const bubbles = listOf(at(tabs[index], 'bubbles'));
	if (bubbles.length === 0) return;
	const sentAtMs = timeMs(at(tabs[index], 'lastSendTime'));
	const reading: BubbleReading = {
		batch: createBatch(source.sessionId ?? ''),
		isSubagent: false,
		// Only the last prompt's time is known.
		atMs: sentAtMs,
		hasTimes: false,
		model: undefined,
		task: undefined,
		directory: undefined,
	};
	for (const [place, bubble] of bubbles.entries()) {
		if (!isRecord(bubble)) continue;
		const type = bubble['type'] === 'user' ? 1 : 2;
		const locator = {table: 'ItemTable', row: rowOf(TABS_KEY, 'tabs', index, 'bubbles', place)};
		readBubble({...bubble, type}, {id: textOf(bubble['id']) ?? `b${place + 1}`, locator}, reading);
	}
	reading.batch.patch(
		compact({
			generatedTitle: textOf(at(tabs[index], 'chatTitle')),
			cwd: directory,
			updatedAtMs: sentAtMs,
		}),
	);
	yield reading.batch.take(END);
}
