/** Each agent whose sessions are files: a transcript that was taken out of its store, under another name, is read as in its place. */
import {cpSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {adapters} from '../../../adapters/registry.js';
import {type FileReading, readImport} from '../../../source/import/read-file.js';

interface Row {
	readonly agent: string;
	/** Below the fixture home. */
	readonly file: string;
	/** A prompt of it. */
	readonly says: string;
	/** What it is taken for when nobody says whose it is. Absent: its own. */
	readonly looksLike?: string;
	/** The agent's file says its session by its name only. */
	readonly isNamed?: boolean;
}

const UUID = '-1111-4aaa-8bbb-00000000000';
const VSCODE = '.config/Code/User';
const CODEX = '.codex/archived_sessions/rollout-2026-09-01T09-00-00-0199c0de-0015-7000-8000';

const ROWS: readonly Row[] = [
	{
		agent: 'claude-code',
		file: `.claude/projects/-home-ada-orchard/0a0c0001${UUID}1.jsonl`,
		says: 'How many pear trees',
	},
	{agent: 'codex', file: `${CODEX}-000000000015.jsonl.zst`, says: 'press the charts'},
	{
		agent: 'gemini-cli',
		file: '.gemini/tmp/beehive/chats/session-2026-10-01T10-00-5ec0ffee.jsonl',
		says: 'How many bees',
	},
	{
		agent: 'tabnine-cli',
		file: '.tabnine/agent/tmp/loom/chats/session-2026-10-01T10-00-10000001.jsonl',
		says: 'How wide is the loom?',
		looksLike: 'gemini-cli',
	},
	{
		agent: 'qwen-code',
		file: '.qwen/projects/-home-ada-k-chen/chats/a0000001-0001-4000-8000-000000000001.jsonl',
		says: 'What is in the pantry?',
	},
	{
		agent: 'cursor',
		file: `.cursor/projects/home-ada-barn/agent-transcripts/5c0c0001${UUID}1/5c0c0001${UUID}1.jsonl`,
		says: 'Stack the hay',
		isNamed: true,
	},
	{
		agent: 'factory-droid',
		file: '.factory/sessions/-home-ada-smithy/d401d001-0000-4000-8000-000000000001.jsonl',
		says: 'How heavy is the anvil?',
	},
	{
		agent: 'copilot-cli',
		file: '.copilot/session-state/c0b10001-0000-4000-8000-000000000001/events.jsonl',
		says: 'How tall is the lighthouse?',
	},
	{
		agent: 'vscode-copilot',
		file: `${VSCODE}/globalStorage/emptyWindowChatSessions/e5c0de06-0000-4000-8000-000000000006.jsonl`,
		says: 'Is it raining?',
	},
	{
		agent: 'pi',
		file: '.pi/agent/sessions/--home-ada-orchard--/2026-03-01T10-00-00-000Z_0b0c0001-1111-7222-8333-444455556666.jsonl',
		says: 'Prune the pear parser',
	},
	{
		agent: 'openclaw',
		file: '.openclaw/agents/main/sessions/0c1a0001-1111-4222-8333-444455556666.jsonl',
		says: 'Water the seeds',
		looksLike: 'pi',
	},
	{
		agent: 'grok-build',
		file: '.grok/sessions/%2Fhome%2Fada%2Forchard/0f000000-0000-7000-8000-000000000001/updates.jsonl',
		says: 'Rename the pear loader',
	},
	{
		agent: 'kimi-code',
		file: '.kimi-code/sessions/wd_orchard_0123456789ab/session_0e2c0001-1111-4222-8333-444455556666/agents/main/wire.jsonl',
		says: 'Pick the pears',
		isNamed: true,
	},
	{
		agent: 'kimi-code',
		file: '.kimi/sessions/ab8eacfcc45bf1a0cd425f58bd7ebf0d/0f3d0001-1111-4222-8333-444455556666/wire.jsonl',
		says: 'Rake the leaves',
		isNamed: true,
	},
	{
		agent: 'fx',
		file: '.fx/sessions/1700000000003-1700000000003000000-0000000000000003/events.jsonl',
		says: 'What does the quince flag do?',
		isNamed: true,
	},
	{
		agent: 'muse',
		file: '.local/share/muse/sessions/2026/09/21/0e000000-0000-4000-8000-000000000001/session.jsonl',
		says: 'Rename the pear loader',
	},
	{
		agent: 'deepseek-harness',
		file: '.dsh/sessions/--home-ada-orchard--/session-0d000000-0000-4000-8000-000000000001/session.v4.jsonl.zstd',
		says: 'Rename the pear loader',
	},
	{
		agent: 'qoder',
		file: '.qoder/projects/-home-ada-harbour/0a0a0002-0000-4000-8000-000000000002.jsonl',
		says: 'Check both cranes',
		looksLike: 'claude-code',
	},
	{
		agent: 'codebuddy',
		file: '.codebuddy/projects/home-ada-pier/0b0b0001-0000-4000-8000-000000000001.jsonl',
		says: 'Is the pier open?',
	},
	{
		agent: 'junie',
		file: '.junie/sessions/session-261103-080000-k3fz/events.jsonl',
		says: 'Mow the meadow',
		isNamed: true,
	},
	{
		agent: 'mistral-vibe',
		file: '.vibe/logs/session/session_20261106_090000_0a1a0003/messages.jsonl',
		says: 'And now?',
		isNamed: true,
	},
	{agent: 'mux', file: '.mux/sessions/old-weir/chat.jsonl', says: 'Weir, before the new name'},
	{
		agent: 'amp',
		file: '.local/share/amp/threads/T-0a000000-0000-4000-8000-000000000002.json',
		says: 'What does the quince flag do?',
	},
	{
		agent: 'headlesscode',
		file: '.local/share/headlesscode/projects/00aa11bb22cc33dd/sessions/0f0f0001-0000-4000-8000-000000000001.json',
		says: 'Wire the relay',
	},
	{
		agent: 'continue',
		file: '.continue/sessions/0c0c0001-0000-4000-8000-000000000001.json',
		says: 'Grind the corn',
	},
	{
		agent: 'auggie',
		file: '.augment/sessions/0d0d0001-0000-4000-8000-000000000001.json',
		says: 'How deep is the tarn?',
	},
	{
		agent: 'rovodev',
		file: '.rovodev/sessions/0e0e0001-0000-4000-8000-000000000001/session_context.json',
		says: 'Check the wheels',
	},
	{
		agent: 'kilo-code',
		file: `${VSCODE}/globalStorage/kilocode.kilo-code/tasks/0a000000-0000-4000-8000-000000000001/api_conversation_history.json`,
		says: 'Stack the firewood',
		isNamed: true,
	},
	{
		agent: 'devin',
		file: '.local/share/devin/cli/transcripts/given-grebe.json',
		says: 'Dry the nets',
	},
	{
		agent: 'hermes',
		file: '.hermes/sessions/20260403_152721_cc0001.jsonl',
		says: 'Where is the tide?',
		isNamed: true,
	},
	{
		agent: 'cline',
		file: '.cline/data/sessions/1790000000000_aaaa1/1790000000000_aaaa1.messages.json',
		says: 'Water the pear trees',
	},
	{
		agent: 'cline',
		file: `${VSCODE}/globalStorage/saoudrizwan.claude-dev/tasks/1780000000000/api_conversation_history.json`,
		says: 'Prune the hedge',
		isNamed: true,
	},
	{
		agent: 'roo-code',
		file: `${VSCODE}/globalStorage/rooveterinaryinc.roo-cline/tasks/0a000000-0000-4000-8000-000000000001/api_conversation_history.json`,
		says: 'Mow the meadow',
		isNamed: true,
	},
	{
		agent: 'kiro-cli',
		file: '.kiro/sessions/cli/0a000000-0000-4000-8000-000000000001.jsonl',
		says: 'Paint the fence',
		isNamed: true,
	},
	{
		agent: 'antigravity',
		file: '.gemini/antigravity-cli/brain/6c5d0001-1111-4aaa-8bbb-000000000003/.system_generated/logs/transcript.jsonl',
		says: 'Ring twice',
		isNamed: true,
	},
	{agent: 'aider', file: 'code/orchard/.aider.chat.history.md', says: 'Ripen the pears'},
];

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'backscroll-import-'));
});
afterEach(() => rmSync(folder, {recursive: true}));

const prompts = ({sessions}: FileReading): string =>
	sessions
		.flatMap(({batches}) => batches.flatMap(({events}) => events))
		.filter(({kind, role}) => kind === 'message' && role === 'user')
		.map(({text}) => text)
		.join('\n');

describe('a transcript from anywhere', () => {
	it.each(ROWS)('$agent $says', ({agent, file, says, looksLike = agent, isNamed}) => {
		// Only aider's has to be called as it was: there are no records in it.
		const ending =
			agent === 'aider' ? '.aider.chat.history.md' : /(\.\w+)+$/.exec(basename(file))?.[0];
		const path = join(folder, `talk${ending?.replace('.messages', '') ?? ''}`);
		cpSync(join('fixtures', agent, 'home', file), path);
		const asked = readImport(path, {adapters, from: agent});
		expect(prompts(asked)).toContain(says);
		expect(asked.sessions[0]?.agent).toBe(agent);
		if (isNamed) expect(asked.sessions[0]?.originalId).toContain('talk');
		else expect(path).not.toContain(asked.sessions[0]?.originalId ?? path);
		// Nothing of it says where the copy stood while it was read.
		expect(JSON.stringify(asked.sessions)).not.toMatch(/backscroll-import-\w+\/(?!talk)/);
		expect(readImport(path, {adapters}).sessions[0]?.agent).toBe(looksLike);
	});

	it('every agent that reads files beside a database is in the table', () => {
		const named = new Set(ROWS.map(({agent}) => agent));
		const able = adapters.filter(({foreign}) => foreign !== undefined).map(({id}) => id);
		expect(able.filter(id => !named.has(id))).toEqual(['custom-history']);
	});
});

describe('what agents export', () => {
	const ID = '0e000000-0000-4000-8000-000000000001';
	const run = (kind: string, at: number, more: object) => ({
		kind: 'record',
		envelope: {
			payload_type: 'runtime.session',
			recorded_at: at,
			payload: {kind: 'run', run_id: 'r', event: {kind, ...more}},
		},
		derived: {turn_count: 1, session_id: ID},
	});
	const document = {
		export_schema_version: 1,
		sessions: [{session_id: ID, turn_count: 1}],
		events: [
			run('started', 1_790_000_000_000_000, {prompt: 'Rename the plum loader'}),
			run('assistant_message_committed', 1_790_000_001_000_000, {
				message_id: 'm1',
				text: 'It is called prune now.',
			}),
		],
	};

	it('a document of `muse export`, each event at its place in it', () => {
		const path = join(folder, 'plum.json');
		writeFileSync(path, JSON.stringify(document, null, 2));
		const {sessions} = readImport(path, {adapters});
		expect(sessions).toMatchObject([{agent: 'muse', originalId: ID}]);
		expect(sessions[0]?.batches.flatMap(({events}) => events)).toMatchObject([
			{text: 'Rename the plum loader', locator: {path, pointer: '/events/0/envelope'}},
			{text: 'It is called prune now.', locator: {path, pointer: '/events/1/envelope'}},
		]);
	});
});
