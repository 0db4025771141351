import {expect, test} from 'vitest';
import {readOwnKeys} from '../../../source/keymap/own-keys.js';

const keysOf = (own: Record<string, string[]>, id: string) =>
	readOwnKeys(own).bindings.find(binding => binding.id === id)?.keys;

test('own keys stand instead of those of the table', () => {
	const own = {'reader.top': ['g g'], 'list.sort': ['alt+o', 'f7'], 'reader.meta': []};
	expect(keysOf(own, 'reader.top')).toEqual(['g g']);
	expect(keysOf(own, 'list.sort')).toEqual(['alt+o', 'f7']);
	expect(keysOf(own, 'reader.meta')).toEqual([]);
	expect(keysOf(own, 'reader.bottom')).toEqual(['G', 'end']);
	expect(readOwnKeys(own).problems).toEqual([]);
});

test.each([
	[{'list.sorrt': ['f7']}, 'keys.list.sorrt is ignored: no such action; list.sort is one'],
	[{nonsense: ['f7']}, 'keys.nonsense is ignored: no such action'],
	[{'reader.top': ['control-x']}, /keys\.reader\.top "control-x" is ignored: no key has that name/],
	[{'list.sort': ['s']}, /letters are typed into the query/],
	[{'reader.top': ['j']}, 'keys.reader.top: j is the key of reader.down as well'],
])('%j', (own, problem) => {
	expect(readOwnKeys(own).problems).toHaveLength(1);
	expect(readOwnKeys(own).problems[0]).toMatch(problem);
});

test('a key that means nothing is left out, the others of the entry stay', () => {
	expect(keysOf({'reader.top': ['hyper+x', 'f9']}, 'reader.top')).toEqual(['f9']);
});
