import {expect, it} from 'vitest';
import {createLibrary} from '../../../store/read/library.js';
import {SEED_NOW_MS, seedSession, temporaryStore} from '../../helpers/seed.js';
import {corpus, expectations} from './ranking-corpus.js';

it('what somebody looks for comes first', () => {
	const {database} = temporaryStore();
	for (const session of corpus) seedSession(database, session);
	const library = createLibrary(database);
	const answers = expectations.map(([query, first]) => {
		const {rows} = library.list({query, filters: {}, limit: 50, nowMs: SEED_NOW_MS});
		const ids = rows.map(({session}) => session.id);
		return {query, first, ids, place: ids.indexOf(first)};
	});
	const within = (places: number): number =>
		answers.filter(({place}) => place >= 0 && place < places).length / answers.length;
	process.stdout.write(
		`ranking of ${answers.length} queries: hit@1 ${within(1).toFixed(3)}, hit@3 ${within(3).toFixed(3)}\n`,
	);
	const missed = answers.filter(({place}) => place !== 0);
	expect(answers.length).toBeGreaterThanOrEqual(60);
	expect(within(3)).toBe(1);
	expect(missed.map(({query, first, ids}) => `${query}: ${ids[0]} instead of ${first}`)).toEqual(
		[],
	);
});
