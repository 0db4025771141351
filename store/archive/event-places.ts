import type {Locator} from '../../adapters/types.js';
import type {Database} from '../open.js';
import {prepared} from '../statements.js';

/** Files beside the primary one that hold records of a source, such as one document per message. */
export const locatorPaths = (database: Database, sourceId: number): readonly string[] =>
	(
		prepared(database)(
			"SELECT DISTINCT locator ->> 'path' AS path FROM event WHERE source_id = ? AND locator IS NOT NULL AND locator ->> 'path' IS NOT NULL",
		).all(sourceId) as {path: string}[]
	).map(({path}) => path);

export type RowLocator = Extract<Locator, {readonly table: string}>;

/** The rows of a database that a source's events were made of, each once, in the order of the transcript. */
export const rowLocators = (database: Database, sourceId: number): readonly RowLocator[] => {
	const rows = prepared(database)(
		`SELECT locator FROM event WHERE source_id = ? AND locator IS NOT NULL AND state <> 'gone'
		GROUP BY locator ORDER BY min(position)`,
	).all(sourceId) as {locator: string}[];
	return rows
		.map(({locator}) => JSON.parse(locator) as Locator)
		.filter((locator): locator is RowLocator => 'table' in locator);
};
