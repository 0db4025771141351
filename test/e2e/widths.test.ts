import {mkdirSync} from 'node:fs';
import {resolve} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {claudeTranscript} from '../helpers/command-line.js';
import {createHome, type Home} from '../helpers/home.js';
import {openTerminal, type Terminal} from './terminal.js';

const BIN = resolve('dist/cli.js');

/** What widths go wrong with: wide, combining, right-to-left, tabs, nothing to break at. */
const texts = [
	'日本語のメモを検索できるようにして、漢字とかなを混ぜた長い題名',
	'한국어로 쓴 제목도 잘려야 합니다 그리고 계속 길어집니다 아주 길게',
	'e\u0301toile\u0301e cafe\u0301 naive\u0308 o\u0302te\u0301 a\u0300 la\u0300 fe\u0302te de\u0301c\u0327u',
	'שלום עולם זה טקסט מימין לשמאל שצריך להיחתך בסוף השורה',
	'tab\tafter\ttab\tand\tone\tmore\tuntil\tthe\tend\tof\tthe\tline',
	`x${'nobreak'.repeat(60)}`,
] as const;

let world: Home;
let terminal: Terminal | undefined;
beforeEach(() => {
	world = createHome(['claude']);
	mkdirSync(world.file('work'));
	texts.forEach((text, index) => {
		const id = `0a1b2c3d-0000-4000-8000-00000000000${index}`;
		world.write(
			`.claude/projects/-work/${id}.jsonl`,
			claudeTranscript({id, cwd: world.file('work'), from: `2026-11-0${index + 1}T10:00:00Z`}, [
				{role: 'user', text},
				{role: 'assistant', text: `| a | b |\n| --- | --- |\n| ${text} | ${text} |\n\n- ${text}`},
			]),
		);
	});
});
afterEach(() => {
	terminal?.dispose();
	world.remove();
});

const rule = /^─+$/;

describe.each([40, 80, 120, 200])('at %i columns', columns => {
	it('every border stands where it should, whatever the texts are', async () => {
		const app = openTerminal({
			argv: [process.execPath, BIN],
			columns,
			rows: 24,
			cwd: world.path,
			env: {...world.env, LANG: 'C.UTF-8', BACKSCROLL_HOME: world.file('backscroll')},
		});
		terminal = app;
		await app.untilText('日本語');
		await app.untilText('한국어');
		const list = await app.until(
			({cells}) => cells.filter(row => /Claude/.test(row.join(''))).length >= texts.length,
			'all sessions',
		);
		expect(list.rows.find(row => rule.test(row))).toHaveLength(columns);
		// The age ends at the same column in every row, so nothing before it was wider than counted.
		for (const row of list.cells.filter(cells => cells.join('').includes('Claude ')))
			expect(ageEnd(row, columns)).toBe(ageEnd(list.cells[firstRow(list.cells)] ?? [], columns));
		for (let at = 0; at < texts.length; at++) {
			await app.press('enter');
			const reader = await app.untilText(/\d %/);
			expect(reader.rows.filter(row => rule.test(row))).toHaveLength(2);
			for (const row of reader.rows.filter(text => rule.test(text)))
				expect(row).toHaveLength(columns);
			await app.press('q', 'down');
			await app.untilText('↵ read');
		}
	});
});

const firstRow = (cells: readonly (readonly string[])[]): number =>
	cells.findIndex(row => row.join('').includes('Claude '));

/** Column behind the age (`1 Nov`, `3 d`) at the right end of the list's part of a row. */
const ageEnd = (row: readonly string[], columns: number): number => {
	const gutter = columns >= 110 ? row.indexOf('│') : columns;
	for (let at = gutter - 1; at >= 0; at--) if (row[at]?.trim()) return at;
	return -1;
};
