import '../../helpers/libraries.js';
import {describe, expect, test} from 'vitest';
import {
	headline,
	isVisible,
	type LayoutOptions,
	layoutEvent,
} from '../../../source/transcript/layout.js';
import type {EventView} from '../../../store/types.js';
import {rowText, screenText, textIn} from '../../helpers/rows.js';
import {eventView, toolView} from '../../helpers/views.js';

const options: LayoutOptions = {
	columns: 60,
	tools: 'short',
	hasReasoning: false,
	hasMeta: false,
	fold: 'folded',
	previousKind: null,
};

const rows = (event: EventView, part: Partial<LayoutOptions> = {}) =>
	layoutEvent(event, {...options, ...part});
const shown = (event: EventView, part: Partial<LayoutOptions> = {}) =>
	screenText(rows(event, part));

const prompt = (text: string, part: Partial<EventView> = {}) =>
	eventView({role: 'user', text, input: 'typed', ...part});

describe('messages', () => {
	test('a prompt stands as it was typed, marked and in its own style', () => {
		const lines = rows(prompt('why **this**?\n  at x.ts:1'));
		expect(screenText(lines)).toBe('❯ why **this**?\n    at x.ts:1');
		expect(textIn(lines, 'promptMark')).toBe('❯ ');
	});

	test('a long prompt wraps under itself', () => {
		expect(shown(prompt('one two three four'), {columns: 12})).toBe('❯ one two\n  three four');
	});

	test('an image of a prompt is seen as a thing of its own', () => {
		const lines = rows(prompt('see [image png, 150 KB] there [not one]'));
		expect(textIn(lines, 'badge')).toBe('[image png, 150 KB]');
	});

	test('a command that never reached the model is dim, a script is named', () => {
		expect(textIn(rows(prompt('/clear', {input: 'local'})), 'dim')).toBe('/clear');
		expect(shown(prompt('go', {input: 'headless'}))).toBe('❯ (by a script) go');
	});

	test('a reply has a gutter down to its last row', () => {
		expect(shown(eventView({text: 'one\n\ntwo'}))).toBe('│ one\n│\n│ two');
	});

	test('a text that the store had to shorten says so, with the true length', () => {
		const event = eventView({text: 'beginning', truncated: true, fullLength: 1_234_567});
		expect(shown(event)).toContain('the whole has 1,234,567 characters');
		expect(shown(event, {fold: 'whole', fullText: 'all of it'})).toBe('│ all of it');
	});

	test('escape sequences do nothing and show nothing', () => {
		expect(shown(eventView({text: 'done \x1b[?1049h really\x1b]52;c;QUJD\x07'}))).toBe(
			'│ done  really',
		);
	});
});

describe('what became of an event', () => {
	test('undone ones are named and step back, gone ones are named, copies are not shown', () => {
		const undone = rows(prompt('wrong way', {state: 'undone'}));
		expect(screenText(undone)).toBe('❯ (undone) wrong way');
		expect(textIn(undone, 'prompt')).toBe('');
		expect(shown(eventView({text: 'kept', state: 'gone'}))).toBe(
			"│ (no longer in the agent's file)\n│ kept",
		);
		expect(rows(eventView({text: 'copy', state: 'copied'}))).toEqual([]);
	});
});

describe('reasoning, summaries, meta', () => {
	const thought = eventView({kind: 'reasoning', text: 'first\nsecond'});

	test('reasoning is one line until it is wanted', () => {
		expect(shown(thought)).toBe('│ thinking · 2 lines');
		expect(shown(thought, {hasReasoning: true})).toBe('│ first\n│ second');
		expect(shown(thought, {fold: 'open'})).toBe('│ first\n│ second');
	});

	test('a summary is a rule until it is opened', () => {
		const summary = eventView({kind: 'summary', text: 'so far:\n- a'});
		expect(shown(summary)).toMatch(/^── ▸ compacted · 2 lines ─+$/);
		expect(shown(summary, {fold: 'open'})).toMatch(/─\n│ so far:\n│ • a$/);
	});

	test('meta is hidden unless wanted, but the task of a sub-agent is what its transcript opens with', () => {
		const meta = eventView({kind: 'meta', text: 'Find the readers\nof the cookie'});
		expect(rows(meta)).toEqual([]);
		expect(shown(meta, {hasMeta: true})).toMatch(
			/^▸ meta {2}Find the readers of the cookie +2 lines$/,
		);
		expect(shown(meta, {isTask: true})).toBe('❯ Find the readers\n  of the cookie');
	});
});

describe('tool calls', () => {
	const call = eventView({
		kind: 'tool_use',
		text: '{"command":"npm test -- auth"}',
		tool: toolView({subject: 'npm test -- auth'}),
	});
	const failed = eventView({
		kind: 'tool_result',
		text: 'one\ntwo\n',
		tool: toolView({exitCode: 1, durationMs: 3240, isError: true}),
	});

	test('a call is one line with what is known of its result, the failure in words', () => {
		const lines = rows(call, {result: failed});
		expect(screenText(lines)).toMatch(/^▸ Bash {2}npm test -- auth {2,}2 lines · 3\.2 s · exit 1$/);
		expect(textIn(lines, 'warning')).toBe('exit 1');
		expect(rowText(lines[0] ?? [])).toHaveLength(60);
	});

	test('success is not news, an error without a code is', () => {
		const fine = eventView({kind: 'tool_result', text: '', tool: toolView({exitCode: 0})});
		expect(shown(call, {result: fine})).toMatch(/no output$/);
		const error = eventView({kind: 'tool_result', text: 'x', tool: toolView({isError: true})});
		expect(shown(call, {result: error})).toMatch(/1 line · failed$/);
	});

	test('on a narrow screen the outcome stays longest', () => {
		expect(shown(call, {result: failed, columns: 28})).toBe('▸ Bash  npm…  3.2 s · exit 1');
		expect(shown(call, {result: failed, columns: 20})).toBe('▸ Bash  npm…  exit 1');
		expect(shown(call, {result: failed, columns: 12})).toBe('▸ Bash  npm…');
	});

	test('opened it shows output, and the command only where the line could not', () => {
		expect(shown(call, {result: failed, fold: 'open'})).toMatch(/^▾ Bash.*\n {4}one\n {4}two$/);
		const script = eventView({
			kind: 'tool_use',
			text: 'cd x &&\nmake',
			tool: toolView({subject: 'cd x && make'}),
		});
		expect(shown(script, {result: failed, fold: 'open'})).toMatch(
			/\n {4}\$ cd x &&\n {6}make\n\n {4}one\n/,
		);
	});

	test('opened once more it shows the whole output', () => {
		const cut = eventView({...failed, truncated: true, fullLength: 9000});
		expect(shown(call, {result: cut, fold: 'open'})).toContain('9,000 characters');
		const whole = shown(call, {result: cut, fold: 'whole', fullResultText: 'every line'});
		expect(whole).toContain('every line');
		expect(whole).not.toContain('shortened');
	});

	test('an input of several values reads as such', () => {
		const grep = eventView({
			kind: 'tool_use',
			text: JSON.stringify({pattern: 'x', path: 'src', head: {limit: 3}}),
			tool: toolView({name: 'Grep', subject: 'x'}),
		});
		expect(shown(grep, {fold: 'open'})).toMatch(
			/pattern: x\n {4}path: src\n {4}head: \{"limit":3\}$/,
		);
	});

	test('an edit shows its size, and opened its diff with the numbers of the new file', () => {
		const edit = eventView({
			kind: 'tool_use',
			text: '{"file_path":"src/a.ts"}',
			tool: toolView({
				name: 'Edit',
				subject: 'src/a.ts',
				patch:
					'--- a/src/a.ts\n+++ b/src/a.ts\n@@ -41,3 +41,4 @@\n one\n-two\n+TWO\n+more\n three\n',
			}),
		});
		expect(shown(edit)).toMatch(/^▸ Edit {2}src\/a\.ts +\+2 −1$/);
		expect(shown(edit, {fold: 'open'}).split('\n').slice(1)).toEqual([
			'    41    one',
			'    42  − two',
			'    42  + TWO',
			'    43  + more',
			'    44    three',
		]);
	});

	test('a to-do list is a check list, also when the store cut its text', () => {
		const todo = eventView({
			kind: 'tool_use',
			text: '{"todos":[{"content":"read","status":"completed"},{"content":"write","status":"in_progress"},{"content":"te',
			truncated: true,
			tool: toolView({name: 'TodoWrite'}),
		});
		expect(shown(todo, {fold: 'open'})).toContain('    ✓ read\n    ▸ write\n    (shortened');
	});

	test.each([
		['marked lines', 'Because.\n[x] one\n[>] two\n[ ] three', 'Because.\n    '],
		[
			'JSON',
			JSON.stringify({
				plan: [
					{step: 'one', status: 'completed'},
					{step: 'two', status: 'in_progress'},
					{step: 'three', status: 'pending'},
				],
			}),
			'',
		],
		[
			'JSON behind a name',
			'todos: [{"content":"one","status":"completed"},{"content":"two","status":"in_progress"},{"content":"three","status":"pending"}]',
			'',
		],
		[
			'a list of fields',
			'todos:\n  - content: one\n    status: completed\n    activeForm: x\n  - content: two\n    status: in_progress\n  - content: three\n    status: pending',
			'',
		],
	])('a plan is read from %s', (_, text, lead) => {
		const plan = eventView({
			kind: 'tool_use',
			text,
			tool: toolView({name: 'update_plan', subject: 'two'}),
		});
		expect(shown(plan)).toMatch(/^▸ update_plan +1 of 3 done$/);
		expect(shown(plan, {fold: 'open'})).toMatch(/\n {4}✓ one\n {4}▸ two\n {4}○ three$/);
		expect(shown(plan, {fold: 'open', isUnicode: false})).toContain(
			`    ${lead}[x] one\n    [>] two\n    [ ] three`,
		);
		const other = eventView({
			kind: 'tool_use',
			text,
			tool: toolView({name: 'Bash', subject: 'two'}),
		});
		expect(shown(other)).toBe('▸ Bash  two');
	});

	test('a sub-agent is offered with its key', () => {
		const agent = eventView({
			kind: 'tool_use',
			tool: toolView({name: 'Agent', subject: 'find all readers', child: 'claude-code:s1/a1'}),
		});
		expect(shown(agent)).toMatch(/^▸ Agent {2}"find all readers" +sub-agent · c opens$/);
		const result = {...failed, tool: toolView({child: 'claude-code:s1/a1'})};
		expect(shown(call, {result})).toMatch(/"npm test -- auth" +sub-agent · c opens$/);
	});

	test('a result stands alone only while its call is not in sight', () => {
		expect(shown(failed)).toMatch(/^▸ Bash +2 lines · 3\.2 s · exit 1$/);
		expect(rows(failed, {isPaired: true})).toEqual([]);
	});

	test('tools are hidden or all opened by one switch', () => {
		expect(rows(call, {tools: 'none'})).toEqual([]);
		expect(shown(call, {tools: 'full', result: failed})).toContain('    two');
		expect(isVisible(call, {tools: 'none', hasMeta: true})).toBe(false);
	});
});

describe('what stands between events', () => {
	test('messages stand apart, calls follow each other', () => {
		const call = eventView({kind: 'tool_use', text: 'x', tool: toolView()});
		expect(rows(call, {previousKind: 'tool_use'})).toHaveLength(1);
		expect(rows(call, {previousKind: 'message'})).toHaveLength(2);
		expect(rows(eventView({text: 'x'}), {previousKind: undefined})).toHaveLength(2);
	});

	test('a pause is named', () => {
		const atMs = Date.UTC(2026, 10, 1, 10, 0);
		const later = rows(prompt('on', {atMs}), {previousAtMs: atMs - 38 * 60_000});
		expect(screenText(later)).toMatch(/^\n── 38 min later ─+\n\n❯ on$/);
	});
});

test('without Unicode every mark is ASCII', () => {
	const text = shown(eventView({text: '- a\n- [x] b\n\n---'}), {isUnicode: false});
	expect(text).toMatch(/^[\n -~]*$/);
});

test('a headline is one line without markup of the store', () => {
	expect(headline(prompt('a\n\tb \x1b[31mc'))).toBe('a b c');
	expect(
		headline(eventView({kind: 'tool_use', text: '{"command":"ls\\n-l"}', tool: toolView()})),
	).toBe('Bash ls -l');
});
