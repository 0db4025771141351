import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {nanoclaw} from '../../adapters/nanoclaw/index.js';
import {closeViews} from '../../adapters/shared/sqlite.js';
import {SourceUnreadable} from '../../adapters/types.js';
import {buildDatabase, discoverAll, readFolded, surroundingsOf} from '../helpers/fixtures.js';
import {resumeOf, type StoreFiles, said, storeFiles} from '../helpers/store-files.js';

let store: StoreFiles;
beforeEach(() => {
	store = storeFiles(nanoclaw);
});
afterEach(() => {
	closeViews();
	store.dispose();
});

const SESSION = 'code/claw/data/v2-sessions/ag-1/sess-1';
const build = (sql: string, folder = SESSION) =>
	buildDatabase(join(store.home, folder, 'inbound.db'), sql);
const TABLE =
	'CREATE TABLE messages_in (id TEXT PRIMARY KEY, seq INTEGER, kind TEXT, trigger INTEGER, content TEXT);';
const chat = (id: string, seq: number, content: unknown) =>
	`INSERT INTO messages_in VALUES ('${id}', ${seq}, 'chat', 1, '${JSON.stringify(content)}');`;

/** A checkout that another agent worked in. */
const inProject = () => {
	const checkout = join(store.home, 'code/claw');
	buildDatabase(join(checkout, 'data/v2.db'), 'CREATE TABLE IF NOT EXISTS sessions (id TEXT);');
	return discoverAll(nanoclaw, {...surroundingsOf(store.home), projectDirs: [checkout]}).sources[0];
};

const found = (platform: 'linux' | 'darwin') =>
	discoverAll(nanoclaw, {...surroundingsOf(store.home), platform}).sources;

test('the checkout is found by the service that runs it', () => {
	build(TABLE + chat('i1', 2, {text: 'Hello'}));
	expect(found('linux')).toEqual([]);
	const checkout = join(store.home, 'code/claw');
	const unit = '.config/systemd/user/nanoclaw-v2-1f8d.service';
	store.put('.config/systemd/user/other.service', `[Service]\nWorkingDirectory=${checkout}\n`);
	expect(found('linux')).toEqual([]);
	store.put(unit, `[Service]\nWorkingDirectory=${checkout}\n`);
	expect(found('linux').map(({sessionId}) => sessionId)).toEqual(['sess-1']);
	expect(found('darwin')).toEqual([]);
	store.put(
		'Library/LaunchAgents/com.nanoclaw-v2-1f8d.plist',
		`<dict><key>WorkingDirectory</key>\n<string>${checkout}</string></dict>`,
	);
	expect(found('darwin').map(({key}) => key)).toEqual([join(store.home, SESSION)]);
});

test('a checkout that is named by the config', () => {
	build(TABLE + chat('i1', 2, {text: 'Hello'}));
	const extraRoots = [{path: join(store.home, 'code/claw')}];
	const {sources} = discoverAll(nanoclaw, {...surroundingsOf(store.home), extraRoots});
	expect(sources).toHaveLength(1);
});

test('prompts say who wrote them only when several people do', () => {
	const texts = () => {
		const source = inProject();
		return source && said(readFolded(nanoclaw, source)).map(([, text]) => text);
	};
	build(TABLE + chat('i1', 2, {sender: 'Ash', text: 'One'}));
	expect(texts()).toEqual(['One']);
	build(chat('i2', 4, {author: {fullName: 'Elm'}, text: 'Two'}));
	expect(texts()).toEqual(['Ash: One', 'Elm: Two']);
});

test('a half with other tables cannot be read, and takes nothing back', () => {
	build('CREATE TABLE other (id TEXT);');
	const source = inProject();
	expect(() => source && readFolded(nanoclaw, source)).toThrow(SourceUnreadable);
});

test('there is no resume', () => {
	expect(resumeOf(nanoclaw, {id: 'sess-1'})).toHaveProperty('reason');
});
