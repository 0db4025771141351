/** What the contract test cannot see: rules that hold between files, and between reads. */
import {appendFileSync, mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {copilotCli} from '../../adapters/copilot-cli/index.js';
import {parseWorkspace} from '../../adapters/copilot-cli/workspace.js';
import type {ResumeRequest, Source} from '../../adapters/types.js';
import {
	buildDatabase,
	discoverAll,
	emptyHome,
	foldBatches,
	readBatches,
	readFolded,
	removeHome,
	restamp,
	surroundingsOf,
} from '../helpers/fixtures.js';

const ID = 'c0b100aa-0000-4000-8000-0000000000aa';
const AGENT = 'a9e000aa-0000-4000-8000-0000000000aa';
const FOLDER = `.copilot/session-state/${ID}`;

let home: string;
beforeEach(() => {
	home = emptyHome();
});
afterEach(() => removeHome(home));

type Json = Record<string, unknown>;

const record = (type: string, data: Json, more: Json = {}): string =>
	`${JSON.stringify({type, data, timestamp: '2026-10-05T09:00:00.000Z', ...more})}\n`;
const put = (path: string, content: string): void => {
	mkdirSync(dirname(join(home, path)), {recursive: true});
	writeFileSync(join(home, path), content);
};
const sourcesIn = (env: Readonly<Record<string, string>> = {}): readonly Source[] =>
	discoverAll(copilotCli, surroundingsOf(home, env)).sources;
const keysIn = (): readonly string[] => sourcesIn().map(({key}) => key.slice(key.indexOf('#')));

const START = record('session.start', {sessionId: ID, context: {cwd: '/home/ada/lighthouse'}});
const STARTED = record('subagent.started', {toolCallId: 'call_1'}, {agentId: AGENT});

describe('sub-agents', () => {
	const index = (rows: string): void =>
		buildDatabase(
			join(home, '.copilot/session-store.db'),
			`CREATE TABLE assistant_usage_events (session_id TEXT, agent_id TEXT); ${rows}`,
		);

	test('are found in the log when the index does not know the session', () => {
		put(`${FOLDER}/events.jsonl`, START + STARTED);
		index("INSERT INTO assistant_usage_events VALUES ('another', NULL)");
		expect(keysIn()).toContain(`#${AGENT}`);
	});

	test('are those of the index where it knows the session', () => {
		put(`${FOLDER}/events.jsonl`, START);
		index(`INSERT INTO assistant_usage_events VALUES ('${ID}', NULL), ('${ID}', '${AGENT}')`);
		expect(keysIn()).toContain(`#${AGENT}`);
	});

	test('are found although the index is no database', () => {
		put(`${FOLDER}/events.jsonl`, START + STARTED);
		put('.copilot/session-store.db', 'no database at all, but long enough to look like one');
		expect(keysIn()).toContain(`#${AGENT}`);
	});

	test('that a session gets later are found, too', () => {
		put(`${FOLDER}/events.jsonl`, START);
		expect(sourcesIn()).toHaveLength(1);
		appendFileSync(join(home, `${FOLDER}/events.jsonl`), STARTED);
		expect(keysIn()).toContain(`#${AGENT}`);
	});

	test('share the log, and nothing of it is shown twice', () => {
		const said = (text: string, more: Json = {}): string =>
			record('assistant.message', {content: text, messageId: text}, {id: text, ...more});
		put(`${FOLDER}/events.jsonl`, START + STARTED + said('own') + said('inner', {agentId: AGENT}));
		const read = sourcesIn().map(source => readFolded(copilotCli, source));
		expect(read.map(({sessionId, events}) => [sessionId, events.map(({text}) => text)])).toEqual([
			[ID, ['own']],
			[`${ID}/${AGENT}`, ['inner']],
		]);
	});
});

describe('titles', () => {
	const factsWith = (yaml: string) => {
		put(
			`${FOLDER}/events.jsonl`,
			START + record('user.message', {content: 'How tall is the lighthouse?'}),
		);
		put(`${FOLDER}/workspace.yaml`, yaml);
		return readFolded(copilotCli, sourcesIn()[0] as Source).facts;
	};

	test('the name is the user’s only after a rename', () => {
		const name = 'name: How tall is the lighthouse?\n';
		expect(factsWith(`${name}user_named: false\n`)).not.toHaveProperty('generatedTitle');
		expect(factsWith('name: Tower talk\nuser_named: false\n').generatedTitle).toBe('Tower talk');
		expect(factsWith(`${name}user_named: true\n`).customTitle).toBe('How tall is the lighthouse?');
	});

	test('a rename is seen without new lines in the log', () => {
		factsWith('name: Tower talk\nuser_named: false\n');
		const source = sourcesIn()[0] as Source;
		const first = readBatches(copilotCli, source);
		put(`${FOLDER}/workspace.yaml`, 'name: My tower\nuser_named: true\n');
		const again = readBatches(copilotCli, restamp(source), first.at(-1)?.cursor);
		expect(foldBatches(again).facts.customTitle).toBe('My tower');
		expect(foldBatches(again).events).toEqual([]);
	});
});

describe('workspace.yaml', () => {
	test.each([
		['name: plain: with colon', 'plain: with colon'],
		["name: 'it''s quoted'", "it's quoted"],
		['name: "say \\"hi\\""', 'say "hi"'],
		['name: a long one\n  that is folded', 'a long one that is folded'],
		['name: |-\n  two\n  lines', 'two\nlines'],
		['name:', ''],
	])('%j', (text, name) => {
		expect(parseWorkspace(`id: x\n${text}\nuser_named: true\n`).get('name')).toBe(name);
		expect(parseWorkspace(`id: x\n${text}\nuser_named: true\n`).get('user_named')).toBe('true');
	});

	test('any text is read without an exception', () => {
		fc.assert(
			fc.property(fc.string(), text => {
				for (const value of parseWorkspace(text).values()) expect(value).toBeTypeOf('string');
			}),
		);
	});
});

test('COPILOT_HOME replaces the usual folder, and a resume is told of it', () => {
	put(`elsewhere/session-state/${ID}/events.jsonl`, START);
	const env = {COPILOT_HOME: join(home, 'elsewhere')};
	expect(sourcesIn(env)).toHaveLength(1);
	const [root] = copilotCli.roots(surroundingsOf(home, env));
	expect(root?.resumeEnv).toEqual(env);
	expect(copilotCli.roots(surroundingsOf(home))[0]?.resumeEnv).toEqual({});
});

describe('resume', () => {
	const request: ResumeRequest = {
		id: ID,
		cwd: '/home/ada/lighthouse',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '',
		resumeEnv: {},
		hint: {},
	};

	test('hangs the id on the option', () => {
		expect(copilotCli.resume(request)).toEqual({
			argv: ['copilot', `--resume=${ID}`],
			cwd: '/home/ada/lighthouse',
			env: {},
		});
	});

	test('names the session of a sub-agent, and refuses odd ids', () => {
		const sub = copilotCli.resume({...request, id: `${ID}/${AGENT}`, isSubagent: true});
		expect(sub).toEqual({reason: expect.stringContaining(`--resume=${ID}`)});
		expect(copilotCli.resume({...request, id: '-x; rm'})).toHaveProperty('reason');
	});
});
