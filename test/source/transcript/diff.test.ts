import {describe, expect, test} from 'vitest';
import {countChanges, layoutPatch, parsePatch} from '../../../source/transcript/diff.js';
import {symbolsFor} from '../../../source/transcript/options.js';
import {screenText} from '../../helpers/rows.js';

const shown = (patch: string, columns = 40) =>
	screenText(layoutPatch(parsePatch(patch), columns, symbolsFor()));

describe('patches', () => {
	test('removed lines count in the old file, the others in the new one', () => {
		expect(shown('@@ -9,3 +9,2 @@\n a\n-b\n-c\n+d')).toBe(' 9    a\n10  − b\n11  − c\n10  + d');
	});

	test('a removed line that looks like a file header is a removed line', () => {
		const lines = parsePatch('--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,2 @@\n--- old\n+++ new\n c\n');
		expect(lines).toContainEqual({kind: 'remove', number: 1, text: '-- old'});
		expect(lines).toContainEqual({kind: 'add', number: 1, text: '++ new'});
		expect(countChanges(lines)).toEqual({added: 1, removed: 1});
	});

	test('hunks stand apart, files are named when there are several', () => {
		const two =
			'--- a/one\n+++ b/one\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n--- a/two\n+++ /dev/null\n@@ -1 +0,0 @@\n-e\n';
		expect(shown(two)).toBe(
			'one\n1  − a\n1  + b\n ⋯\n9  − c\n9  + d\ntwo\n1  − e'.replace('⋯', '…'),
		);
	});

	test('the envelope of apply_patch has no numbers', () => {
		const patch =
			'*** Begin Patch\n*** Update File: src/a.ts\n@@ function f\n a\n-b\n+c\n*** End Patch';
		expect(shown(patch)).toBe('  a\n− b\n+ c');
	});

	test('long lines wrap beside their number', () => {
		expect(shown('@@ -1 +1 @@\n-one two three four\n+x', 18)).toBe(
			'1  − one two three\n     four\n1  + x',
		);
	});

	test('what is no patch is still seen', () => {
		expect(shown('no patch at all')).toContain('no patch at all');
	});
});
