/** What the contract test cannot see: rules that hold between files, between reads, and for lines of odd sizes. */
import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {recordFromHead} from '../../adapters/codex/cut-record.js';
import {codex} from '../../adapters/codex/index.js';
import {repeatsPrompt} from '../../adapters/codex/names.js';
import {patchFacts} from '../../adapters/shared/apply-patch.js';
import {type ResumeRequest, type Source, SourceUnreadable} from '../../adapters/types.js';
import {
	discoverAll,
	emptyHome,
	type Folded,
	readBatches,
	readFolded,
	surroundingsOf,
} from '../helpers/fixtures.js';
import {zstdFrame} from '../helpers/zstd-frame.js';

const ID = '0199c0de-00aa-7000-8000-0000000000aa';
const OTHER_ID = '0199c0de-00bb-7000-8000-0000000000bb';
const FILE = `rollout-2026-10-05T09-00-00-${ID}.jsonl`;
const ACTIVE = `.codex/sessions/2026/10/05/${FILE}`;

let home: string;
beforeEach(() => {
	home = emptyHome();
});
afterEach(() => {
	rmSync(home, {recursive: true, force: true});
});

type Json = Record<string, unknown>;
type Role = 'user' | 'assistant';

const line = (type: string, payload: Json): string =>
	JSON.stringify({timestamp: '2026-10-05T09:00:00.000Z', type, payload});
const header = (more: Json = {}): string =>
	line('session_meta', {id: ID, cwd: '/home/ada/tidepool', source: 'cli', ...more});
const message = (role: Role, text: string, more: Json = {}): string =>
	line('response_item', {type: 'message', role, content: [{type: 'input_text', text}], ...more});

const put = (path: string, content: string | Buffer): void => {
	mkdirSync(dirname(join(home, path)), {recursive: true});
	writeFileSync(join(home, path), content);
};
const putLines = (...lines: readonly string[]): void => put(ACTIVE, `${lines.join('\n')}\n`);
const putNames = (...names: readonly (readonly [id: string, name: string])[]): void =>
	put(
		'.codex/session_index.jsonl',
		names.map(([id, name]) => `${JSON.stringify({id, thread_name: name})}\n`).join(''),
	);

const found = (env: Readonly<Record<string, string>> = {}) =>
	discoverAll(codex, surroundingsOf(home, env));
const onlySource = (): Source => {
	const {sources} = found();
	expect(sources).toHaveLength(1);
	return sources[0] as Source;
};
const readOnly = (): Folded => readFolded(codex, onlySource());
const textsOf = ({events}: Folded, kind = 'message'): readonly string[] =>
	events.filter(event => event.kind === kind).map(event => event.text);

describe('places', () => {
	test('CODEX_HOME replaces the default root and is needed for a resume', () => {
		const around = surroundingsOf('/home/someone', {CODEX_HOME: '/data/codex'});
		expect(codex.roots(around)).toEqual([
			{path: '/data/codex', from: 'environment', resumeEnv: {CODEX_HOME: '/data/codex'}},
		]);
	});

	test('further roots from the config follow the default one', () => {
		const extraRoots = [{path: '/mnt/laptop/.codex', label: 'laptop'}];
		expect(codex.roots({...surroundingsOf('/home/someone'), extraRoots})).toEqual([
			{path: '/home/someone/.codex', from: 'default', resumeEnv: {}},
			{
				path: '/mnt/laptop/.codex',
				from: 'config',
				label: 'laptop',
				resumeEnv: {CODEX_HOME: '/mnt/laptop/.codex'},
			},
		]);
	});

	test('plain before compressed, active before archived; a compressed double is left out', () => {
		put(`.codex/sessions/2026/10/05/${FILE}`, '');
		put(`.codex/sessions/2026/10/05/${FILE}.zst`, '');
		put(`.codex/sessions/2026/10/06/${FILE}.zst`, '');
		put(`.codex/archived_sessions/${FILE}`, '');
		const other = FILE.replace(ID, OTHER_ID);
		put(`.codex/archived_sessions/${other}.zst`, '');
		const places = found().sources.map(({path, preference, sessionId, outside}) => [
			path.slice(join(home, '.codex/').length),
			preference,
			sessionId,
			outside,
		]);
		expect(places).toEqual([
			[`archived_sessions/${FILE}`, 2, ID, {archived: true}],
			[`archived_sessions/${other}.zst`, 3, OTHER_ID, {archived: true}],
			[`sessions/2026/10/05/${FILE}`, 0, ID, undefined],
			[`sessions/2026/10/06/${FILE}.zst`, 1, ID, undefined],
		]);
	});

	test('in the folder of a day a rollout may have any name, elsewhere not', () => {
		put('.codex/sessions/2026/10/05/terns.jsonl', '');
		put('.codex/sessions/notes.jsonl', '');
		put('.codex/archived_sessions/terns.jsonl', '');
		expect(found().sources.map(({path}) => path)).toEqual([
			join(home, '.codex/sessions/2026/10/05/terns.jsonl'),
		]);
	});

	test('a compressed rollout gives the same events, keys and locators', () => {
		const content = `${[header(), message('user', 'where do terns go'), message('assistant', 'south')].join('\n')}\n`;
		put(ACTIVE, content);
		const plain = readOnly();
		rmSync(join(home, ACTIVE));
		put(`${ACTIVE}.zst`, zstdFrame(content));
		expect(readOnly()).toEqual(plain);
		expect(textsOf(plain)).toEqual(['where do terns go', 'south']);
	});

	test('a file that is gone is unreadable, an empty one no session', () => {
		put(ACTIVE, '');
		const source = onlySource();
		expect(readBatches(codex, source)).toEqual([]);
		rmSync(source.path);
		expect(() => readBatches(codex, source)).toThrow(SourceUnreadable);
	});
});

describe('names', () => {
	const titleOf = (): unknown => readOnly().facts.customTitle;

	test('a name that repeats a prompt is nobody’s choice', () => {
		putLines(header(), message('user', 'sort\n the  shells'), message('user', 'by size'));
		putNames([ID, 'by size']);
		expect(titleOf()).toBe(null);
		putNames([ID, 'Shells'], [ID, 'sort the shells']);
		expect(titleOf()).toBe(null);
		putNames([ID, 'sort the shells'], [OTHER_ID, 'Crabs'], [ID, 'Shells']);
		expect(titleOf()).toBe('Shells');
	});

	test('a new name in the index reaches a session that did not change', () => {
		putLines(header(), message('user', 'sort the shells'));
		const cursor = readBatches(codex, onlySource()).at(-1)?.cursor;
		putNames([ID, 'Shells']);
		const renamed = readBatches(codex, onlySource(), cursor);
		expect(renamed.map(batch => [batch.events, batch.facts.customTitle])).toEqual([[[], 'Shells']]);
		putNames([ID, 'sort the shells']);
		const again = readBatches(codex, onlySource(), renamed.at(-1)?.cursor);
		expect(again.at(-1)?.facts).toMatchObject({customTitle: null, cwd: '/home/ada/tidepool'});
	});

	test('an automatic name in the index does not hide the last one in the file', () => {
		const renamed = line('event_msg', {type: 'thread_name_updated', thread_name: 'Beach work'});
		putLines(header(), message('user', 'sort the shells'), renamed);
		putNames([ID, 'sort the shells']);
		expect(titleOf()).toBe('Beach work');
	});

	test.each([
		['Fix the tab case', 'Fix the tab case', true],
		['Fix', 'Fix the tab case', false],
		['Explain why the lexer splits at every…', 'Explain why the lexer splits at every tab', true],
		['Explain why the lexer splits at no tab', 'Explain why the lexer splits at every tab', false],
	])('%s, prompt: %s → %s', (name, prompt, expected) => {
		expect(repeatsPrompt(name, [prompt])).toBe(expected);
	});

	test('a damaged index is a problem and costs only its own line', () => {
		putLines(header(), message('user', 'sort the shells'));
		put('.codex/session_index.jsonl', `{"id":\n{"id":"${ID}","thread_name":"Shells"}\n`);
		expect(found().problems.map(problem => problem.code)).toEqual(['malformed-line']);
		expect(titleOf()).toBe('Shells');
	});
});

describe('prompts', () => {
	test.each([
		'<environment_context>\n<cwd>/x</cwd>',
		' \n<user_instructions>',
		'# AGENTS.md instructions for /x',
		'<turn_aborted>\n',
		'<codex_internal_context source="x">',
		'<context_window_note>',
		'Another language model started to solve this problem and produced a summary of it',
	])('not typed without marks: %s', text => {
		putLines(header(), message('user', text), message('user', 'a prompt'));
		const folded = readOnly();
		expect(textsOf(folded)).toEqual(['a prompt']);
		expect(textsOf(folded, 'meta')).toEqual([text]);
	});

	test('marks of the record weigh more than how a text begins', () => {
		const marks = (kind: string): Json => ({
			internal_chat_message_metadata_passthrough: {content_item_kinds: [kind]},
		});
		putLines(
			header(),
			message('user', '<skill> is a tag', marks('user.text')),
			message('user', 'looks typed', marks('generic.reminder')),
		);
		expect(textsOf(readOnly())).toEqual(['<skill> is a tag']);
	});

	test('a turn of `codex exec` is headless, the same session continued by hand is not', () => {
		const started = (turn_trigger: string): string =>
			line('event_msg', {type: 'task_started', turn_attribution: {turn_trigger}});
		putLines(
			header({source: 'exec'}),
			started('exec'),
			message('user', 'by a script'),
			started('user'),
			message('user', 'by hand'),
		);
		expect(readOnly().events.map(event => event.input)).toEqual(['headless', undefined]);
	});

	test('texts of events are not added to those of response items, also when read in parts', () => {
		const lines = [header(), message('user', 'once'), message('assistant', 'only')];
		const repeated = line('event_msg', {type: 'agent_message', message: 'only'});
		putLines(...lines);
		const cursor = readBatches(codex, onlySource()).at(-1)?.cursor;
		putLines(...lines, repeated);
		expect(readBatches(codex, onlySource(), cursor).flatMap(batch => batch.events)).toEqual([]);
	});
});

describe('undone turns', () => {
	test('what follows a rollback is live, in the same read and in a later one', () => {
		const lines = [
			header(),
			message('user', 'kept'),
			message('user', 'taken back'),
			line('event_msg', {type: 'thread_rolled_back', num_turns: 1}),
			message('user', 'instead'),
		];
		putLines(...lines);
		const states = (folded: Folded): unknown => folded.events.map(event => event.state ?? 'live');
		expect(states(readOnly())).toEqual(['live', 'undone', 'live']);
		putLines(...lines, line('event_msg', {type: 'thread_rolled_back', num_turns: 5}));
		expect(states(readOnly())).toEqual(['undone', 'undone', 'undone']);
	});
});

describe('forks', () => {
	test('a copied header changes neither id nor place, and its folder is none of the fork', () => {
		putLines(
			header({
				forked_from_id: OTHER_ID,
				cwd: '/home/ada/beta',
				git: {branch: 'mud', repository_url: 'git@host.example:tide/pool.git'},
			}),
			header({id: OTHER_ID, cwd: '/home/ada/alpha', git: {branch: 'sand'}, cli_version: '0.1.0'}),
			line('turn_context', {cwd: '/home/ada/alpha', model: 'old'}),
			line('turn_context', {cwd: '/home/ada/beta/sub', model: 'new'}),
			message('user', 'go on'),
		);
		const {sessionId, facts} = readOnly();
		expect(sessionId).toBe(ID);
		expect(facts).toMatchObject({
			cwd: '/home/ada/beta',
			branch: 'mud',
			// A moved repository is found again by it.
			resumeHint: {remote: 'git@host.example:tide/pool.git'},
			model: 'new',
			directories: ['/home/ada/beta/sub'],
			parent: {id: OTHER_ID, relation: 'fork', certainty: 'exact'},
		});
		expect(facts.agentVersion).toBeUndefined();
	});
});

describe('ids', () => {
	test('what the header states weighs more than the name of the file', () => {
		putLines(header({id: OTHER_ID}), message('user', 'go on'));
		expect(readOnly().sessionId).toBe(OTHER_ID);
	});

	test('the first header counts, also where the name of the file tells nothing', () => {
		const lines = [
			header(),
			header({id: OTHER_ID, cwd: '/home/ada/alpha'}),
			message('user', 'go on'),
		];
		put('.codex/sessions/rollout-old.jsonl', `${lines.join('\n')}\n`);
		const {sessionId, facts} = readOnly();
		expect([sessionId, facts.cwd]).toEqual([ID, '/home/ada/tidepool']);
	});
});

describe('tokens', () => {
	const count = (total: number, last?: number): string => {
		const usage = (output: number): Json => ({input_tokens: 10, output_tokens: output});
		const info = {
			total_token_usage: usage(total),
			...(last === undefined ? {} : {last_token_usage: usage(last)}),
		};
		return line('event_msg', {type: 'token_count', info});
	};
	const outputOf = (): number => readOnly().usage.reduce((sum, {output}) => sum + output, 0);

	test('a repeated count is the same request; without a last one the totals tell', () => {
		putLines(header(), message('user', 'x'), count(5, 5), count(5, 5), count(12), count(20, 8));
		expect(outputOf()).toBe(20);
	});

	test('records of requests are not counted again by the older lines, which keep what came before', () => {
		const record = line('token_usage_record', {
			response_id: 'resp:1',
			usage: {
				input_tokens: 100,
				cached_input_tokens: 60,
				cache_write_input_tokens: 10,
				output_tokens: 7,
			},
		});
		putLines(header(), message('user', 'x'), count(5, 5), record, count(12, 7));
		expect(outputOf()).toBe(12);
		expect(readOnly().usage.at(-1)).toMatchObject({
			key: 'resp%3A1',
			input: 30,
			cacheRead: 60,
			cacheWrite: 10,
		});
	});
});

describe('odd values', () => {
	test('numbers that are none, and outputs nested without end, cost nothing else', () => {
		const nested = `${'{"content":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
		const output = (value: unknown): string =>
			line('response_item', {type: 'function_call_output', call_id: 'c', output: value});
		const result = JSON.stringify({
			output: 'text',
			metadata: {exit_code: 1e300, duration_seconds: -1e300},
		});
		putLines(
			header(),
			output(result),
			output('Exit code: 99999999999999999999\nWall time: 1.2.3 seconds\nOutput:\nmore'),
			output('deep').replace('"deep"', nested),
			line('token_usage_record', {usage: {input_tokens: 1.5, output_tokens: 1e300}}),
			message('user', 'still there'),
		);
		const folded = readOnly();
		expect(folded.events.map(({text, tool}) => [text, tool])).toEqual([
			['text', {callId: 'c'}],
			['more', {callId: 'c'}],
			['', {callId: 'c'}],
			['still there', undefined],
		]);
		expect(folded.usage).toMatchObject([{input: 0, output: 0}]);
	});
});

describe('long lines', () => {
	test('a prompt before an image of many megabytes is kept, and the rest of the file is read', () => {
		const image = {
			type: 'input_image',
			image_url: `data:image/png;base64,${'A'.repeat(17_000_000)}`,
		};
		const content = [{type: 'input_text', text: 'what is on it'}, image];
		putLines(header(), message('user', '', {content}), message('assistant', 'a heron'));
		const folded = readOnly();
		expect(textsOf(folded)).toEqual(['what is on it\n[image png]', 'a heron']);
		expect(folded.events[0]?.fullLength).toBeGreaterThan(17_000_000);
		expect(folded.problems.map(problem => problem.code)).toEqual(['long-line']);
	});

	test('the history that a compaction repeats is not read', () => {
		const copies = [
			{type: 'message', role: 'user', content: [{type: 'input_text', text: 'again'}]},
		];
		const compacted = (message: string, repeats: number): string =>
			line('compacted', {message, replacement_history: Array(repeats).fill(copies[0])});
		putLines(header(), message('user', 'again'), compacted('short', 3), compacted('long', 250_000));
		const folded = readOnly();
		expect(textsOf(folded)).toEqual(['again']);
		expect(textsOf(folded, 'summary')).toEqual(['short', 'long']);
	});

	test('any head of a record gives a record or nothing', () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, size) => {
				const text = JSON.stringify(value);
				const head = recordFromHead(text.slice(0, size % (text.length + 1)));
				expect(head === undefined || typeof head === 'object').toBe(true);
				expect(recordFromHead(text)).toEqual(JSON.parse(text));
			}),
		);
	});
});

describe('patches', () => {
	test('added and removed lines are all in the diff, files are named once', () => {
		const word = fc.stringMatching(/^[a-z]{1,8}$/);
		const part = fc.record({
			action: fc.constantFrom('Add File', 'Update File', 'Delete File'),
			path: word,
			lines: fc.array(fc.tuple(fc.constantFrom('+', '-', ' '), word), {minLength: 1}),
		});
		fc.assert(
			fc.property(fc.array(part, {minLength: 1}), parts => {
				const lines = parts.map(each => each.lines.map(([sign, text]) => sign + text));
				const body = parts.map(
					({action, path}, index) => `*** ${action}: ${path}\n${lines[index]?.join('\n')}`,
				);
				const patch = `*** Begin Patch\n${body.join('\n')}\n*** End Patch`;
				const facts = patchFacts(`apply_patch <<'EOF'\n${patch}\nEOF`);
				expect(facts?.files.map(({path}) => path)).toEqual(parts.map(({path}) => path));
				const kept = facts?.diff.split('\n').filter(text => /^[ +-](?![+-])/.test(text));
				expect(kept).toEqual(lines.flat());
			}),
		);
	});

	test('a text without a patch has none', () => {
		expect(patchFacts('apply_patch --help')).toBeUndefined();
	});
});

describe('resume', () => {
	const request: ResumeRequest = {
		id: ID,
		cwd: '/home/ada/tide pool',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/x',
		resumeEnv: {CODEX_HOME: '/data/codex'},
		hint: {},
	};

	test('the full id, in the recorded directory, with the root', () => {
		expect(codex.resume(request)).toEqual({
			argv: ['codex', 'resume', ID],
			cwd: '/home/ada/tide pool',
			env: {CODEX_HOME: '/data/codex'},
			forkArgv: ['codex', 'fork', ID],
		});
	});

	test.each([
		['archived', {archived: true}, `codex unarchive ${ID}`],
		['a sub-agent', {isSubagent: true, parentId: OTHER_ID}, `codex resume ${OTHER_ID}`],
		['a sub-agent of nobody', {isSubagent: true, parentId: '--last'}, 'sub-agent thread'],
		['no full id', {id: ID.slice(0, 8)}, 'session id'],
		['an option for an id', {id: '--last'}, 'session id'],
	])('%s: a reason', (_, change, words) => {
		const plan = codex.resume({...request, ...change});
		expect('reason' in plan ? plan.reason : '').toContain(words);
	});
});
