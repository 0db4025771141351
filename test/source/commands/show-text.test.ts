import {describe, expect, it} from 'vitest';
import {eventLines} from '../../../source/commands/show-text.js';
import {eventView, toolView} from '../../helpers/views.js';

const lines = (part: Parameters<typeof eventView>[0], columns = 60, hasMeta = false) =>
	eventLines(eventView(part), {columns, hasMeta});

describe('an event as plain text', () => {
	it('has a heading with who and when, and its text', () => {
		expect(lines({role: 'user', text: 'why does it loop?'})).toEqual([
			'',
			'## You · 2026-11-01 10:00',
			'why does it loop?',
		]);
	});

	it('of a tool names the tool, what it was used on and how it went', () => {
		const tool = toolView({subject: 'npm test', exitCode: 1, isError: true});
		expect(lines({kind: 'tool_result', text: 'one failed', tool})[1]).toBe(
			'## Bash result npm test · 2026-11-01 10:00 · exit 1',
		);
	});

	it('says what is no longer part of the conversation', () => {
		expect(lines({text: 'x', state: 'undone'})[1]).toContain('undone');
		expect(lines({text: 'x', state: 'gone'})[1]).toContain('gone');
	});

	it('says that there is more', () => {
		expect(lines({text: 'x', truncated: true, fullLength: 12_345}).at(-1)).toBe(
			'[cut: 12,345 characters in all]',
		);
	});

	it('leaves out what nobody typed, unless it was asked for', () => {
		expect(lines({kind: 'meta', text: 'environment'})).toEqual([]);
		expect(lines({kind: 'meta', text: 'environment'}, 60, true)).toContain('environment');
	});

	it('holds no control byte and no line that is too wide', () => {
		const text = `clear \u001b[2J\u001b]0;owned\u0007 ${'wide 日本語 '.repeat(20)}`;
		const tool = toolView({name: 'Ba\u001b[2Jsh', subject: 'a\u0007\nb'.repeat(30)});
		for (const line of lines({kind: 'tool_use', text, tool}, 40)) {
			expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
			expect(line.length).toBeLessThanOrEqual(40);
		}
	});
});
