/** A log of entries, read from a cursor on. */

import type {SessionFacts} from '../../model.js';
import type {Batch, Cursor, Source} from '../../types.js';
import {type BatchBuilder, createBatch} from '../batch.js';
import {type JsonLine, type LinePosition, lineAt, readJsonLines} from '../jsonl.js';
import {flushCut} from '../log-batches.js';
import {parseRecord} from '../records.js';
import {type Entry, entryOf} from './entry.js';
import {type Dialect, entryEvents, isKnown} from './events.js';
import {noteEntry, type Progress, progressFrom, stateOf} from './progress.js';
import {createTree, type Move, type Tree, type TreeNode} from './tree.js';
import {usageOf} from './usage.js';

export interface LogOptions {
	readonly sessionId: string;
	readonly dialect: Dialect;
	/** Facts by what was read so far. */
	facts(progress: Progress): SessionFacts;
}

const entryOfLine = ({record, number, offset, length}: JsonLine): Entry | undefined =>
	record === undefined ? undefined : entryOf(record, `L${number}`, {offset, length});

const nodeOf = (entry: Entry, dialect: Dialect): TreeNode => ({
	id: entry.id,
	parentId: entry.parentId,
	firstKey: entryEvents(entry, dialect)[0]?.key,
	locator: entry.locator,
});

/** The tree of what lies before a place of the log. */
const treeBefore = (path: string, offset: number, dialect: Dialect): Tree => {
	const tree = createTree();
	for (const line of readJsonLines(path)) {
		if (line.offset >= offset) break;
		const entry = entryOfLine(line);
		if (entry === undefined) continue;
		tree.moveTo(entry.parentId);
		tree.add(nodeOf(entry, dialect));
	}
	return tree;
};

interface Reading {
	readonly path: string;
	readonly dialect: Dialect;
	readonly progress: Progress;
	readonly batch: BatchBuilder;
	/** Known from the start on; after a cursor it is made when a branch is left, which is seldom. */
	tree: Tree | undefined;
}

/** Where an entry leaves the branch that the one before is on. */
const moveOf = (reading: Reading, entry: Entry, offset: number): Move | undefined => {
	const {progress, path, dialect} = reading;
	const {parentId} = entry;
	if (progress.leaf === undefined || parentId === undefined) return undefined;
	if (parentId === progress.leaf) return undefined;
	reading.tree ??= treeBefore(path, offset, dialect);
	return reading.tree.moveTo(parentId);
};

/** Gives the events of nodes again, and says that they are live: nothing else takes back that they were undone. */
const revive = ({path, dialect, batch}: Reading, nodes: readonly TreeNode[]): void => {
	for (const {id, locator} of nodes) {
		if (!('offset' in locator)) continue;
		const record = parseRecord(lineAt(path, locator.offset, locator.length) ?? '');
		const entry = record === undefined ? undefined : entryOf(record, id, locator);
		for (const event of entry === undefined ? [] : entryEvents(entry, dialect)) {
			batch.event({...event, state: 'live'});
		}
	}
};

const leave = ({progress, batch}: Reading, {left}: Move): void => {
	for (const {fromKey, toKey} of left) {
		if (toKey === undefined) progress.cutFrom = fromKey;
		else batch.undo(fromKey, toKey);
	}
};

const readEntry = (reading: Reading, entry: Entry): void => {
	const {progress, batch, dialect, tree} = reading;
	const events = entryEvents(entry, dialect);
	const firstKey = events[0]?.key;
	if (firstKey !== undefined && progress.cutFrom !== undefined) {
		batch.undo(progress.cutFrom, firstKey);
		delete progress.cutFrom;
	}
	for (const event of events) batch.event(event);
	const usage = usageOf(entry);
	if (usage !== undefined) batch.usage(usage);
	if (!isKnown(entry)) batch.unknown(`type/${entry.type.slice(0, 80)}`);
	noteEntry(progress, entry, dialect);
	tree?.add({id: entry.id, parentId: entry.parentId, firstKey, locator: entry.locator});
};

export function* readLog(
	source: Source,
	from: Cursor | undefined,
	options: LogOptions,
): Generator<Batch> {
	const {path} = source;
	const {dialect} = options;
	const batch = createBatch(options.sessionId);
	const progress = progressFrom(from?.state);
	const tree = from === undefined ? createTree() : undefined;
	const reading: Reading = {path, dialect, progress, batch, tree};
	const take = (position: LinePosition): Batch => {
		batch.patch(options.facts(progress));
		return batch.take({...position, state: stateOf(progress)});
	};
	const lines = readJsonLines(path, from);
	for (let step = lines.next(); ; step = lines.next()) {
		if (step.done === true) {
			flushCut(reading);
			yield take(step.value);
			return;
		}
		const line = step.value;
		const before = {offset: line.offset, lineNumber: line.number - 1};
		if (batch.isFull()) yield take(before);
		if (line.problem !== undefined) batch.problem(line.problem);
		const entry = entryOfLine(line);
		if (entry === undefined) continue;
		const move = moveOf(reading, entry, line.offset);
		if (move !== undefined) {
			// What a batch undoes is undone after its events: nothing may follow in it that is live again.
			if (move.revived.length > 0 || progress.cutFrom !== undefined) {
				flushCut(reading);
				yield take(before);
			}
			revive(reading, move.revived);
			leave(reading, move);
		}
		readEntry(reading, entry);
	}
}
