import fc from 'fast-check';
import {marked} from 'marked';
import {describe, expect, test} from 'vitest';
import {closed, codeSpan, fenced} from '../../../source/export/fences.js';
import {exportMarkdown, type MarkdownOptions} from '../../../source/export/markdown.js';
import type {EventView, SessionView} from '../../../store/types.js';
import {eventView, sessionView, toolView} from '../../helpers/views.js';

const full: MarkdownOptions = {tools: 'full', hasReasoning: false};

const exported = (
	events: readonly EventView[],
	options: Partial<MarkdownOptions> = {},
	session: Partial<SessionView> = {},
) => exportMarkdown({session: sessionView(session), events}, {...full, ...options});

const prompt = (text: string) => eventView({role: 'user', input: 'typed', text});
const reply = (text: string) => eventView({text});
const call = (text: string, subject = 'make') =>
	eventView({kind: 'tool_use', text, tool: toolView({subject})});
const output = (text: string) => eventView({kind: 'tool_result', text, tool: toolView()});

/** Contents of the fenced blocks, by the rules of CommonMark. */
const blocks = (markdown: string): readonly string[] => {
	const found: string[] = [];
	let fence: string | undefined;
	let lines: string[] = [];
	for (const line of markdown.split('\n')) {
		if (fence !== undefined && line.startsWith(fence) && !line.slice(fence.length).trim()) {
			found.push(lines.join('\n'));
			fence = undefined;
		} else if (fence !== undefined) lines.push(line);
		else {
			fence = /^ {0,3}(`{3,}|~{3,})[^`]*$/.exec(line)?.[1];
			lines = [];
		}
	}
	return found;
};

const headings = (markdown: string): readonly string[] =>
	marked
		.lexer(markdown)
		.flatMap(token => (token.type === 'heading' ? [token['text'] as string] : []));

describe('the head', () => {
	test('says what a reader of the file wants to know', () => {
		expect(exported([], {version: '0.1.0'})).toBe(
			[
				'# Fix token refresh',
				'',
				'- Agent: claude-code 2.1.332',
				'- Project: api-server · `/w/api-server`',
				'- Branch: main',
				'- Model: model-1',
				'- Time: 2026-11-01 10:00 – 2026-11-01 11:41',
				'- Messages: 5 (2 prompts, 3 replies), 4 tool calls',
				'- Session: `claude-code:5e6b8d69-83cf-4226-8736-e7cf98789b04`',
				'- Exported by: backscroll 0.1.0',
				'',
			].join('\n'),
		);
	});

	test('names what the session continues, unless it is in the file', () => {
		const session = sessionView({
			parent: {
				ref: 'claude-code:p1',
				relation: 'fork',
				certainty: 'exact',
				event: null,
				isKnown: true,
			},
		});
		expect(exportMarkdown({session, events: []}, full)).toContain(
			'- Continues: `claude-code:p1`\n',
		);
		expect(exportMarkdown({session, events: [], parentRef: null}, full)).not.toContain('p1');
	});
});

describe('messages', () => {
	test('are left as they were written, each turn under its heading', () => {
		const text = exported([
			prompt('fix *this*\n\n- a'),
			reply('# Done\n\n```js\nlet x;\n```'),
			reply('and more'),
			prompt('thanks'),
		]);
		expect(text).toContain('\n\n## Prompt 1 · 2026-11-01 10:00\n\nfix *this*\n\n- a\n\n### Answer');
		expect(text).toContain('\n\n# Done\n\n```js\nlet x;\n```\n\nand more\n\n## Prompt 2');
		expect(text.match(/### Answer/g)).toHaveLength(1);
	});

	test('what they leave open ends with them', () => {
		for (const open of [
			'```js\nlet x',
			'~~~~\n```\nx',
			'   ````\nx',
			'<!-- note',
			'<pre>\nx',
			'<script>',
		])
			expect(headings(exported([prompt(open), reply(open), prompt('next')]))).toContain(
				'Prompt 2 · 2026-11-01 10:00',
			);
	});

	test('undone and copied ones stay out, and the head says how many were undone', () => {
		const text = exported([
			prompt('good'),
			{...prompt('bad'), state: 'undone'},
			{...prompt('old'), state: 'copied'},
			{...reply('kept'), state: 'gone'},
		]);
		expect(text).toContain('- Left out: 1 step that had been undone');
		expect(text).not.toMatch(/bad|old/);
		expect(text).toContain('kept');
	});

	test('meta stays out, but the task of a sub-agent opens its transcript', () => {
		const meta = eventView({kind: 'meta', text: 'find the readers'});
		expect(exported([meta])).not.toContain('find the readers');
		expect(exported([meta], {}, {kind: 'subagent'})).toContain(
			'## Task · 2026-11-01 10:00\n\nfind',
		);
	});

	test('reasoning only where it is wanted, as a quotation that nothing leaves', () => {
		const thought = eventView({kind: 'reasoning', text: 'hm\n\n```\nopen'});
		expect(exported([thought])).not.toContain('hm');
		expect(exported([thought, reply('done')], {hasReasoning: true})).toContain(
			'> **Thinking**\n>\n> hm\n>\n> ```\n> open\n\ndone',
		);
	});

	test('no control byte gets through', () => {
		const text = exported(
			[reply('done \x1b[?1049h\x07\0\u202e')],
			{},
			{title: 'a\x1b]0;x\x07', cwd: '/w\x1b[2J', projectDir: null},
		);
		expect(text).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
	});
});

describe('tools', () => {
	test('none, a line, or everything', () => {
		const events = [
			prompt('go'),
			call('{"command":"make"}'),
			eventView({
				kind: 'tool_result',
				text: 'boom',
				tool: toolView({subject: 'make', exitCode: 2}),
			}),
			call('{"command":"ls"}', 'ls `x`'),
			reply('done'),
		];
		expect(exported(events, {tools: 'none'})).not.toMatch(/make|boom/);
		expect(exported(events, {tools: 'short'})).toContain(
			[
				'* Tool `Bash` `make`',
				'* Output of `Bash` `make` — exit 2',
				'* Tool `Bash` `` ls `x` ``',
				'',
				'done',
			].join('\n'),
		);
		expect(blocks(exported(events))).toEqual(['{"command":"make"}', 'boom', '{"command":"ls"}']);
	});

	test('full takes the whole text from the caller', () => {
		const event = {...output('begin'), truncated: true};
		const text = exportMarkdown(
			{session: sessionView(), events: [event], textOf: () => 'begin and end'},
			full,
		);
		expect(blocks(text)).toEqual(['begin and end']);
	});

	test.each([
		'```js\nlet a = 1;\n```',
		'````\n```\ninner\n```\n````',
		'~~~~\ntilde block\n~~~~',
		'```\nnever closed',
		'line one\n\n\n\nline two',
		'# not a heading\n</details>\n-->\n| a | b |',
		'```\n~~~\n```\n~~~\n   ```',
		'    indented\n\ttab\n\n\n~~~~~~\nend',
		'\n\nblank lines around\n\n',
	])('output %j comes back from one block, and what follows stands outside', text => {
		const markdown = exported([call(''), output(text), reply('after')]);
		expect(markdown).toContain(`\n${text}\n`);
		expect(blocks(markdown)).toEqual([text]);
		expect(markdown.trimEnd().split('\n').at(-1)).toBe('after');
		expect(marked.lexer(markdown).at(-1)).toMatchObject({type: 'paragraph', text: 'after'});
	});

	test('an edit is a diff, and an empty output is said to be none', () => {
		const edit = eventView({
			kind: 'tool_use',
			text: '{}',
			tool: toolView({name: 'Edit', patch: '@@ -1 +1 @@\n-a\n+b'}),
		});
		const text = exported([edit, output('')]);
		expect(text).toContain('```diff\n@@ -1 +1 @@\n-a\n+b\n```');
		expect(text).toContain('Output: none');
	});
});

test('secrets are masked before fences are made, in every text', () => {
	const mask = (text: string) => text.replaceAll('hush', '`````');
	const text = exportMarkdown(
		{
			session: sessionView({title: 'hush'}),
			events: [prompt('hush'), call('hush', 'hush'), output('hush')],
			mask,
		},
		full,
	);
	expect(text).not.toContain('hush');
	// The prompt became an open fence and was closed.
	expect(blocks(text)).toEqual(['', '`````', '`````']);
});

describe('fences', () => {
	const pieces = fc.constantFrom(
		'`',
		'```',
		'````',
		'~',
		'~~~',
		'\n',
		'\n\n',
		' ',
		'   ',
		'js',
		'x',
		'> ',
		'- ',
		'<!--',
		'-->',
		'<pre>',
		'</pre>',
	);
	const texts = fc.array(pieces, {maxLength: 20}).map(parts => parts.join(''));

	test('any text comes back from its block', () => {
		fc.assert(
			fc.property(texts, text => {
				const lines = fenced(text, 'md').split('\n');
				expect(lines.slice(1, -1).join('\n')).toBe(text);
				const [token, ...others] = marked.lexer(`${fenced(text)}\n\nafter`);
				expect(token).toMatchObject({type: 'code'});
				expect(others.filter(({type}) => type !== 'space')).toMatchObject([
					{type: 'paragraph', text: 'after'},
				]);
			}),
			{numRuns: 500},
		);
	});

	test('any message is closed, and only closed', () => {
		fc.assert(
			fc.property(texts, text => {
				// CommonMark lets a comment begin right behind such a line; marked, which judges here, does not.
				fc.pre(!/^ {0,3}<\/(?:pre|script|style|textarea)>/im.test(text));
				const whole = closed(text);
				expect(whole.startsWith(text)).toBe(true);
				expect(closed(whole)).toBe(whole);
				const rest = marked.lexer(`${whole}\n\n## after`).at(-1);
				expect(rest).toMatchObject({type: 'heading', text: 'after'});
			}),
			{numRuns: 500},
		);
	});

	test('inline code holds any line', () => {
		expect(codeSpan('a')).toBe('`a`');
		expect(codeSpan('a`b')).toBe('``a`b``');
		expect(codeSpan('`a`')).toBe('`` `a` ``');
	});
});
