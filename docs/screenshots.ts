/**
 * Takes the pictures of the README: drives the built app on the demo history in a pseudo-terminal, key by key, and writes what the
 * terminal shows to `docs/screens`. `npm run screenshots` builds and takes all of them.
 */
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import xterm from '@xterm/headless';
import {spawn} from 'node-pty';
import {bytesOf} from '../test/e2e/keys.js';
import {screenSvg} from './screen-svg.js';

type Step =
	| {readonly press: readonly string[]}
	/** Until the screen shows this. */
	| {readonly until: string};

interface Picture {
	readonly name: string;
	readonly title: string;
	readonly columns: number;
	readonly rows: number;
	readonly steps: readonly Step[];
}

const press = (...keys: readonly string[]): Step => ({press: keys});
const type = (text: string): Step => ({press: [...text]});
const until = (text: string): Step => ({until: text});

/** The whole demo is read: its last story but one stands in every list, however low the screen is. */
const ready = [until('Fix token refresh'), until('Why does the staging')] as const;

const pictures: readonly Picture[] = [
	{
		name: 'sessions',
		title: 'Sessions of all agents, narrowed by a query, with a preview',
		columns: 120,
		rows: 30,
		steps: [
			...ready,
			type('token'),
			until('4 sessions'),
			until('❯ the refresh'),
			until('synced just now'),
		],
	},
	{
		name: 'reader',
		title: 'Reading a session: prompts, replies, an edit as a diff',
		columns: 105,
		rows: 34,
		steps: [
			...ready,
			press('enter'),
			until('Shall I do it?'),
			press(']', '}', 'enter'),
			until('refreshOnce(request.session)'),
		],
	},
	{
		name: 'outline',
		title: 'The outline of a session: every prompt with what came of it',
		columns: 105,
		rows: 12,
		steps: [...ready, press('enter'), until('1 of 3'), press('o'), until('Outline')],
	},
	{
		name: 'resume',
		title: 'The resume sheet: what would run, and whether it can',
		columns: 90,
		rows: 20,
		steps: [...ready, press('ctrl+r'), until('copy the command'), until('2.1.332')],
	},
	{
		name: 'split',
		title: 'In a narrow split',
		columns: 58,
		rows: 16,
		steps: ready,
	},
	{
		name: 'filters',
		title: 'Choosing projects, agents, branches, models and dates',
		columns: 90,
		rows: 14,
		steps: [
			...ready,
			press('ctrl+f'),
			until('~/code/notes'),
			press('down', 'tab', 'tab'),
			until('✓'),
		],
	},
	{
		name: 'statistics',
		title: 'Sessions, prompts and tokens by agent, project, model and day',
		columns: 100,
		rows: 30,
		steps: [...ready, press('f4'), until('Agents')],
	},
];

const waitMs = 15_000;
/** Nothing more is drawn after so long a rest. */
const restMs = 400;

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

const textOf = (terminal: xterm.Terminal): string =>
	Array.from(
		{length: terminal.rows},
		(_, row) => terminal.buffer.active.getLine(row)?.translateToString(true) ?? '',
	).join('\n');

const take = async (
	picture: Picture,
	folders: {cli: string; clock: string; home: string; bin: string},
) => {
	const {columns: cols, rows} = picture;
	const terminal = new xterm.Terminal({cols, rows, allowProposedApi: true});
	const pty = spawn(process.execPath, ['--import', folders.clock, folders.cli, '--demo'], {
		name: 'xterm-256color',
		cols,
		rows,
		cwd: folders.home,
		env: {
			PATH: `${folders.bin}:${process.env['PATH']}`,
			HOME: folders.home,
			BACKSCROLL_HOME: join(folders.home, 'data'),
			TERM: 'xterm-256color',
			LANG: 'C.UTF-8',
			TZ: 'UTC',
			FORCE_COLOR: '1',
		},
	});
	pty.onData(data => terminal.write(data));
	try {
		for (const step of picture.steps)
			await ('until' in step ? shows(terminal, step.until) : keys(pty, step.press));
		await pause(restMs);
		return screenSvg(terminal, picture.title);
	} finally {
		pty.kill();
		terminal.dispose();
	}
};

const shows = async (terminal: xterm.Terminal, text: string): Promise<void> => {
	for (let passed = 0; passed < waitMs; passed += 50) {
		if (textOf(terminal).includes(text)) return;
		await pause(50);
	}
	throw new Error(`“${text}” never came:\n${textOf(terminal)}`);
};

const keys = async (pty: ReturnType<typeof spawn>, chords: readonly string[]): Promise<void> => {
	for (const chord of chords) {
		pty.write(bytesOf(chord));
		await pause(60);
	}
};

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'backscroll-screens-'));
// An agent that is installed, so that the resume sheet finds it; under a name that is the same every time.
const bin = join(tmpdir(), 'backscroll-bin');
mkdirSync(bin, {recursive: true});
writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho "2.1.332 (Claude Code)"\n', {mode: 0o755});
mkdirSync(here('screens'), {recursive: true});
try {
	for (const picture of pictures) {
		const svg = await take(picture, {
			cli: here('../dist/cli.js'),
			clock: here('fixed-clock.mjs'),
			home,
			bin,
		});
		writeFileSync(here(`screens/${picture.name}.svg`), svg);
		process.stdout.write(`docs/screens/${picture.name}.svg\n`);
	}
} finally {
	rmSync(home, {recursive: true, force: true});
	rmSync(bin, {recursive: true, force: true});
}
