import {appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {claudeTranscript} from '../helpers/command-line.js';
import {createHome, type Home} from '../helpers/home.js';
import {openTerminal, type Terminal} from './terminal.js';

const BIN = resolve('dist/cli.js');
const PUFFINS = '0a1b2c3d-1111-4111-8111-111111111111';
const GANNETS = '0a1b2c3d-2222-4222-8222-222222222222';

let world: Home;
let terminal: Terminal | undefined;
beforeEach(() => {
	world = createHome(['claude', 'codex']);
});
afterEach(() => {
	terminal?.dispose();
	world.remove();
});

const transcript = (id: string) => `.claude/projects/-work/${id}.jsonl`;

const fill = (): void => {
	mkdirSync(world.file('work'));
	const cwd = world.file('work');
	world.write(
		transcript(PUFFINS),
		claudeTranscript({id: PUFFINS, cwd, from: '2026-11-02T10:00:00Z'}, [
			{role: 'user', text: 'how do puffins dive'},
			{role: 'assistant', text: 'With their wings, down to sixty metres.'},
			{role: 'user', text: 'and razorbills'},
			{role: 'assistant', text: 'Deeper still.'},
		]),
	);
	world.write(
		transcript(GANNETS),
		claudeTranscript({id: GANNETS, cwd}, [
			{role: 'user', text: 'why do gannets plunge'},
			{role: 'assistant', text: 'Speed carries them down to the mackerel.'},
		]),
	);
};

const start = (
	columns: number,
	rows: number,
	argv: readonly string[] = [],
	env: Readonly<Record<string, string>> = {},
): Terminal => {
	terminal = openTerminal({
		argv: [process.execPath, BIN, ...argv],
		columns,
		rows,
		cwd: world.path,
		env: {...world.env, BACKSCROLL_HOME: world.file('backscroll'), ...env},
	});
	return terminal;
};

const leaves = async (app: Terminal): Promise<void> => {
	expect(await app.exit()).toEqual({code: 0, signal: null});
	expect(app.isAlternate()).toBe(false);
	expect(app.sttyIsCooked()).toBe(true);
};

const sizes = [
	[80, 24],
	[120, 40],
	[40, 10],
] as const;

describe.each(sizes)('at %i×%i', (columns, rows) => {
	it('searches, reads, finds, and comes back through a resize', async () => {
		fill();
		const app = start(columns, rows);
		await app.untilText('how do puffi');
		await app.press(...'mackerel');
		await app.until(
			({text}) => text.includes('why do ganne') && !text.includes('how do puffi'),
			'only the session that holds the word',
		);
		await app.press('enter');
		await app.untilText('Speed carries them');
		app.resize(columns + 12, rows + 4);
		await app.until(
			({rows: shown}) => shown.length === rows + 4 && shown.join('\n').includes('100 %'),
			'the reader in the new size',
		);
		await app.press('/', ...'plunge', 'enter');
		await app.untilText('1 of 1 found');
		app.resize(columns, rows);
		await app.press('escape', 'q');
		await app.untilText('› mackerel');
		await app.press('escape');
		await app.untilText('how do puffi');
		await app.press('escape');
		await leaves(app);
	});
});

describe('resuming', () => {
	it('shows the command, runs it in the directory of the session, and is back on the same row', async () => {
		fill();
		const app = start(100, 30);
		await app.untilText('why do gannets plunge');
		await app.press('down', 'ctrl+r');
		await app.untilText(`claude --resume ${GANNETS}`);
		expect(world.runs()).toEqual([]);
		await app.press('enter');
		await app.untilText(/▌Claude +why do gannets plunge/);
		expect(world.runs()).toMatchObject([
			{name: 'claude', argv: ['--resume', GANNETS], cwd: world.file('work')},
		]);
		await app.press('ctrl+c');
		await leaves(app);
	});

	it('leaves every key to the agent while it runs', async () => {
		fill();
		const typed = world.file('typed');
		world.addScript(
			'claude',
			`printf 'say something: '\nread -r line\nprintf '%s' "$line" > '${typed}'`,
		);
		const app = start(100, 30);
		await app.untilText('why do gannets plunge');
		await app.press('ctrl+r');
		await app.untilText('start here');
		await app.press('enter');
		await app.untilText('say something:');
		await app.press(...'every letter of it', 'enter');
		await app.untilText(/▌Claude +how do puffins dive/);
		expect(readFileSync(typed, 'utf8')).toBe('every letter of it');
		await app.press('down');
		await app.untilText(/▌Claude +why do gannets plunge/);
	});

	it('with --print, Enter ends the app with the command on stdout', async () => {
		fill();
		const app = start(100, 30, ['--print']);
		await app.untilText('how do puffins dive');
		await app.press('enter');
		await leaves(app);
		expect(app.shown().text).toContain(`claude --resume ${PUFFINS}`);
	});
});

it('exports the session that is selected', async () => {
	fill();
	const app = start(100, 30);
	await app.untilText('how do puffins dive');
	await app.press('ctrl+s');
	await app.untilText(/file +.*\.md/);
	await app.press('enter');
	await app.untilText('written: ');
	const [name = ''] = readdirSync(world.path).filter(file => file.endsWith('.md'));
	expect(readFileSync(world.file(name), 'utf8')).toContain('down to sixty metres');
});

it('keys that are pressed before the first frame are not lost', async () => {
	fill();
	const app = start(100, 30);
	await app.press(...'gannets');
	await app.untilText('› gannets');
	await app.until(
		({text}) => text.includes('why do gannets') && !text.includes('how do puffins'),
		'the session that was asked for',
	);
});

it('shows what an agent writes while the session is open', async () => {
	fill();
	const now = new Date().toISOString();
	const file = world.write(
		transcript(PUFFINS),
		claudeTranscript({id: PUFFINS, cwd: world.file('work'), from: now}, [
			{role: 'user', text: 'how do puffins dive'},
		]),
	);
	const app = start(100, 30);
	await app.untilText('how do puffins dive');
	await app.press('enter');
	await app.untilText('1 of 1');
	const longer = claudeTranscript({id: PUFFINS, cwd: world.file('work'), from: now}, [
		{role: 'user', text: 'how do puffins dive'},
		{role: 'assistant', text: 'Like small torpedoes.'},
	]);
	appendFileSync(file, longer.split('\n').slice(1).join('\n'));
	await app.untilText('Like small torpedoes.');
});

it('without a history it says where it looked, and Enter opens the demo', async () => {
	const app = start(90, 24);
	await app.untilText('No conversations found');
	await app.untilText('~/.claude');
	await app.press('enter');
	await app.untilText('demo history');
	await app.untilText('Fix token refresh in auth middleware');
	await app.press('enter');
	await app.untilText('the refresh token is lost');
	await app.press('ctrl+c');
	await leaves(app);
	expect(existsSync(world.file('.claude'))).toBe(false);
});

it('a signal gives the terminal back', async () => {
	fill();
	const app = start(100, 30);
	await app.untilText('how do puffins dive');
	app.kill('SIGTERM');
	expect((await app.exit()).code).toBe(143);
	expect(app.isAlternate()).toBe(false);
	expect(app.sttyIsCooked()).toBe(true);
});
