import type {Database, Statement} from './open.js';

/**
 * Prepared statements of a connection, made on first use: `const sql = prepared(database); sql('SELECT …').get()`. The SQL text
 * is the key, so write it as a constant.
 */
export const prepared = (database: Database): ((sql: string) => Statement) => {
	const existing = cache.get(database);
	if (existing) return existing;
	const statements = new Map<string, Statement>();
	const prepare = (sql: string): Statement => {
		let statement = statements.get(sql);
		if (statement === undefined) {
			statement = database.prepare(sql);
			statements.set(sql, statement);
		}
		return statement;
	};
	cache.set(database, prepare);
	return prepare;
};

const cache = new WeakMap<Database, (sql: string) => Statement>();
