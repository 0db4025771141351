import {existsSync, mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {attachmentsFor, writeAttachments} from '../../source/attachments.js';

const png = Buffer.alloc(300, 7).toString('base64');
const jpeg = Buffer.alloc(5_000, 9).toString('base64');

const types = (raw: unknown, text = '[image png]') =>
	attachmentsFor(JSON.stringify(raw), text).map(({mediaType, bytes}) => [mediaType, bytes.length]);

describe('attachments of a record', () => {
	test.each([
		[
			'a content block with a source',
			{message: {content: [{type: 'image', source: {media_type: 'image/png', data: png}}]}},
		],
		['a data URL', {content: [{type: 'input_image', image_url: `data:image/png;base64,${png}`}]}],
		['inline data', {parts: [{inlineData: {mimeType: 'image/png', data: png}}]}],
		[
			'the same image twice',
			{a: {mime: 'image/png', data: png}, b: `data:image/png;base64,${png}`},
		],
	])('%s', (_, raw) => {
		expect(types(raw)).toEqual([['image/png', 300]]);
	});

	test('of several events in one record the sizes tell whose they are', () => {
		const raw = {
			first: {mediaType: 'image/png', data: png},
			second: {mediaType: 'image/jpeg', data: jpeg},
		};
		expect(types(raw, '[image jpeg, 5 KB]')).toEqual([['image/jpeg', 5_000]]);
		expect(types(raw, '[image png, 300 B] and [image jpeg, 5 KB]')).toHaveLength(2);
	});

	test('text is no attachment, and a record that is no JSON has none', () => {
		expect(types({mediaType: 'text', data: 'hello'})).toEqual([]);
		expect(attachmentsFor('not json', '[image png]')).toEqual([]);
	});
});

test('files are for the person alone, and only harmless types may be opened', () => {
	const folder = mkdtempSync(join(tmpdir(), 'backscroll-attachments-'));
	onTestFinished(() => rmSync(folder, {recursive: true}));
	const bytes = Buffer.from('<script>');
	const written = writeAttachments(
		[
			{mediaType: 'image/png', bytes},
			{mediaType: 'text/html', bytes},
			{mediaType: '../../x', bytes},
		],
		{folder: join(folder, 'new'), name: 'one'},
	);
	expect(written.map(({isOpenable}) => isOpenable)).toEqual([true, false, false]);
	expect(written.map(({path}) => path.slice(folder.length))).toEqual([
		'/new/one-1.png',
		'/new/one-2.bin',
		'/new/one-3.bin',
	]);
	for (const {path} of written) {
		expect(existsSync(path)).toBe(true);
		expect(statSync(path).mode & 0o077).toBe(0);
	}
	expect(readFileSync(written[0]?.path ?? '', 'utf8')).toBe('<script>');
});
