/** What the fixture home cannot show: roots, a message that is being written, an unknown workspace. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {mux} from '../../adapters/mux/index.js';
import {
	discoverAll,
	emptyHome,
	readFolded,
	removeHome,
	surroundingsOf,
} from '../helpers/fixtures.js';

let home: string;
beforeEach(() => {
	home = emptyHome();
});
afterEach(() => removeHome(home));

const message = (texts: readonly string[], historySequence: number) => ({
	id: `m${historySequence}`,
	role: 'assistant',
	parts: texts.map(text => ({type: 'text', text})),
	metadata: {historySequence},
});
const readTalk = (chat: readonly unknown[], partial: unknown) => {
	const folder = join(home, '.mux/sessions/w1');
	mkdirSync(folder, {recursive: true});
	const lines = chat.map(line => `${JSON.stringify(line)}\n`);
	writeFileSync(join(folder, 'chat.jsonl'), lines.join(''));
	writeFileSync(join(folder, 'partial.json'), JSON.stringify(partial));
	const [source] = discoverAll(mux, surroundingsOf(home)).sources;
	if (source === undefined) throw new Error('no source');
	return readFolded(mux, source);
};
const textsOf = (...talk: Parameters<typeof readTalk>): readonly string[] =>
	readTalk(...talk).events.map(({text}) => text);

describe('a message that is being written', () => {
	const first = message(['one'], 0);

	test('comes behind the others', () => {
		expect(textsOf([first], message(['two'], 1))).toEqual(['one', 'two']);
	});

	test('replaces one of its number that holds less', () => {
		expect(textsOf([first], message(['one', 'more'], 0))).toEqual(['one', 'more']);
	});

	test('is left out when the log holds as much', () => {
		expect(textsOf([first], message(['other'], 0))).toEqual(['one']);
	});
});

test('a workspace that no list knows is a session all the same', () => {
	const {sessionId, facts} = readTalk([message(['one'], 0)], null);
	expect([sessionId, facts]).toEqual(['w1', {}]);
});

test('folders of all names are looked at, those that a variable names first', () => {
	const pathsOf = (env: Record<string, string>) =>
		mux.roots(surroundingsOf('/home/me', env)).map(({path}) => path);
	expect(pathsOf({MUX_ROOT: '/data/mux'})).toEqual([
		'/data/mux',
		'/home/me/.xum',
		'/home/me/.mux',
		'/home/me/.cmux',
	]);
	expect(pathsOf({NODE_ENV: 'development'})[0]).toBe('/home/me/.xum-dev');
});
