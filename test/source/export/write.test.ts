import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {AppError} from '../../../source/errors.js';
import {type ExportTarget, exportPath, writeExport} from '../../../source/export/write.js';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'export-'));
});
afterEach(() => rmSync(folder, {recursive: true}));

const target = (output: string, part: Partial<ExportTarget> = {}): ExportTarget => ({
	output,
	defaultName: 'default.md',
	home: join(folder, 'home'),
	workFolder: folder,
	isForced: false,
	...part,
});

describe('where an export goes', () => {
	test('a file, relative to the work folder or the home', () => {
		expect(exportPath(target('a.md'))).toBe(join(folder, 'a.md'));
		expect(exportPath(target('~/a.md'))).toBe(join(folder, 'home', 'a.md'));
		expect(exportPath(target('/x/a.md'))).toBe('/x/a.md');
	});

	test('the default name in a folder that exists, is meant to, or has to', () => {
		mkdirSync(join(folder, 'there'));
		expect(exportPath(target('there'))).toBe(join(folder, 'there', 'default.md'));
		expect(exportPath(target('new/'))).toBe(join(folder, 'new', 'default.md'));
		expect(exportPath(target('new', {isFolder: true}))).toBe(join(folder, 'new', 'default.md'));
	});
});

describe('writing', () => {
	test('makes the folder that was asked for, and leaves nothing else behind', async () => {
		const path = await writeExport('text', target('new/'));
		expect(readFileSync(path, 'utf8')).toBe('text');
		expect(readdirSync(join(folder, 'new'))).toEqual(['default.md']);
	});

	test('an existing file stays unless it may be replaced', async () => {
		writeFileSync(join(folder, 'a.md'), 'mine');
		await expect(writeExport('new', target('a.md'))).rejects.toThrow(/a\.md exists already/);
		expect(readFileSync(join(folder, 'a.md'), 'utf8')).toBe('mine');
		await writeExport('new', target('a.md', {isForced: true}));
		expect(readFileSync(join(folder, 'a.md'), 'utf8')).toBe('new');
	});

	test('a link that leads nowhere is not followed', async () => {
		symlinkSync(join(folder, 'elsewhere.md'), join(folder, 'a.md'));
		await expect(writeExport('new', target('a.md'))).rejects.toThrow(AppError);
		expect(existsSync(join(folder, 'elsewhere.md'))).toBe(false);
	});

	test('a place that cannot be written to is named', async () => {
		await expect(writeExport('new', target('no/such/a.md'))).rejects.toThrow(
			/no\/such\/a\.md cannot be written/,
		);
		writeFileSync(join(folder, 'file'), '');
		await expect(writeExport('new', target('file/'))).rejects.toThrow(AppError);
		expect(readdirSync(folder)).toEqual(['file']);
	});

	test('can be for the owner only', async () => {
		const path = await writeExport('new', target('a.json', {mode: 0o600}));
		expect(statSync(path).mode & 0o777).toBe(0o600);
	});
});
