import type {Database, Statement} from './open.js';

type Rows = Pick<Statement, 'get' | 'all' | 'run' | 'iterate'>;

/** A statement that everybody who uses the same SQL shares; how one of them wants its rows changes nothing for the others. */
export interface SharedStatement extends Rows {
	/** The same with the first column of each row only. */
	pluck(): Rows;
	/** The same with rows as arrays. */
	raw(): Rows;
}

/**
 * Prepared statements of a connection, made on first use: `const sql = prepared(database); sql('SELECT …').get()`. The SQL text
 * is the key, so write it as a constant.
 */
export const prepared = (database: Database): ((sql: string) => SharedStatement) => {
	const existing = cache.get(database);
	if (existing) return existing;
	const statements = new Map<string, SharedStatement>();
	const prepare = (sql: string): SharedStatement => {
		let statement = statements.get(sql);
		if (statement === undefined) {
			statement = share(database, sql);
			statements.set(sql, statement);
		}
		return statement;
	};
	cache.set(database, prepare);
	return prepare;
};

const cache = new WeakMap<Database, (sql: string) => SharedStatement>();

/** better-sqlite3's `pluck` and `raw` change the statement itself, for good: each form is a statement of its own. */
const share = (database: Database, sql: string): SharedStatement => {
	const plain = database.prepare(sql);
	let plucked: Statement | undefined;
	let raw: Statement | undefined;
	return {
		get: (...values) => plain.get(...values),
		all: (...values) => plain.all(...values),
		run: (...values) => plain.run(...values),
		iterate: (...values) => plain.iterate(...values),
		pluck() {
			plucked ??= database.prepare(sql).pluck();
			return plucked;
		},
		raw() {
			raw ??= database.prepare(sql).raw();
			return raw;
		},
	};
};
