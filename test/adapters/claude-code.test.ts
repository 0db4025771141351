/** What the fixture home cannot show: roots, changing side files, hostile references, limits, and text rules one by one. */
import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {claudeCode} from '../../adapters/claude-code/index.js';
import {recordOfHead} from '../../adapters/claude-code/long-lines.js';
import {callPatch, structuredPatch} from '../../adapters/claude-code/patch.js';
import {readPrompt} from '../../adapters/claude-code/prompts.js';
import type {ResumeRequest, Source} from '../../adapters/types.js';
import {
	discoverAll,
	emptyHome,
	type Folded,
	foldBatches,
	readBatches,
	readFolded,
	removeHome,
	surroundingsOf,
} from '../helpers/fixtures.js';

const ID = '0b0c0001-1111-4aaa-8bbb-000000000001';
const OTHER = '0b0c0002-1111-4aaa-8bbb-000000000002';

let home: string;
beforeEach(() => {
	home = emptyHome();
});
afterEach(() => removeHome(home));

const put = (path: string, content: string): string => {
	const whole = join(home, path);
	mkdirSync(dirname(whole), {recursive: true});
	writeFileSync(whole, content);
	return whole;
};

const project = (path: string): string => `.claude/projects/-home-ada-shed/${path}`;
const lines = (...records: readonly unknown[]): string =>
	records.map(record => `${JSON.stringify(record)}\n`).join('');

const user = (uuid: string, content: unknown, more: Record<string, unknown> = {}) => ({
	type: 'user',
	uuid,
	parentUuid: null,
	sessionId: ID,
	timestamp: '2026-02-01T10:00:00.000Z',
	cwd: '/home/ada/shed',
	message: {role: 'user', content},
	...more,
});

const sources = (): readonly Source[] => discoverAll(claudeCode, surroundingsOf(home)).sources;
const onlySource = (): Source => {
	const [source, ...others] = sources();
	if (source === undefined || others.length > 0) throw new Error('one source expected');
	return source;
};
const readOnly = (): Folded => readFolded(claudeCode, onlySource());

describe('roots', () => {
	const paths = (env: Record<string, string>): readonly string[] =>
		claudeCode.roots(surroundingsOf('/home/x', env)).map(root => root.path);

	test('are the usual folder and the older one under the config folder', () => {
		expect(paths({})).toEqual(['/home/x/.claude', '/home/x/.config/claude']);
		expect(paths({XDG_CONFIG_HOME: '/cfg'})).toEqual(['/home/x/.claude', '/cfg/claude']);
		expect(paths({XDG_CONFIG_HOME: 'relative'})).toEqual(paths({}));
		expect(paths({CLAUDE_CONFIG_DIR: ''})).toEqual(paths({}));
	});

	test('are those of CLAUDE_CONFIG_DIR when it is set, several with commas', () => {
		expect(paths({CLAUDE_CONFIG_DIR: '/a, ~/b,/a/,'})).toEqual(['/a', '/home/x/b']);
	});

	test('tell what a resume has to set', () => {
		const roots = claudeCode.roots({
			...surroundingsOf('/home/x', {CLAUDE_CONFIG_DIR: '/home/x/.claude,/a'}),
			extraRoots: [{path: '/copy', label: 'laptop'}, {path: '/a'}],
		});
		expect(roots).toEqual([
			{path: '/home/x/.claude', from: 'environment', resumeEnv: {}},
			{path: '/a', from: 'environment', resumeEnv: {CLAUDE_CONFIG_DIR: '/a'}},
			{
				path: '/copy',
				from: 'config',
				label: 'laptop',
				resumeEnv: {CLAUDE_CONFIG_DIR: '/copy'},
			},
		]);
	});
});

describe('resume', () => {
	const request = (change: Partial<ResumeRequest>): ResumeRequest => ({
		id: ID,
		cwd: '/home/ada/shed',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/x',
		resumeEnv: {},
		hint: {},
		...change,
	});

	test('runs the full id in the recorded directory, and can fork', () => {
		expect(claudeCode.resume(request({resumeEnv: {CLAUDE_CONFIG_DIR: '/a'}}))).toEqual({
			argv: ['claude', '--resume', ID],
			cwd: '/home/ada/shed',
			env: {CLAUDE_CONFIG_DIR: '/a'},
			forkArgv: ['claude', '--resume', ID, '--fork-session'],
		});
	});

	test('refuses what is no session id', () => {
		for (const id of ['0b0c0001', '--help', `${ID} --x`, `${ID}\n`]) {
			expect(claudeCode.resume(request({id}))).toHaveProperty('reason');
		}
	});

	test('names the session at the root for a sub-agent', () => {
		const plan = claudeCode.resume(
			request({id: `${ID}/a1`, isSubagent: true, parentId: `${ID}/b2`}),
		);
		expect(plan).toHaveProperty('reason', expect.stringContaining(`claude --resume ${ID}`));
	});
});

describe('discovery', () => {
	test('refuses a transcript that is a link out of the root, and says so', () => {
		const outside = put('elsewhere.jsonl', lines(user('u1', 'secret')));
		mkdirSync(join(home, project('')), {recursive: true});
		symlinkSync(outside, join(home, project(`${ID}.jsonl`)));
		const found = discoverAll(claudeCode, surroundingsOf(home));
		expect(found.sources).toEqual([]);
		expect(found.problems.map(problem => problem.code)).toEqual(['linked-out']);
	});

	test('takes side files that appear later as a change', () => {
		put(project(`${ID}.jsonl`), lines(user('u1', 'hello')));
		expect(onlySource().files).toHaveLength(1);
		put(project(`${ID}/archived.json`), '{"archived":true}');
		put(project(`${ID}/custom-title.json`), '{"customTitle":"Shed"}');
		expect(onlySource().files).toHaveLength(3);
	});
});

describe('side files', () => {
	const write = (): void => {
		put(project(`${ID}.jsonl`), lines(user('u1', 'hello')));
	};
	/** Facts of a read that goes on from an earlier one, without a new line in the transcript. */
	const factsAfter = (change: () => void) => {
		const cursor = readBatches(claudeCode, onlySource()).at(-1)?.cursor;
		change();
		return foldBatches(readBatches(claudeCode, onlySource(), cursor)).facts;
	};

	test('reach the facts though the transcript did not grow', () => {
		write();
		const facts = factsAfter(() => {
			put(project(`${ID}/custom-title.json`), '{"customTitle":"Shed"}');
			put(project(`${ID}/archived.json`), '{"archived":true,"at":"2026-02-02T10:00:00.000Z"}');
		});
		expect(facts).toMatchObject({customTitle: 'Shed', archived: true, cwd: '/home/ada/shed'});
	});

	test('yield to a title in the transcript, and to a prompt after the archiving', () => {
		write();
		put(project(`${ID}/custom-title.json`), '{"customTitle":"Shed"}');
		put(project(`${ID}/archived.json`), '{"archived":true,"at":"2026-02-02T10:00:00.000Z"}');
		const facts = factsAfter(() =>
			put(
				project(`${ID}.jsonl`),
				lines(user('u1', 'hello'), user('u2', 'again', {timestamp: '2026-02-03T10:00:00.000Z'}), {
					type: 'custom-title',
					customTitle: 'Tool shed',
					sessionId: ID,
				}),
			),
		);
		expect(facts.customTitle).toBe('Tool shed');
		expect(facts.archived).toBeUndefined();
	});

	test('that are half written are a problem, and cost nothing else', () => {
		write();
		put(project(`${ID}/custom-title.json`), '{"customTitle":"Sh');
		const folded = readOnly();
		expect(folded.problems).toHaveLength(1);
		expect(folded.events.map(event => event.text)).toEqual(['hello']);
	});
});

describe('outputs moved to files', () => {
	const result = (reference: string) =>
		user('r1', [
			{
				type: 'tool_result',
				tool_use_id: 't1',
				content: `<persisted-output>\nOutput too large. Full output saved to: ${reference}\n\nPreview:\nbegin`,
			},
		]);

	test('are read from the own session folder only, wherever the record points', () => {
		put('.claude/projects/-home-ada-shed/secret.txt', 'not yours');
		put(project(`${OTHER}/tool-results/o.txt`), 'of another session');
		put(project(`${ID}.jsonl`), lines(result(`/x/${OTHER}/tool-results/o.txt`)));
		const [source] = sources();
		const folded = readFolded(claudeCode, source as Source);
		expect(folded.events[0]?.text).toContain('begin');
		expect(folded.problems.map(problem => problem.code)).toEqual(['missing-part']);
	});

	test('are not followed through a link', () => {
		const outside = put('secret.txt', 'not yours');
		mkdirSync(join(home, project(`${ID}/tool-results`)), {recursive: true});
		symlinkSync(outside, join(home, project(`${ID}/tool-results/o.txt`)));
		put(project(`${ID}.jsonl`), lines(result('/x/tool-results/o.txt')));
		expect(readOnly().events[0]?.text).not.toContain('not yours');
	});

	test('are cut at 256 KiB, with the length of the whole', () => {
		put(project(`${ID}/tool-results/o.txt`), 'x'.repeat(300_000));
		put(project(`${ID}.jsonl`), lines(result('C:\\x\\tool-results\\o.txt')));
		const [event] = readOnly().events;
		expect(event?.text).toHaveLength(262_144);
		expect(event?.fullLength).toBe(300_000);
	});
});

describe('rewinds', () => {
	const states = (...records: readonly unknown[]): readonly string[] => {
		put(project(`${ID}.jsonl`), lines(...records));
		return readOnly().events.map(event => `${event.key} ${event.state ?? 'live'}`);
	};
	const cut = (cutUuid: string, leafUuid: string) => ({type: 'last-prompt', leafUuid, cutUuid});

	test('of which the record is repeated do not take what came after', () => {
		expect(
			states(
				user('a', 'one'),
				user('b', 'two', {parentUuid: 'a'}),
				cut('a', 'a'),
				user('c', 'three', {parentUuid: 'x'}),
				cut('a', 'a'),
				user('d', 'four', {parentUuid: 'c'}),
				cut('a', 'd'),
			),
		).toEqual(['a live', 'b undone', 'c live', 'd live']);
	});

	test('are seen at the end of the file, before anything follows', () => {
		expect(states(user('a', 'one'), user('b', 'two', {parentUuid: 'a'}), cut('a', 'a'))).toEqual([
			'a live',
			'b undone',
		]);
	});

	test('behind a row that is not known change nothing', () => {
		expect(states(user('a', 'one'), user('b', 'two'), cut('x', 'x'))).toEqual(['a live', 'b live']);
	});

	test('are not seen in copies of a row, in local commands, or in roots', () => {
		expect(
			states(
				user('a', 'one'),
				user('b', 'two', {parentUuid: 'a'}),
				user('b', 'two', {parentUuid: 'a'}),
				user('c', '<command-name>/model</command-name>', {parentUuid: 'a'}),
				user('d', 'three'),
			),
		).toEqual(['a live', 'b live', 'c live', 'd live']);
	});
});

describe('records that are too long', () => {
	const head = (text: string) =>
		recordOfHead({kind: 'long', number: 1, offset: 0, length: 1, head: text});

	test('keep what stands before the oversized member', () => {
		const whole = {type: 'user', message: {content: [{text: 'a "b", {c}, [d\\'}]}, uuid: 'u1'};
		const text = `${JSON.stringify(whole).slice(0, -1)},"toolUseResult":{"stdout":"xxx`;
		expect(head(text)).toEqual(whole);
	});

	test('are given up when the talk itself is lost', () => {
		expect(head('{"type":"user","uuid":"u1","message":{"content":"xxx')).toBeUndefined();
		expect(head('no json')).toBeUndefined();
		expect(head('')).toBeUndefined();
	});

	test('cost nothing when nobody would see them', () => {
		expect(head('{"type":"api-request-blob","body":"xxx')).toEqual({type: 'api-request-blob'});
	});
});

describe('prompt texts', () => {
	test.each([
		['plain', 'plain'],
		['  kept as it is \n', '  kept as it is \n'],
		['<div> is a tag', '<div> is a tag'],
		['a < b and <b>c</b>', 'a < b and <b>c</b>'],
		['<ide_selection>x</ide_selection>\nfix this', 'fix this'],
		['fix <system-reminder>x</system-reminder>this', 'fix this'],
		['<pasted_content id="1f">\nbody\n</pasted_content id="1f">', 'body'],
		['see <system-reminder> never closed', 'see <system-reminder> never closed'],
	])('typed: %j', (text, shown) => {
		expect(readPrompt(text)).toEqual({kind: 'message', text: shown});
	});

	test.each([
		[
			'<command-name>/review</command-name>\n<command-args>a b</command-args>',
			'/review a b',
			'command',
		],
		['<command-message>x</command-message><command-name>init</command-name>', '/init', 'command'],
		['<command-name>/clear</command-name><command-args></command-args>', '/clear', 'local'],
		['<bash-input>ls -1</bash-input>', '! ls -1', 'command'],
	])('command: %j', (text, shown, input) => {
		expect(readPrompt(text)).toEqual({kind: 'message', text: shown, input});
	});

	test.each([
		'<system-reminder>x</system-reminder>',
		'<system-reminder>never closed',
		'<command-message>no name</command-message>',
		'<local-command-stdout>x</local-command-stdout>',
		'Caveat: The messages below were generated',
		'<task-notification>x',
		'<teammate-message from="x">',
		'<channel name="x">',
		'[Request interrupted by user for tool use]',
		'The garden plugin sent a message: x',
	])('nobody typed: %j', text => {
		expect(readPrompt(text)).toEqual({kind: 'meta', text});
	});

	test('hold no reminder, whatever stands around it', () => {
		fc.assert(
			fc.property(fc.string(), fc.string(), (before, after) => {
				const told = readPrompt(`${before}<system-reminder>hidden</system-reminder>${after}`);
				return told.kind !== 'message' || !told.text.includes('hidden');
			}),
		);
	});
});

describe('patches', () => {
	test('show what an edit replaces, with what stays around it', () => {
		const input = {old_string: 'a\nb\nc', new_string: 'a\nB\nB2\nc'};
		expect(callPatch('Edit', 'f.ts', input)).toBe(
			'--- f.ts\n+++ f.ts\n@@ -1,3 +1,4 @@\n a\n-b\n+B\n+B2\n c',
		);
		expect(callPatch('Edit', 'f.ts', {old_string: 'a', new_string: 'a'})).toBeUndefined();
		expect(callPatch('Bash', 'f.ts', {command: 'x'})).toBeUndefined();
	});

	test('have one hunk for each edit', () => {
		const edits = [
			{old_string: 'a', new_string: 'b'},
			{old_string: 'c', new_string: ''},
		];
		expect(callPatch('MultiEdit', 'f', {edits})).toBe(
			'--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\n+b\n@@ -1,1 +0,0 @@\n-c',
		);
	});

	test('give back both texts', () => {
		const line = fc.string({unit: fc.constantFrom('a', 'b', ' ', '-')});
		const text = fc.array(line, {minLength: 1, maxLength: 6}).map(list => `${list.join('\n')}\n`);
		fc.assert(
			fc.property(text, text, (before, after) => {
				const patch = callPatch('Edit', 'f', {old_string: before, new_string: after});
				if (patch === undefined) return before === after;
				const body = patch.split('\n').slice(3);
				const side = (sign: string) =>
					body
						.filter(row => row.startsWith(' ') || row.startsWith(sign))
						.map(row => `${row.slice(1)}\n`)
						.join('');
				return side('-') === before && side('+') === after;
			}),
		);
	});

	test('stay within 64 KiB and end with a whole line', () => {
		const rows = Array.from({length: 20_000}, (_, index) => `+line ${index}`);
		const patch = structuredPatch('f', [
			{oldStart: 0, oldLines: 0, newStart: 1, newLines: rows.length, lines: rows},
		]);
		expect(patch?.length).toBeLessThanOrEqual(65_536);
		expect(patch?.split('\n').at(-1)).toMatch(/^\+line \d+$/);
		expect(rows).toContain(patch?.split('\n').at(-1));
	});
});

test('the state in the cursor stays small however long the talk is', () => {
	const rows = Array.from({length: 6000}, (_, index) =>
		user(`00000000-0000-4000-8000-${String(index).padStart(12, '0')}`, `prompt ${index}`, {
			parentUuid: `00000000-0000-4000-8000-${String(index - 1).padStart(12, '0')}`,
			cwd: `/home/ada/${index}`,
		}),
	);
	put(project(`${ID}.jsonl`), lines(...rows));
	const batches = readBatches(claudeCode, onlySource());
	expect(batches.length).toBeGreaterThan(1);
	expect(foldBatches(batches).events).toHaveLength(6000);
	expect(JSON.stringify(batches.at(-1)?.cursor.state).length).toBeLessThan(250_000);
});

test('fields of any shape give events and problems, never an error', () => {
	const value = fc.jsonValue({maxDepth: 3});
	const block = fc.oneof(
		value,
		fc.record(
			{
				type: fc.constantFrom('text', 'image', 'thinking', 'tool_use', 'tool_result', 'toString'),
				text: value,
				thinking: value,
				source: value,
				id: value,
				name: fc.oneof(value, fc.constantFrom('Edit', 'MultiEdit', 'TodoWrite', 'constructor')),
				input: fc.oneof(
					value,
					fc.record({file_path: value, old_string: value, edits: value, todos: value}),
				),
				tool_use_id: value,
				content: value,
				is_error: value,
			},
			{requiredKeys: ['type']},
		),
	);
	const record = fc.record(
		{
			type: fc.oneof(
				value,
				fc.constantFrom('user', 'assistant', 'system', 'attachment', 'progress', 'summary'),
				fc.constantFrom('last-prompt', 'derived-from', 'worktree-state', 'tag', '__proto__'),
			),
			uuid: fc.oneof(value, fc.uuid()),
			message: fc.oneof(
				value,
				fc.record({
					content: fc.oneof(value, fc.array(block)),
					usage: value,
					id: value,
					model: value,
				}),
			),
			attachment: fc.oneof(value, fc.record({type: value, prompt: value, commandMode: value})),
			subtype: fc.oneof(value, fc.constantFrom('compact_boundary', 'local_command', 'api_error')),
			compactMetadata: value,
			content: value,
			error: value,
			rendered: fc.oneof(value, fc.array(fc.record({content: value}))),
			toolUseResult: fc.oneof(value, fc.record({filePath: value, structuredPatch: value})),
			timestamp: value,
			cwd: value,
			origin: value,
			forkedFrom: value,
			parentUuid: value,
			sessions: value,
			leafUuid: value,
			cutUuid: value,
			data: value,
			isMeta: value,
		},
		{requiredKeys: ['type']},
	);
	fc.assert(
		fc.property(fc.array(record, {maxLength: 6}), records => {
			put(project(`${ID}.jsonl`), lines(...records));
			for (const event of readOnly().events) {
				expect(event.text).toBeTypeOf('string');
				expect(event.key).not.toContain(':');
			}
		}),
		{numRuns: 300},
	);
});
