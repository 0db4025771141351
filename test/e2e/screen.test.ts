import {afterEach, beforeAll, describe, expect, it} from 'vitest';
import {createHome, type Home} from '../helpers/home.js';
import {buildProgram} from './build.js';
import {openTerminal, type Terminal, type TerminalOptions} from './terminal.js';

let command: readonly string[];
let home: Home;
let terminal: Terminal;

beforeAll(() => {
	const {path, remove} = createHome([]);
	command = buildProgram('screen-program.ts', path);
	return remove;
});

function start(options: Partial<TerminalOptions> = {}): Terminal {
	home = createHome();
	terminal = openTerminal({
		argv: command,
		columns: 60,
		rows: 16,
		...options,
		env: {...home.env, CI: '1', ...options.env},
	});
	return terminal;
}

async function expectGivenBack(): Promise<void> {
	expect(terminal.isAlternate()).toBe(false);
	expect(terminal.sttyIsCooked()).toBe(true);
	const [, afterLeave] = terminal.output().split('\x1b[?2004l\x1b[?7h\x1b[?1049l\x1b[?25h');
	expect(afterLeave, 'left exactly once').toBeDefined();
}

afterEach(() => {
	terminal.dispose();
	home.remove();
});

describe('the screen', () => {
	it('is entered in one write, with the line settings of a program that reads keys', async () => {
		start();
		await terminal.untilText('ready 60x16');
		expect(terminal.isAlternate()).toBe(true);
		expect(terminal.sttyIsCooked()).toBe(false);
		expect(terminal.output()).toContain('\x1b[?1049h\x1b[?7l\x1b[?2004h\x1b[2J\x1b[H');
		await terminal.press('q');
		expect(await terminal.exit()).toEqual({code: 0, signal: null});
		await expectGivenBack();
	});

	it('follows a resize', async () => {
		start();
		await terminal.untilText('ready 60x16');
		terminal.resize(44, 12);
		await terminal.untilText('ready 44x12');
	});

	it('reads keys and pastes', async () => {
		start();
		await terminal.untilText('ready');
		await terminal.press('G', 'up', 'escape');
		// On a busy machine the next key could be read together with it, and be one with Alt then.
		await terminal.untilText('<escape>');
		await terminal.press('ctrl+r', 'shift+tab', 'alt+é', 'ctrl+right', 'f1');
		await terminal.untilText('<f1>');
		terminal.paste('two\nlines\x1b[2J');
		const {text} = await terminal.untilText('paste');
		expect(text.match(/<.*>/g)).toEqual([
			'<G>',
			'<up>',
			'<escape>',
			'<ctrl+r>',
			'<shift+tab>',
			'<alt+é>',
			'<ctrl+right>',
			'<f1>',
			'<paste "two\\nlines">',
		]);
	});
});

describe('each way to end gives the terminal back', () => {
	const byKey = [
		{key: 'ctrl+c', code: 130, says: ''},
		{key: 'x', code: 4, says: 'something could not be read'},
		{key: '!', code: 70, says: 'backscroll: Error: thrown in a handler'},
		{key: '@', code: 70, says: 'backscroll: Error: rejected'},
	];
	it.each(byKey)('key $key', async ({key, code, says}) => {
		start();
		await terminal.untilText('ready');
		await terminal.press(key);
		expect(await terminal.exit()).toEqual({code, signal: null});
		await expectGivenBack();
		expect(terminal.screen().join('\n').trim()).toBe(says);
	});

	const bySignal = [
		{signal: 'SIGINT', code: 130},
		{signal: 'SIGTERM', code: 143},
		{signal: 'SIGHUP', code: 129},
		{signal: 'SIGQUIT', code: 131},
	] as const;
	it.each(bySignal)('$signal', async ({signal, code}) => {
		start();
		await terminal.untilText('ready');
		terminal.kill(signal);
		expect(await terminal.exit()).toEqual({code, signal: null});
		await expectGivenBack();
		// The app is unmounted before the screen is left, or its last frame would land in the shell.
		expect(terminal.output().indexOf('unmounted')).toBeLessThan(
			terminal.output().indexOf('\x1b[?1049l'),
		);
	});

	it('a window that is closed', async () => {
		start();
		await terminal.untilText('ready');
		terminal.closeWindow();
		expect(await terminal.exit()).toEqual({code: 0, signal: 'SIGHUP'});
	});
});

describe('Ctrl-Z', () => {
	it('stops under a shell and comes back with a repaint', async () => {
		start({argv: ['bash', '--norc', '--noprofile', '-i'], env: {PS1: 'shell> '}});
		await terminal.untilText('shell>');
		await terminal.press(`${command.map(part => `'${part}'`).join(' ')}\r`);
		await terminal.untilText('ready 60x16');
		await terminal.press('ctrl+z');
		await terminal.untilText('Stopped');
		expect(terminal.isAlternate()).toBe(false);
		await terminal.press('fg\r');
		await terminal.until(
			({text, isAlternate}) => isAlternate && text.includes('repainted'),
			'repainted screen',
		);
		await terminal.press('q');
		await terminal.until(({isAlternate}) => !isAlternate, 'ordinary screen');
		await terminal.press('exit\r');
		expect(await terminal.exit()).toMatchObject({code: 0});
	});

	it('does nothing where no shell could wake us', async () => {
		start();
		await terminal.untilText('ready');
		await terminal.press('ctrl+z');
		await terminal.untilText('repainted');
	});
});

describe('a child', () => {
	const withChild = (...argv: string[]) => ({argv: [...command, '--child', ...argv]});

	it('gets the ordinary screen and every key', async () => {
		start({
			...withChild('claude', '--resume', 'a b'),
			env: {FAKE_AGENT_WAIT: '1', FAKE_AGENT_CODE: '3'},
		});
		await terminal.untilText('ready');
		await terminal.press('c');
		const {text} = await terminal.untilText('fake claude --resume a b');
		expect(text).toContain('starting');
		expect(terminal.isAlternate()).toBe(false);
		await terminal.press('k');
		await terminal.untilText('back {"code":3,"signal":null}');
		expect(terminal.isAlternate()).toBe(true);
		expect(home.runs()).toMatchObject([{name: 'claude', argv: ['--resume', 'a b']}]);
		await terminal.press('x');
		expect(await terminal.exit()).toEqual({code: 4, signal: null});
		expect(terminal.sttyIsCooked()).toBe(true);
	});

	it('may be interrupted without ending us', async () => {
		start(withChild('sh', '-c', 'echo sleeping; exec sleep 60'));
		await terminal.untilText('ready');
		await terminal.press('c');
		await terminal.untilText('sleeping');
		await terminal.press('ctrl+c');
		await terminal.untilText('back {"code":null,"signal":"SIGINT"}');
		await terminal.press('z');
		await terminal.untilText('<z>');
	});

	it('that leaves the terminal raw and the mouse on does not spoil it for the next', async () => {
		const script = 'stty | grep -c -e -icanon; stty raw -echo; printf "\\033[?1000h"; kill -9 $$';
		start(withChild('sh', '-c', script));
		await terminal.untilText('ready');
		for (const round of [1, 2]) {
			await terminal.press('c');
			await terminal.until(
				() => terminal.output().split('back {"code":null,"signal":"SIGKILL"}').length > round,
				`back from child ${round}`,
			);
			const [before, after] = terminal.output().split('\x1b[?1000h').slice(-2);
			expect(before).toMatch(/starting\r\n0\r\n$/);
			expect(after).toContain('\x1b[?1000l');
		}
		await terminal.press('q');
		await terminal.exit();
		expect(terminal.sttyIsCooked()).toBe(true);
	});

	it('that does not exist is an error on our screen', async () => {
		start(withChild('no-such-agent'));
		await terminal.untilText('ready');
		await terminal.press('c');
		await terminal.untilText('ChildError: no-such-agent was not found');
		expect(terminal.isAlternate()).toBe(true);
	});

	it('ends with us on SIGTERM', async () => {
		start(withChild('sh', '-c', 'trap "echo told; exit" TERM; echo waiting; read line'));
		await terminal.untilText('ready');
		await terminal.press('c');
		await terminal.untilText('waiting');
		terminal.kill('SIGTERM');
		expect(await terminal.exit()).toEqual({code: 143, signal: null});
		await terminal.untilText('told');
		expect(terminal.sttyIsCooked()).toBe(true);
	});
});

describe('editor, pager, clipboard', () => {
	it('hand the text over as a file, to a command with arguments', async () => {
		start({env: {EDITOR: 'claude --wait', VISUAL: '', PAGER: 'sed -n "s/^/paged /p; s/x/y/"'}});
		await terminal.untilText('ready');
		await terminal.press('e');
		await terminal.untilText('back {"code":0');
		const [run] = home.runs();
		expect(run?.argv).toEqual(['--wait', expect.stringMatching(/^\/.*\/notes\.md$/)]);
		await terminal.press('p');
		await terminal.until(
			() => terminal.output().includes('paged first line\r\npaged last line'),
			'output of the pager',
		);
	});

	it('say that there is no such editor', async () => {
		start({env: {EDITOR: 'no-such-editor'}});
		await terminal.untilText('ready');
		await terminal.press('e');
		await terminal.untilText('no-such-editor was not found');
	});

	it('copy through the terminal over SSH', async () => {
		start({env: {SSH_TTY: '/dev/pts/1'}});
		await terminal.untilText('ready');
		await terminal.press('y');
		await terminal.untilText('copied: terminal (OSC 52)');
		expect(terminal.clipboard()).toBe('text ✓');
	});
});

describe('--print', () => {
	it('draws on the terminal, while stdout carries nothing but the command', async () => {
		const script = `answer=$(${command.map(part => `'${part}'`).join(' ')} --print </dev/null); echo "[$answer]"`;
		start({argv: ['sh', '-c', script]});
		await terminal.untilText('ready 60x16');
		terminal.resize(50, 14);
		await terminal.untilText('ready 50x14');
		await terminal.press('down', 'q');
		expect(await terminal.exit()).toEqual({code: 0, signal: null});
		await terminal.untilText('[the command]');
		await expectGivenBack();
	});

	it('needs a terminal otherwise', async () => {
		start({argv: ['sh', '-c', `${command.map(part => `'${part}'`).join(' ')} </dev/null`]});
		expect(await terminal.exit()).toEqual({code: 1, signal: null});
		expect(terminal.screen().join(' ')).toContain('no terminal to draw on');
	});
});
