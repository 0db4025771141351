/** Search as a person lives with it: from a slip of the keyboard to the place in the session, and through the filters. */
import {mkdirSync} from 'node:fs';
import {resolve} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {claudeTranscript, type Turn} from '../helpers/command-line.js';
import {createHome, type Home} from '../helpers/home.js';
import {openTerminal, type Terminal} from './terminal.js';

const BIN = resolve('dist/cli.js');
const idOf = (digit: number): string =>
	`0a1b2c3d-${String(digit).repeat(4)}-4111-8111-111111111111`;

let world: Home;
let terminal: Terminal | undefined;
beforeEach(() => {
	world = createHome([]);
});
afterEach(() => {
	terminal?.dispose();
	world.remove();
});

interface Said {
	readonly folder?: string;
	readonly from?: string;
}

const write = (
	digit: number,
	turns: readonly Turn[],
	{folder = 'orchard', from}: Said = {},
): void => {
	const id = idOf(digit);
	const cwd = world.file(folder);
	mkdirSync(cwd, {recursive: true});
	world.write(
		`.claude/projects/-${folder}/${id}.jsonl`,
		claudeTranscript({id, cwd, ...(from === undefined ? {} : {from})}, turns),
	);
};

const user = (text: string): Turn => ({role: 'user', text});
const agent = (text: string): Turn => ({role: 'assistant', text});

const start = async (sessions: number, env: Readonly<Record<string, string>> = {}) => {
	const app = openTerminal({
		argv: [process.execPath, BIN],
		columns: 120,
		rows: 30,
		cwd: world.path,
		env: {...world.env, LANG: 'C.UTF-8', BACKSCROLL_HOME: world.file('backscroll'), ...env},
	});
	terminal = app;
	await app.untilText(`${sessions} session`);
	await app.untilText('synced just now');
	return app;
};

// The escape character is what is looked for.
const COLOUR = /\u001b\[(?:3|4|9|10)\d/;

const rowsWith = (app: Terminal, text: string): number =>
	app.screen().filter(row => row.includes(text)).length;

describe('a slip of the keyboard', () => {
	it('leads to the word that was meant, through all of its places and on into the next session', async () => {
		write(
			1,
			[user('the pruning shears'), agent('sharp'), user('oil them'), agent('Oiled shears cut.')],
			{
				from: '2026-11-03T10:00:00Z',
			},
		);
		write(2, [user('where are they'), agent('The shears hang in the shed.')], {
			from: '2026-11-02T10:00:00Z',
		});
		const app = await start(2);
		await app.press(...'sheers');
		await app.untilText('“sheers” occurs nowhere; showing “shears”');
		await app.untilText('2 sessions');
		await app.press('enter');
		await app.untilText('1 of 2 found');
		await app.press('n');
		await app.untilText('2 of 2 found');
		await app.press('n');
		await app.untilText('next session: where are they');
		await app.untilText('The shears hang in the shed.');
		await app.press('N');
		await app.untilText('previous session: the pruning shears');
		await app.untilText('Oiled shears cut.');
		await app.press('q');
		await app.untilText('› sheers');
	});
});

describe('a match in the part of a long output that the history does not store', () => {
	it('is read back and comes into sight', async () => {
		const id = idOf(3);
		const record = (index: number, message: Readonly<Record<string, unknown>>): string =>
			`${JSON.stringify({
				type: message['role'],
				uuid: `${id.slice(0, 24)}${String(index).padStart(12, '0')}`,
				parentUuid: index === 0 ? null : `${id.slice(0, 24)}${String(index - 1).padStart(12, '0')}`,
				sessionId: id,
				timestamp: `2026-11-05T10:0${index}:00Z`,
				cwd: world.path,
				version: '2.1.300',
				message,
			})}\n`;
		const lines = Array.from({length: 900}, (_, at) => `row ${at} ok`);
		const output = [...lines, 'the guillemot failed', ...lines].join('\n');
		world.write(
			`.claude/projects/-w/${id}.jsonl`,
			record(0, {role: 'user', content: 'run it'}) +
				record(1, {
					id: 'msg_1',
					role: 'assistant',
					content: [{type: 'tool_use', id: 'call_1', name: 'Bash', input: {command: 'npm test'}}],
				}) +
				record(2, {
					role: 'user',
					content: [{type: 'tool_result', tool_use_id: 'call_1', content: output}],
				}),
		);
		const app = await start(1);
		await app.press(...'guillemot');
		await app.untilText('1 session');
		await app.press('enter');
		await app.untilText('1 of 1 found');
		await app.until(
			({text}) => /row 899 ok\s[\s\S]*the guillemot failed\s[\s\S]*row 0 ok/.test(text),
			'the match among the lines around it',
		);
	});
});

describe('the filters', () => {
	it('count what the query leaves, and several values go into it', async () => {
		write(1, [user('prune the apple trees'), agent('done')], {folder: 'orchard'});
		write(2, [user('prune the roses'), agent('done')], {folder: 'garden'});
		write(3, [user('water the roses'), agent('done')], {folder: 'garden'});
		write(4, [user('prune the hedge'), agent('done')], {folder: 'lane'});
		const app = await start(4);
		await app.press(...'prune');
		await app.untilText('3 sessions');
		await app.press('ctrl+f');
		await app.untilText(/orchard .* 1 session/);
		expect(rowsWith(app, '1 session')).toBe(3);
		for (const [name, value] of [
			['agent', /Claude Code +3 sessions/],
			['branch', /main +3 sessions/],
			['model', /model-1 +3 sessions/],
			['tool', /any tool/],
			['date', /the last year +3 sessions/],
		] as const) {
			await app.press('ctrl+f');
			await app.untilText(`[${name}]`);
			await app.untilText(value);
		}
		await app.press('ctrl+f');
		await app.untilText('[project]');
		await app.press(...'orch', 'tab', 'ctrl+u', ...'gdn', 'tab');
		await app.untilText('these 2');
		await app.press('enter');
		await app.untilText('› prune project:orchard,garden');
		await app.untilText('2 sessions');
	});
});

describe('a paste of 100 KB', () => {
	it('is answered, says what of it was looked for, and the next key works', async () => {
		write(1, [user('prune the apple trees'), agent('done')]);
		const app = await start(1);
		app.paste(Array.from({length: 12_000}, (_, at) => `w${at.toString(36)}`).join(' '));
		await app.untilText('Only the first 20 words are looked for.');
		await app.press('escape');
		await app.untilText('› ▏');
		await app.press(...'apple');
		await app.untilText(/1 session/);
		await app.untilText('▌Claude');
	});
});

describe('without colours and symbols', () => {
	it('everything is said in plain characters', async () => {
		write(1, [user('prune the apple trees'), agent('**done** with `shears`')]);
		const app = await start(1, {NO_COLOR: '1', LANG: 'C', LC_ALL: 'C'});
		await app.press(...'apple');
		await app.untilText('1 session');
		await app.untilText(/ >Claude +prune the apple trees/);
		expect(app.shown().text).not.toMatch(/[^ -~\n]/);
		await app.press('enter');
		await app.untilText('1 of 1');
		await app.untilText('done with shears');
		expect(app.shown().text).not.toMatch(/[^ -~\n]/);
		expect(app.output()).not.toMatch(COLOUR);
	});
});

describe('a session of 20,000 messages', () => {
	it('opens where the words are, and both ends are a key away', async () => {
		const turns = Array.from({length: 10_000}, (_, at): readonly Turn[] => [
			user(at === 7000 ? 'the quince needs a stake' : `question ${at}`),
			agent(`answer ${at}`),
		]).flat();
		write(1, turns);
		const app = await start(1);
		await app.press(...'quince', 'enter');
		await app.untilText('the quince needs a stake');
		await app.untilText('answer 7000');
		await app.press('G');
		await app.untilText('answer 9999');
		await app.untilText('100 %');
		await app.press('g');
		await app.untilText('question 0');
		await app.press(']', ']');
		await app.untilText('3 of 10000');
	});
});
