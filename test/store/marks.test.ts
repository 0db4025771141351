import {appendFileSync, readFileSync, rmSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {setMark} from '../../store/marks.js';
import {openStore} from '../../store/open.js';
import {createLibrary} from '../../store/read/library.js';
import {SEED_NOW_MS, said, seedSession, temporaryStore} from '../helpers/seed.js';

const REF = 'claude-code:s1';

const store = () => {
	const {database, folder} = temporaryStore();
	seedSession(database, {id: 's1', events: [said('fix the login'), said('done', 'assistant')]});
	const library = createLibrary(database);
	return {
		database,
		folder,
		library,
		mark: (change: Parameters<typeof setMark>[3]) => setMark(database, folder, REF, change),
		ids: (query: string) =>
			library
				.list({query, filters: {}, limit: 10, nowMs: SEED_NOW_MS})
				.rows.map(({session}) => session.id),
	};
};

describe('setMark', () => {
	it('keeps star, tags and note, each changed by itself', () => {
		const {library, mark} = store();
		mark({starred: true, addTags: ['auth', 'urgent'], note: 'look again'});
		mark({removeTags: ['urgent'], addTags: ['auth', 'web']});
		expect(library.session(REF)).toMatchObject({
			starred: true,
			tags: ['auth', 'web'],
			note: 'look again',
		});
		mark({starred: false, note: null});
		expect(library.session(REF)).toMatchObject({starred: false, tags: ['auth', 'web'], note: null});
	});

	it('an own title shows and is found at once, and goes again', () => {
		const {library, mark, ids} = store();
		mark({title: 'Broken cookie'});
		expect(library.session(REF)).toMatchObject({title: 'Broken cookie', titleFrom: 'own'});
		expect(ids('in:title cookie')).toEqual(['s1']);
		expect(ids('login')).toEqual(['s1']);
		mark({title: null});
		expect(library.session(REF)).toMatchObject({title: 'fix the login', titleFrom: 'prompt'});
		expect(ids('in:title cookie')).toEqual([]);
	});

	it('is found by its filter', () => {
		const {mark, ids} = store();
		expect(ids('is:starred')).toEqual([]);
		mark({starred: true});
		expect(ids('is:starred')).toEqual(['s1']);
	});

	it('writes a line that only the owner may read', () => {
		const {folder, mark} = store();
		mark({starred: true});
		mark({title: 'Zeile\n2'});
		const path = join(folder, 'marks.jsonl');
		expect(statSync(path).mode & 0o777).toBe(0o600);
		const lines = readFileSync(path, 'utf8').trim().split('\n');
		expect(lines.map(line => JSON.parse(line) as unknown)).toMatchObject([
			{agent: 'claude-code', id: 's1', starred: true},
			{agent: 'claude-code', id: 's1', title: 'Zeile\n2'},
		]);
	});
});

describe('a lost database', () => {
	it('gets its marks back from the file beside it, except for damaged lines', () => {
		const {folder, mark, database} = store();
		mark({starred: true, addTags: ['auth'], title: 'Broken cookie'});
		appendFileSync(join(folder, 'marks.jsonl'), '{"agent":"claude-c');
		database.close();
		for (const name of ['history.db', 'history.db-wal', 'history.db-shm'])
			rmSync(join(folder, name), {force: true});
		const again = openStore(folder);
		seedSession(again, {id: 's1', events: [said('fix the login')]});
		expect(createLibrary(again).session(REF)).toMatchObject({starred: true, tags: ['auth']});
		again.close();
	});
});
