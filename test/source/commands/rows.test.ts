import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {lineBelow, type RowOptions, sessionRows, shortIds} from '../../../source/commands/rows.js';
import {createTheme} from '../../../source/terminal/theme.js';
import {widthOf} from '../../../source/terminal/width.js';
import {sessionView} from '../../helpers/views.js';

const nowMs = Date.UTC(2026, 10, 3, 12, 0, 0);
const options = (columns: number, change: Partial<RowOptions> = {}): RowOptions => ({
	columns,
	nowMs,
	symbol: createTheme({name: 'default', isColour: false, isUnicode: true}).symbol,
	agentLabel: () => 'Claude',
	isDirectoryMissing: () => false,
	...change,
});
const row = (session: Parameters<typeof sessionView>[0], columns = 80, change = {}) =>
	sessionRows([sessionView(session)], options(columns, change))[0] ?? '';

describe('a row of the list', () => {
	it('has agent, title, project, messages and age', () => {
		expect(row({messages: 84})).toMatch(/^Claude {3}Fix token refresh +api-server +84 +2 d$/);
	});

	it('drops the project where there is no room, and shows part of the id where there is much', () => {
		expect(row({}, 50)).not.toContain('api-server');
		expect(row({}, 100)).toContain('5e6b8d69');
		expect(row({}, 99)).not.toContain('5e6b8d69');
	});

	it('says what is special about a session', () => {
		const special = {children: 12, sourceState: 'deleted', isRunning: true, starred: true} as const;
		expect(row(special, 80, {isDirectoryMissing: () => true})).toContain('⋯12 ✗ ⚠ ● ★');
	});

	it('is one clean line, whatever the title holds', () => {
		const line = row({title: 'red\u001b[31m alert\u0007\nsecond\tline\u202e'});
		expect(line).toContain('red alert second line');
		expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
	});

	it('is never wider than asked for', () => {
		const text = fc.string({unit: 'grapheme', maxLength: 60});
		fc.assert(
			fc.property(text, text, fc.integer({min: 40, max: 160}), (title, project, columns) => {
				expect(widthOf(row({title, project, children: 3}, columns))).toBeLessThanOrEqual(columns);
				expect(widthOf(lineBelow(title, columns))).toBeLessThanOrEqual(columns);
			}),
		);
	});
});

describe('short ids', () => {
	it('are as long as it takes to tell them apart, and no shorter than eight', () => {
		expect(shortIds(['aaaaaaaa-1', 'bbbbbbbb-1', 'bbbbbbbb-2'])).toEqual([
			'aaaaaaaa',
			'bbbbbbbb-1',
			'bbbbbbbb-2',
		]);
	});

	it('of a sub-agent are its own, whole', () => {
		expect(shortIds(['5e6b8d69-83cf/aeac865ee905e6f23'])).toEqual(['aeac865ee905e6f23']);
	});

	it('name one session each', () => {
		const ids = fc.uniqueArray(
			fc.string({unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 14}),
		);
		fc.assert(
			fc.property(ids, list => {
				const short = shortIds(list);
				expect(new Set(short).size).toBe(list.length);
				for (const [index, id] of list.entries())
					expect(id.startsWith(short[index] ?? '?')).toBe(true);
			}),
		);
	});
});
