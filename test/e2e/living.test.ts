/** A session that is being written, and a person's own settings, as they are seen on the screen. */
import {appendFileSync, mkdirSync, writeFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {afterEach, beforeEach, expect, it} from 'vitest';
import {claudeTranscript, type Turn} from '../helpers/command-line.js';
import {createHome, type Home} from '../helpers/home.js';
import {openTerminal, type Terminal} from './terminal.js';

const BIN = resolve('dist/cli.js');
const ID = '0a1b2c3d-1111-4111-8111-111111111111';

let world: Home;
let terminal: Terminal | undefined;
beforeEach(() => {
	world = createHome([]);
	mkdirSync(world.file('backscroll'));
});
afterEach(() => {
	terminal?.dispose();
	world.remove();
});

const start = (): Terminal => {
	terminal = openTerminal({
		argv: [process.execPath, BIN],
		columns: 120,
		rows: 20,
		cwd: world.path,
		env: {...world.env, LANG: 'C.UTF-8', BACKSCROLL_HOME: world.file('backscroll')},
	});
	return terminal;
};

const turns = (count: number): readonly Turn[] =>
	Array.from(
		{length: count},
		(_, at): Turn => ({
			role: at % 2 === 0 ? 'user' : 'assistant',
			text: `${at % 2 === 0 ? 'question' : 'answer'} ${at}`,
		}),
	);

const transcriptOf = (count: number, from: string): string =>
	claudeTranscript({id: ID, cwd: world.path, from}, turns(count));

it('a session that is being written is followed, waits while one reads further up, and goes on', async () => {
	const from = new Date().toISOString();
	const file = world.write(`.claude/projects/-w/${ID}.jsonl`, transcriptOf(20, from));
	const write = (before: number, count: number): void =>
		appendFileSync(
			file,
			transcriptOf(count, from).split('\n').slice(before, count).join('\n').concat('\n'),
		);
	const app = start();
	await app.untilText('question 0');
	await app.press('enter', 'G');
	await app.untilText('answer 19');
	await app.untilText(/● live/);
	write(20, 22);
	await app.untilText('answer 21');
	await app.press('g');
	await app.untilText('paused: G follows');
	write(22, 24);
	await app.untilText('paused, 2 new events: G follows');
	expect(app.shown().text).not.toContain('answer 23');
	await app.press('G');
	await app.untilText('answer 23');
	await app.untilText(/● live/);
});

it('keys can be bound anew, and a bad entry is named and left out', async () => {
	world.write(`.claude/projects/-w/${ID}.jsonl`, transcriptOf(4, '2026-11-01T10:00:00Z'));
	writeFileSync(
		world.file('backscroll', 'config.json'),
		JSON.stringify({
			theme: 'high-contrast',
			keys: {'list.preview': ['ctrl+b'], 'list.fly': ['ctrl+x']},
		}),
	);
	const app = start();
	await app.untilText('list.fly');
	await app.press('ctrl+b');
	await app.until(
		({text}) => text.includes('question 0') && !text.includes('answer 3'),
		'no preview',
	);
	await app.press('ctrl+b');
	await app.untilText('answer 3');
	await app.press('f1');
	await app.untilText(/Ctrl-B +/);
});
