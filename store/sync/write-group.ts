import type {Database} from '../open.js';
import {createIndexQueue, type IndexQueue} from './index-queue.js';

/** Rows of many small sources share a transaction; it ends when it holds so much or lasts so long. */
const GROUP_EVENTS = 10_000;
const GROUP_CHARS = 5_000_000;
const GROUP_MS = 1000;
/** The first one is short: rows appear at once. */
const FIRST_GROUP_MS = 150;

/** What writes rows: the connection, and the full-text changes that go with its open transaction. */
export interface Writer {
	readonly database: Database;
	readonly index: IndexQueue;
}

/** Transactions that span sources; each `run` belongs to one of them whole. */
export interface WriteGroup extends Writer {
	/** Runs `action` inside of the open transaction, or a new one. `weight` in events. An error takes the whole group back. */
	run<T>(weight: number, action: () => T): T;
	/** Commits what is open. */
	end(): void;
}

export const createWriteGroup = (database: Database, now: () => number): WriteGroup => {
	const index = createIndexQueue(database);
	let held = 0;
	let begunMs = 0;
	let groupMs = FIRST_GROUP_MS;
	const undoAll = (): void => {
		index.clear();
		held = 0;
		if (database.inTransaction) database.exec('ROLLBACK');
	};
	const end = (): void => {
		if (!database.inTransaction) return;
		try {
			index.flush();
			database.exec('COMMIT');
			held = 0;
			groupMs = GROUP_MS;
		} catch (error) {
			undoAll();
			throw error;
		}
	};
	return {
		database,
		index,
		run(weight, action) {
			if (!database.inTransaction) {
				database.exec('BEGIN IMMEDIATE');
				begunMs = now();
			}
			try {
				const result = action();
				held += weight;
				if (held >= GROUP_EVENTS || index.size() >= GROUP_CHARS || now() - begunMs >= groupMs)
					end();
				return result;
			} catch (error) {
				undoAll();
				throw error;
			}
		},
		end,
	};
};
