import type {SearchAnswer} from '../../store/library.js';
import {count, counted} from '../app/format.js';
import {EXIT, UsageError} from '../errors.js';
import type {Invocation} from './command.js';
import {filtersOf, pageOf, queryOf} from './filters.js';
import {withHistory} from './history.js';
import {hitLines} from './hit-lines.js';
import {note, printJson, printJsonLines, printLines} from './output.js';
import {runDeep} from './search-deep.js';
import {hitJson} from './session-json.js';
import type {searchFlags} from './table.js';

const DEFAULT_LIMIT = 20;

export const run = (invocation: Invocation<typeof searchFlags>): Promise<number> => {
	const {flags, host} = invocation;
	const query = queryOf(invocation);
	if (query.trim() === '') throw new UsageError('search needs a query');
	if (flags.deep) return runDeep(invocation, query);
	return withHistory(invocation, ({library}) => {
		const answer = library.search({
			query,
			filters: filtersOf(invocation),
			...pageOf(flags, DEFAULT_LIMIT),
			nowMs: host.now(),
			...(flags.scope && {scope: flags.scope}),
		});
		print(invocation, query, answer);
		return answer.hits.length === 0 ? EXIT.nothing : EXIT.done;
	});
};

const print = (
	invocation: Invocation<typeof searchFlags>,
	query: string,
	{total, hits, nextCursor, note: remark}: SearchAnswer,
): void => {
	const {flags} = invocation;
	if (flags.json) {
		printJson({schemaVersion: 1, query, total, note: remark, hits: hits.map(hitJson), nextCursor});
		return;
	}
	if (remark !== null) note(remark);
	if (flags.jsonl) printJsonLines(hits.map(hitJson));
	else printLines(hitLines(invocation, hits));
	if (hits.length === 0 && remark === null) note('nothing found');
	else if (nextCursor !== null)
		note(`${count(hits.length)} of ${counted(total, 'session')}: --limit gives more`);
};
