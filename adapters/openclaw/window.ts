/** Reads one transcript of the database whole. */

import type {SessionFacts} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {textOf} from '../shared/narrow.js';
import {type Entry, entryOf} from '../shared/pi/entry.js';
import {entryEvents, isKnown} from '../shared/pi/events.js';
import {headFacts} from '../shared/pi/head.js';
import {noteEntry, type Progress, progressFrom} from '../shared/pi/progress.js';
import {createTree, type TreeNode} from '../shared/pi/tree.js';
import {usageOf} from '../shared/pi/usage.js';
import {withDatabase} from '../shared/sqlite.js';
import {timeMs} from '../shared/time.js';
import type {Batch, Source} from '../types.js';
import {activeEvents, loadWindow, type Window} from './database.js';
import {conversationFacts, isAutomatedKey, isSubagentKey} from './keys.js';
import {dialectOf} from './prompts.js';
import {type Stored, storedRecords} from './transcript.js';

const entryOfStored = ({record, place, locator}: Stored): Entry | undefined =>
	record === undefined ? undefined : entryOf(record, place, locator);

/** Ids of the entries on the branch that the last one is on. */
const liveIds = (path: string, id: string): ReadonlySet<string> => {
	const tree = createTree();
	for (const stored of storedRecords(path, id)) {
		const entry = entryOfStored(stored);
		if (entry === undefined) continue;
		const node: TreeNode = {...entry, firstKey: undefined};
		tree.moveTo(node.parentId);
		tree.add(node);
	}
	return new Set([...tree.live()].map(node => node.id));
};

type IsLive = (stored: Stored, entry: Entry) => boolean;

const liveBy = (path: string, id: string): IsLive => {
	const active = withDatabase(path, db => activeEvents(db, id));
	if (active !== undefined) return ({seq}) => seq === undefined || active.has(seq);
	const live = liveIds(path, id);
	return (_, entry) => live.has(entry.id);
};

/** A transcript without a row of its own is an archive that a deletion or a reset has left. */
const windowFacts = (window: Window | undefined): SessionFacts => {
	if (window === undefined) return {archived: true};
	const {row, node, key, entry, isCurrent, parent} = window;
	const names = [
		node?.['display_name'],
		row['display_name'],
		entry['displayName'],
		entry['autoLabel'],
	];
	const [createdAtMs, updatedAtMs] = [row['created_at'], row['updated_at']].map(timeMs);
	return compact({
		...conversationFacts({
			key,
			label: textOf(node?.['label']) ?? textOf(entry['label']),
			otherName: names.map(textOf).find(name => name !== undefined),
			isCurrent,
			isArchived: timeMs(node?.['archived_at']) !== undefined,
		}),
		model: textOf(row['model']),
		parent,
		createdAtMs,
		updatedAtMs,
	});
};

const factsOf = (
	window: Window | undefined,
	header: SessionFacts,
	progress: Progress,
): SessionFacts => {
	const facts = windowFacts(window);
	const {model = facts.model, task} = progress;
	const isSubagent = facts.isSubagent === true;
	return compact({...header, ...facts, model, description: isSubagent ? task : undefined});
};

export function* readWindow(source: Source): Generator<Batch> {
	const {path, sessionId = ''} = source;
	const window = withDatabase(path, db => loadWindow(db, sessionId));
	const key = window?.key ?? '';
	const dialect = dialectOf({isSubagent: isSubagentKey(key), isAutomated: isAutomatedKey(key)});
	const isLive = liveBy(path, sessionId);
	const batch = createBatch(sessionId);
	const progress = progressFrom(undefined);
	let header: SessionFacts = {};
	const take = (): Batch => {
		batch.patch(factsOf(window, header, progress));
		return batch.take(END);
	};
	for (const stored of storedRecords(path, sessionId)) {
		if (batch.isFull()) yield take();
		if (stored.problem !== undefined) batch.problem(stored.problem);
		if (stored.record?.['type'] === 'session') {
			header = headFacts({header: stored.record, slot: undefined});
		}
		const entry = entryOfStored(stored);
		if (entry === undefined) continue;
		const state = isLive(stored, entry) ? {} : ({state: 'undone'} as const);
		for (const event of entryEvents(entry, dialect)) batch.event({...event, ...state});
		const usage = usageOf(entry);
		if (usage !== undefined) batch.usage(usage);
		if (!isKnown(entry)) batch.unknown(`type/${entry.type.slice(0, 80)}`);
		noteEntry(progress, entry, dialect);
	}
	yield take();
}
