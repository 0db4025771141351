import {chmodSync, mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {listFolder, stampOf, type WalkOptions, walkFiles} from '../../../adapters/shared/walk.js';
import {scratchFolder} from './scratch.js';

const scratch = scratchFolder();
let count = 0;

/** A root with these files; a value that begins with `→` is a link. */
const makeRoot = (files: Readonly<Record<string, string>>): string => {
	const root = join(scratch.folder, `root${count++}`);
	mkdirSync(root);
	for (const [name, content] of Object.entries(files)) {
		const path = join(root, name);
		mkdirSync(dirname(path), {recursive: true});
		if (content.startsWith('→')) symlinkSync(content.slice(1), path);
		else writeFileSync(path, content);
	}
	return root;
};

const walk = (root: string, options: Partial<WalkOptions> = {}): readonly string[] =>
	[...walkFiles(root, {depth: 12, accept: () => true, ...options})].map(item =>
		item.problem === undefined ? item.path.slice(root.length + 1) : item.problem.code,
	);

describe('walkFiles', () => {
	it('gives what is wanted, folder by folder in the order of names', () => {
		const root = makeRoot({
			'b/2.jsonl': '',
			'b/1.jsonl': '',
			'b/1.txt': '',
			'a/deep/3.jsonl': '',
			'a/skip/4.jsonl': '',
			'0.jsonl': '',
		});
		const seen: string[] = [];
		const options = {
			accept: (relative: string, name: string) => {
				seen.push(relative);
				return name.endsWith('.jsonl');
			},
			enter: (_relative: string, name: string) => name !== 'skip',
		};
		expect(walk(root, options)).toEqual(['0.jsonl', 'b/1.jsonl', 'b/2.jsonl', 'a/deep/3.jsonl']);
		expect(seen).toEqual(['0.jsonl', 'b/1.jsonl', 'b/1.txt', 'b/2.jsonl', 'a/deep/3.jsonl']);
		expect(walk(root, {...options, depth: 2})).toEqual(['0.jsonl', 'b/1.jsonl', 'b/2.jsonl']);
		expect(walk(root, {...options, depth: 1})).toEqual(['0.jsonl']);
	});

	it('finds nothing in a root that is absent or no folder', () => {
		const root = makeRoot({file: 'x'});
		expect(walk(join(root, 'none'))).toEqual([]);
		expect(walk(join(root, 'file'))).toEqual([]);
	});

	it('refuses links that lead out, and only if they are wanted', () => {
		const outside = makeRoot({'secret/key': 'x'});
		const root = makeRoot({
			'a.jsonl': `→${outside}/secret/key`,
			'b.txt': `→${outside}/secret/key`,
			folder: `→${outside}/secret`,
			dangling: '→nowhere',
		});
		expect(walk(root)).toEqual(['linked-out', 'linked-out', 'linked-out']);
		expect(walk(root, {accept: (_, name) => name.endsWith('.jsonl'), enter: () => false})).toEqual([
			'linked-out',
		]);
	});

	it('follows links inside the root once, and never in circles', () => {
		const root = makeRoot({
			'a-link': '→real',
			'real/x.jsonl': '1',
			'real/up': '→..',
			'real/self': '→self',
			'x.jsonl': '→real/x.jsonl',
		});
		expect(walk(root)).toEqual(['x.jsonl', 'real/x.jsonl']);
		expect(walk(root, {enter: (_, name) => name === 'a-link'})).toEqual([
			'x.jsonl',
			'a-link/x.jsonl',
		]);
	});

	it('takes a root that is a link itself', () => {
		const root = makeRoot({'s/x.jsonl': '1'});
		const link = join(scratch.folder, 'linked-root');
		symlinkSync(root, link);
		expect(walk(link)).toEqual(['s/x.jsonl']);
	});

	it('stops at its limits and says so', () => {
		const deep = makeRoot({[`${'d/'.repeat(11)}in.txt`]: '', [`${'d/'.repeat(14)}out.txt`]: ''});
		expect(walk(deep)).toEqual(['limit', `${'d/'.repeat(11)}in.txt`]);
		const wide = makeRoot({a: '', b: '', c: ''});
		expect(walk(wide, {fileLimit: 2})).toEqual(['a', 'b', 'limit']);
	});

	it.skipIf(process.getuid?.() === 0)('tells of a folder that it may not list', () => {
		const root = makeRoot({'closed/x': '', 'open/y': ''});
		chmodSync(join(root, 'closed'), 0o000);
		expect(walk(root)).toEqual(['unreadable', 'open/y']);
		chmodSync(join(root, 'closed'), 0o700);
	});
});

describe('stampOf', () => {
	it('sees regular files only, and no link that leads out', () => {
		const root = makeRoot({'a/file': 'four', 'a/near': '→file', 'a/up': '→../b', b: 'x'});
		const stamp = stampOf(join(root, 'a/file'));
		expect(stamp).toMatchObject({path: join(root, 'a/file'), sizeBytes: 4});
		expect(stamp?.mtimeMs).toBeGreaterThan(0);
		expect(stampOf(join(root, 'a/near'))).toEqual({...stamp, path: join(root, 'a/near')});
		expect(stampOf(join(root, 'a/up'))).toBeUndefined();
		expect(stampOf(join(root, 'a/up'), root)?.sizeBytes).toBe(1);
		expect(stampOf(root)).toBeUndefined();
		expect(stampOf(join(root, 'none'))).toBeUndefined();
		expect(stampOf(join(root, 'b/none'))).toBeUndefined();
	});
});

describe('listFolder', () => {
	it('tells absent from empty', () => {
		const root = makeRoot({b: '', a: ''});
		expect(listFolder(root)?.entries?.map(entry => entry.name)).toEqual(['a', 'b']);
		expect(listFolder(join(root, 'none'))).toBeUndefined();
		expect(listFolder(join(root, 'a'))).toBeUndefined();
	});
});
