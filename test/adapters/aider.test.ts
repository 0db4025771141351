import {appendFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {aider} from '../../adapters/aider/index.js';
import {discoverAll, readFolded, surroundingsOf} from '../helpers/fixtures.js';
import {resumeOf, type StoreFiles, said, storeFiles} from '../helpers/store-files.js';

const HISTORY = '.aider.chat.history.md';
const header = (time: string) => `# aider chat started at 2026-09-21 ${time}\n\n`;

let store: StoreFiles;
beforeEach(() => {
	store = storeFiles(aider);
});
afterEach(() => store.dispose());

const sources = () => {
	const around = {...surroundingsOf(store.home), projectDirs: [join(store.home, 'code/pears/src')]};
	return discoverAll(aider, around).sources;
};
const talks = () => sources().map(source => said(readFolded(aider, source)));

test('the history of a checkout is found from a directory below, never by a walk', () => {
	store.put(`code/pears/${HISTORY}`, `${header('10:00:00')}#### Found  \n`);
	store.put(`code/plums/${HISTORY}`, `${header('10:00:00')}#### Nobody was here  \n`);
	expect(talks()).toEqual([[['user', 'Found']]]);
	const around = {...surroundingsOf('/h'), projectDirs: ['/h/a/b', '/elsewhere/c']};
	expect(aider.roots(around).map(({path}) => path)).toEqual(
		['/h', '/h/a/b', '/h/a', '/elsewhere/c'].map(folder => join(folder, HISTORY)),
	);
});

test('what is appended changes the last run only, and earlier runs keep their ids', () => {
	store.put(`code/pears/${HISTORY}`, `${header('10:00:00')}#### One  \n\n`);
	const [first] = sources();
	appendFileSync(join(store.home, 'code/pears', HISTORY), `${header('10:00:00')}#### Two  \n\n`);
	const after = sources();
	expect(after).toHaveLength(2);
	expect(after.map(({mark}) => mark)).toContain(first?.mark);
	expect(after.map(({sessionId}) => sessionId)).toContain(first?.sessionId);
	appendFileSync(join(store.home, 'code/pears', HISTORY), 'An answer.\n');
	const marks = new Set(after.map(({mark}) => mark));
	expect(sources().filter(({mark}) => !marks.has(mark))).toHaveLength(1);
});

test('lines with Windows ends, and a header inside of a line', () => {
	const text = `${header('10:00:00')}#### Hello  \n\nnot a # aider chat started at 1\n`;
	store.put(`code/pears/${HISTORY}`, text.replaceAll('\n', '\r\n'));
	expect(talks()).toEqual([
		[
			['user', 'Hello'],
			['assistant', 'not a # aider chat started at 1'],
		],
	]);
});

test('commands that only steer are not prompts for the model', () => {
	const prompts = ['/add a.ts', '/ask why', '!ls'].map(text => `#### ${text}  \n\n`);
	store.put(`code/pears/${HISTORY}`, header('10:00:00') + prompts.join(''));
	const [source] = sources();
	expect(source && readFolded(aider, source).events.map(({input}) => input)).toEqual([
		'local',
		'command',
		'command',
	]);
});

test('loads the whole file again, by name if it is not the usual one', () => {
	const id = '0123456789abcdef';
	expect(resumeOf(aider, {id, location: `/home/ada/orchard/${HISTORY}`})).toMatchObject({
		argv: ['aider', '--restore-chat-history'],
		cwd: '/home/ada/orchard',
	});
	expect(resumeOf(aider, {id, location: '/notes/chat.md'})).toMatchObject({
		argv: ['aider', '--restore-chat-history', '--chat-history-file', '/notes/chat.md'],
	});
	expect(resumeOf(aider, {id: '--help'})).toHaveProperty('reason');
});
