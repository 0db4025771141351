import type {ListAnswer} from '../../store/library.js';
import {count, counted} from '../app/format.js';
import {EXIT} from '../errors.js';
import type {Invocation} from './command.js';
import {filtersOf, pageOf, queryOf} from './filters.js';
import {withHistory} from './history.js';
import {note, printJson, printJsonLines, printLines} from './output.js';
import {rowOptions} from './plain.js';
import {lineBelow, sessionRows} from './rows.js';
import {listedSession} from './session-json.js';
import type {listFlags} from './table.js';

const DEFAULT_LIMIT = 50;

export const run = (invocation: Invocation<typeof listFlags>): Promise<number> =>
	withHistory(invocation, ({library}) => {
		const {flags, host} = invocation;
		const query = queryOf(invocation);
		const answer = library.list({
			query,
			filters: filtersOf(invocation),
			...pageOf(flags, DEFAULT_LIMIT),
			nowMs: host.now(),
			...(flags.sort && {sort: flags.sort}),
		});
		print(invocation, query, answer);
		return answer.rows.length === 0 && query.trim() !== '' ? EXIT.nothing : EXIT.done;
	});

const print = (
	invocation: Invocation<typeof listFlags>,
	query: string,
	{total, rows, nextCursor, note: remark}: ListAnswer,
): void => {
	const {flags, config} = invocation;
	if (remark !== null) note(remark);
	if (flags.json || flags.jsonl) {
		const sessions = rows.map(row => listedSession(row, config.flags));
		if (flags.jsonl) printJsonLines(sessions);
		else printJson({schemaVersion: 1, query, total, sessions, nextCursor});
		return;
	}
	const options = rowOptions(invocation);
	const lines = sessionRows(
		rows.map(({session}) => session),
		options,
	);
	printLines(
		rows.flatMap(({match}, index) => [
			lines[index] ?? '',
			...(match === null ? [] : [lineBelow(match.snippet, options.columns)]),
		]),
	);
	if (rows.length === 0) note('no session');
	else if (nextCursor !== null)
		note(`${count(rows.length)} of ${counted(total, 'session')}: --limit gives more`);
};
