import type {Locator} from '../adapters/model.js';
import type {Source} from '../adapters/types.js';
import type {Database} from './open.js';
import {prepared} from './statements.js';
import type {KnownSource} from './sync/plan.js';
import {storedSource} from './sync/source-rows.js';

/** Where the raw record of an event lies; undefined when its source is gone, or was rewritten without it. */
export const findEventSource = (
	database: Database,
	eventRowId: number,
): {readonly agent: string; readonly source: Source; readonly locator: Locator} | undefined => {
	const row = prepared(database)(
		`SELECT source.*, line_offset, line_length, locator FROM event JOIN source ON source.id = event.source_id
		WHERE event.id = ? AND source.state <> 'missing' AND event.state <> 'gone'`,
	).get(eventRowId) as (KnownSource & Place) | undefined;
	return row && {agent: row.agent, source: storedSource(row), locator: locatorOf(row)};
};

interface Place {
	readonly agent: string;
	readonly line_offset: number | null;
	readonly line_length: number | null;
	readonly locator: string | null;
}

const locatorOf = ({line_offset, line_length, locator}: Place): Locator =>
	line_offset === null || line_length === null
		? (JSON.parse(locator ?? 'null') as Locator)
		: {offset: line_offset, length: line_length};
