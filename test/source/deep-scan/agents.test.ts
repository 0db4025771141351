/** Files, documents and databases of every agent: what somebody said is found in the raw records, too. */
import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {adapters} from '../../../adapters/registry.js';
import {deepScan} from '../../../source/deep-scan/scan.js';
import {readRawEvent} from '../../../source/raw-event.js';
import {type Database, openStore} from '../../../store/open.js';
import {createLibrary} from '../../../store/read/library.js';
import {syncPass} from '../../../store/sync/engine.js';
import {copyFixture, type FixtureHome, fixtureFolder} from '../../helpers/fixtures.js';

const NOW_MS = Date.UTC(2026, 10, 30);
const request = {query: '', filters: {isAll: true}, limit: 1000, nowMs: NOW_MS};
const withFixture = adapters.filter(({id}) => existsSync(join(fixtureFolder(id), 'home')));

describe.each(withFixture.map(adapter => [adapter.id, adapter] as const))('%s', (_, adapter) => {
	let fixture: FixtureHome;
	let folder: string;
	let database: Database;
	beforeAll(async () => {
		fixture = copyFixture(adapter.id);
		folder = mkdtempSync(join(tmpdir(), 'backscroll-scan-'));
		database = openStore(folder);
		await syncPass(database, {
			adapters: [adapter],
			surroundings: () => fixture.around,
			now: () => NOW_MS,
		});
	});
	afterAll(() => {
		database.close();
		rmSync(folder, {recursive: true, force: true});
		fixture.dispose();
	});

	it('prompts and replies are found where they were said', () => {
		const library = createLibrary(database);
		const {rows} = library.list(request);
		const missed: string[] = [];
		let looked = 0;
		for (const {session} of rows) {
			const said = library
				.events(session.ref, {from: 0, count: 40})
				.filter(({kind, state}) => kind === 'message' && state === 'live')
				.map(({rowId, text}) => ({
					text: /[\p{L}\p{N} ,']{8,40}/u.exec(text)?.[0].trim() ?? '',
					raw: readRawEvent(database, adapters, rowId) ?? '',
				}))
				// Not what is put together from several parts of a record, or was streamed in pieces.
				.filter(
					({text, raw}) => text.length >= 8 && raw.includes(JSON.stringify(text).slice(1, -1)),
				)
				.map(({text}) => text);
			for (const text of said.slice(0, 4)) {
				looked++;
				const query = `"${text}"`;
				const steps = [...deepScan(database, {...request, query}, {adapters, now: () => 0}).steps];
				const refs = steps.flatMap(step => (step.kind === 'hit' ? [step.hit.session.ref] : []));
				if (!refs.includes(session.ref)) missed.push(`${session.ref}: ${text}`);
			}
		}
		expect(rows.length).toBeGreaterThan(0);
		expect(looked).toBeGreaterThan(0);
		expect(missed).toEqual([]);
	});
});
