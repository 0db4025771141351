import {describe, expect, test} from 'vitest';
import {completeDirectory, typedDirectory} from '../../../source/resume/complete-directory.js';

const folders: Readonly<Record<string, readonly string[]>> = {
	'/': ['code', 'home', 'srv'],
	'/home/u': ['.config', 'My App', 'my-notes', 'music', 'Documents'],
	'/home/u/My App': ['日本', '日記'],
	'/code': ['app', 'app-old', 'tools'],
};
const place = {
	home: '/home/u',
	cwd: '/code',
	listFolder: (path: string) => folders[path] ?? [],
};
const completed = (text: string) => completeDirectory(text, place);

describe('completion', () => {
	test('one way on is taken, with a slash to go on from', () => {
		expect(completed('/c')).toEqual({text: '/code/', names: []});
		expect(completed('/code/to')).toEqual({text: '/code/tools/', names: []});
		expect(completed('~/Doc')).toEqual({text: '~/Documents/', names: []});
		expect(completed('~')).toEqual({text: '~/', names: []});
	});

	test('several: what they share, and their names', () => {
		expect(completed('/code/a')).toEqual({text: '/code/app', names: ['app', 'app-old']});
		expect(completed('/code/app')).toEqual({text: '/code/app', names: ['app', 'app-old']});
		expect(completed('~/M')).toEqual({text: '~/My App/', names: []});
		expect(completed('~/My App/')).toEqual({text: '~/My App/日', names: ['日本', '日記']});
	});

	test('a relative text begins where the program runs', () => {
		expect(completed('to')).toEqual({text: 'tools/', names: []});
		expect(completed('')).toEqual({text: '', names: ['app', 'app-old', 'tools']});
	});

	test('case counts only where something fits it', () => {
		expect(completed('~/doc')).toEqual({text: '~/Documents/', names: []});
		expect(completed('~/mu')).toEqual({text: '~/music/', names: []});
	});

	test('hidden ones want their dot', () => {
		expect(completed('~/').names).toEqual(['Documents', 'My App', 'music', 'my-notes']);
		expect(completed('~/.')).toEqual({text: '~/.config/', names: []});
	});

	test('nothing fits: the text stays', () => {
		expect(completed('/nowhere/x')).toEqual({text: '/nowhere/x', names: []});
	});
});

test('what is meant by a typed text', () => {
	expect(typedDirectory('~/My App/', place)).toBe('/home/u/My App');
	expect(typedDirectory('../srv/./x', place)).toBe('/srv/x');
	expect(typedDirectory('/', place)).toBe('/');
});
