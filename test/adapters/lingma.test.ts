import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {lingma} from '../../adapters/lingma.js';
import {closeViews} from '../../adapters/shared/sqlite.js';
import {buildDatabase, surroundingsOf} from '../helpers/fixtures.js';
import {resumeOf, type StoreFiles, storeFiles} from '../helpers/store-files.js';

const TABLE =
	'CREATE TABLE IF NOT EXISTS chat_record (session_id TEXT, request_id TEXT, chat_prompt TEXT, summary TEXT, error_result TEXT, gmt_create INTEGER, extra TEXT);';

let store: StoreFiles;
beforeEach(() => {
	store = storeFiles(lingma);
});
afterEach(() => {
	closeViews();
	store.dispose();
});

const build = (path: string, id: string, summary = '') =>
	buildDatabase(
		join(store.home, path, 'cache/db/local.db'),
		`${TABLE} INSERT INTO chat_record VALUES ('${id}', 'r', 'Hello', '${summary}', '', 1790000000000, NULL);`,
	);
const ids = () => store.sources().map(({sessionId}) => sessionId);

test('settings of editors and of JetBrains products move the database', () => {
	build('a/sharedClientCache', 'by-setting');
	build('b/sharedClientCache', 'by-profile');
	build('c/qoder-cn', 'by-product');
	expect(ids()).toEqual([]);
	const setting = (name: string, folder: string) =>
		`{ "${name}": ${JSON.stringify(join(store.home, folder))}, }`;
	const user = '.config/Code/User';
	store.put(`${user}/settings.json`, setting('Lingma.LocalMachineStoragePath', 'a'));
	store.put(`${user}/profiles/p/settings.json`, setting('QoderCN.LocalMachineStoragePath', 'b'));
	store.put(
		'.config/JetBrains/Idea/options/cosy_setting.xml',
		`<component name="CosySettings"><option name="localStoragePath" value="${store.home}/c" /></component>`,
	);
	expect(ids()).toEqual(['by-setting', 'by-profile', 'by-product']);
});

test('an answer that is filled in later is noticed', () => {
	build('.qoder-cn/shared_client', 's');
	const before = store.source().mark;
	buildDatabase(
		join(store.home, '.qoder-cn/shared_client/cache/db/local.db'),
		`UPDATE chat_record SET summary = 'Yes.'`,
	);
	expect(store.source().mark).not.toBe(before);
	expect(store.read().events.map(({text}) => text)).toEqual(['Hello', 'Yes.']);
});

test('a database with other tables is a problem, not an exception', () => {
	const path = join(store.home, '.lingma/cache/db/local.db');
	buildDatabase(path, 'CREATE TABLE other (id TEXT);');
	const [root] = lingma.roots(surroundingsOf(store.home));
	expect(root && [...lingma.discover(root)]).toMatchObject([
		{problem: {code: 'unsupported-schema', where: path}},
	]);
});

test('there is no resume', () => {
	expect(resumeOf(lingma, {id: 's'})).toHaveProperty('reason');
});
