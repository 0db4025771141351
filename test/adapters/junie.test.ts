/** What the fixture home cannot show: a prompt without an answer, an index that cannot be read, roots. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {junie} from '../../adapters/junie/index.js';
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

const prompt = (text: string): string => JSON.stringify({kind: 'UserPromptEvent', prompt: text});
const readLines = (...lines: readonly string[]) => {
	const folder = join(home, '.junie/sessions/session-1');
	mkdirSync(folder, {recursive: true});
	writeFileSync(join(folder, 'events.jsonl'), `${lines.join('\n')}\n`);
	const [source] = discoverAll(junie, surroundingsOf(home)).sources;
	if (source === undefined) throw new Error('no source');
	return readFolded(junie, source);
};

test('a prompt has the time of what follows, or none', () => {
	const event = {agentEvent: {kind: 'ResultBlockUpdatedEvent', stepId: 'r', result: 'Answer'}};
	const timestampMs = 1_793_692_800_000;
	const answer = JSON.stringify({kind: 'SessionA2uxEvent', timestampMs, event});
	const {events} = readLines(prompt('one'), prompt('two'), answer, prompt('three'));
	expect(events.map(({text, atMs}) => [text, atMs])).toEqual([
		['one', timestampMs],
		['two', timestampMs],
		['Answer', timestampMs],
		['three', undefined],
	]);
});

test('a folder in the place of the index hides no session', () => {
	mkdirSync(join(home, '.junie/sessions/index.jsonl'), {recursive: true});
	expect(readLines(prompt('one')).sessionId).toBe('session-1');
});

test('the variable moves the folder; there is no resume', () => {
	const around = surroundingsOf('/home/me', {JUNIE_HOME: '/data/junie'});
	expect(junie.roots(around).map(({path}) => path)).toEqual(['/data/junie']);
	const request = {
		id: 'session-1',
		cwd: '/home/ada',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/x',
		resumeEnv: {},
		hint: {},
	};
	expect(junie.resume(request)).toHaveProperty('reason');
});
