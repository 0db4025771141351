import type {Locator} from '../../adapters/model.js';
import type {Database} from '../open.js';
import {prepared} from '../statements.js';

/** By the session, which has an index: without, each source of a large history reads all of it. */
const OF_SOURCE =
	'session_id = (SELECT session_id FROM source WHERE id = @sourceId) AND source_id = @sourceId';

/** Files beside the primary one that hold records of a source, such as one document per message. */
export const locatorPaths = (database: Database, sourceId: number): readonly string[] =>
	(
		prepared(database)(
			`SELECT DISTINCT locator ->> 'path' AS path FROM event
			WHERE ${OF_SOURCE} AND locator IS NOT NULL AND locator ->> 'path' IS NOT NULL`,
		).all({sourceId}) as {path: string}[]
	).map(({path}) => path);

export type RowLocator = Extract<Locator, {readonly table: string}>;

/** The rows of a database that a source's events were made of, each once, in the order of the transcript. */
export const rowLocators = (database: Database, sourceId: number): readonly RowLocator[] => {
	const rows = prepared(database)(
		`SELECT locator FROM event WHERE ${OF_SOURCE} AND locator IS NOT NULL AND state <> 'gone'
		GROUP BY locator ORDER BY min(position)`,
	).all({sourceId}) as {locator: string}[];
	return rows
		.map(({locator}) => JSON.parse(locator) as Locator)
		.filter((locator): locator is RowLocator => 'table' in locator);
};
