import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {exportFileName} from '../../../source/export/file-name.js';
import {sessionView} from '../../helpers/views.js';

const nameOf = (part: Parameters<typeof sessionView>[0], extension?: string) =>
	exportFileName(sessionView(part), extension);

describe('the name of an exported file', () => {
	test('says day, agent, project, title and the beginning of the id', () => {
		expect(nameOf({})).toBe('2026-11-01-claude-code-api-server-fix-token-refresh-5e6b8d69.md');
		expect(nameOf({}, 'json')).toMatch(/-5e6b8d69\.json$/);
	});

	test('keeps letters of every script and drops what file systems mind', () => {
		expect(nameOf({project: 'my app', title: 'a/b: "c"\x1b[2J <d>|e?*\\..'})).toBe(
			'2026-11-01-claude-code-my-app-a-b-c-d-e-5e6b8d69.md',
		);
		expect(nameOf({title: '修复登录 Überprüfung'})).toContain('-修复登录-überprüfung-');
	});

	test('does without what is not known', () => {
		expect(nameOf({createdAtMs: null, updatedAtMs: null, project: null, title: '🎉'})).toBe(
			'undated-claude-code-5e6b8d69.md',
		);
	});

	test('names a sub-agent by its own id', () => {
		expect(nameOf({id: '5e6b8d69-83cf/agent-0'})).toMatch(/-agent-0\.md$/);
	});

	test('is cut between characters', () => {
		const name = nameOf({title: '한국어'.repeat(40)});
		expect(name).toMatch(/국|어|한/);
		expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(120);
		expect(name).not.toContain('\ufffd');
	});

	test('is safe and short whatever the store holds', () => {
		const text = fc.string({unit: 'binary', maxLength: 300});
		fc.assert(
			fc.property(text, text, text, (title, project, id) => {
				const name = nameOf({title, project, id});
				expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(120);
				expect(name).toMatch(/^2026-11-01-claude-code[\p{L}\p{N}\p{M}-]*\.md$/u);
			}),
		);
	});
});
