import {afterEach, beforeAll, beforeEach, describe, expect, it} from 'vitest';
import {createHome, type Home} from '../helpers/home.js';
import {buildProgram} from './build.js';
import {openTerminal, type Terminal} from './terminal.js';

let home: Home;
let terminal: Terminal;
let programHome: Home;
let argv: readonly string[];

beforeAll(() => {
	programHome = createHome([]);
	argv = buildProgram('ink-program.tsx', programHome.path);
	return programHome.remove;
});

beforeEach(async () => {
	home = createHome();
	terminal = openTerminal({
		argv,
		columns: 50,
		rows: 12,
		env: {...home.env, CI: '1', FAKE_AGENT_WAIT: '1'},
	});
	await terminal.untilText('size 50x12');
});

afterEach(() => {
	terminal.dispose();
	home.remove();
});

describe('useKeys', () => {
	it('takes what was read at once as one burst, and a lone Escape as itself', async () => {
		terminal.send('jjj\x1b[A\x12\x1b[1;5P');
		await terminal.untilText('[j j j up ctrl+r ctrl+f1]');
		await terminal.press('escape');
		await terminal.untilText('[escape]');
		terminal.paste('pasted \x1b[0m text');
		await terminal.untilText('[«pasted  text»]');
		await terminal.press('ctrl+c');
		await terminal.untilText('[ctrl+c]');
	});

	it('is there again after a child, which got every key before', async () => {
		await terminal.press('a');
		await terminal.untilText('[a]');
		await terminal.press('c');
		await terminal.untilText('fake claude --resume x');
		await terminal.press('k');
		await terminal.until(
			({isAlternate, text}) => isAlternate && text.includes('[a]'),
			'our screen',
		);
		await terminal.press('b');
		const {text} = await terminal.untilText('[b]');
		expect(text).not.toContain('[k]');
		await terminal.press('q');
		expect(await terminal.exit()).toEqual({code: 0, signal: null});
		expect(terminal.sttyIsCooked()).toBe(true);
		expect(terminal.isAlternate()).toBe(false);
	});

	it('lets an error in a handler end the process with the terminal given back', async () => {
		await terminal.press('!');
		expect(await terminal.exit()).toEqual({code: 70, signal: null});
		expect(terminal.sttyIsCooked()).toBe(true);
		expect(terminal.isAlternate()).toBe(false);
		expect(terminal.screen()[0]).toBe('backscroll: Error: thrown in a handler');
	});
});

describe('useTerminalSize', () => {
	const cleanFrame = (columns: number, rows: number) =>
		[`size ${columns}x${rows}`, '[a]', ...Array(rows - 4).fill(''), '─'.repeat(columns), ''].join(
			'\n',
		);
	const sizes = [
		[50, 20],
		[80, 8],
		[30, 24],
		[64, 10],
		[41, 10],
	] as const;

	beforeEach(async () => {
		await terminal.press('a');
		await terminal.untilText('[a]');
	});

	it('leaves no debris after each resize', async () => {
		for (const [columns, rows] of sizes) {
			terminal.resize(columns, rows);
			await terminal.until(
				({text}) => text === cleanFrame(columns, rows),
				`${columns}x${rows}, clean`,
			);
		}
	});

	it('leaves no debris after a storm of resizes', async () => {
		for (const [columns, rows] of sizes) terminal.resize(columns, rows);
		await terminal.until(({text}) => text === cleanFrame(41, 10), '41x10, clean');
	});
});
