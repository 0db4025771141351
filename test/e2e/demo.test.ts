import {resolve} from 'node:path';
import {afterEach, beforeEach, expect, it, vi} from 'vitest';
import {createHome, type Home} from '../helpers/home.js';
import {openTerminal, type Terminal} from './terminal.js';

const BIN = resolve('dist/cli.js');

let world: Home;
let terminal: Terminal | undefined;
beforeEach(() => {
	world = createHome(['claude', 'codex', 'xdg-open']);
});
afterEach(() => {
	terminal?.dispose();
	world.remove();
});

/** The app on the demo history, with all of it read. */
const start = async (columns = 110, rows = 32): Promise<Terminal> => {
	const app = openTerminal({
		argv: [process.execPath, BIN, '--demo'],
		columns,
		rows,
		cwd: world.path,
		env: {
			...world.env,
			LANG: 'C.UTF-8',
			BACKSCROLL_HOME: world.file('backscroll'),
			// Copies go to the terminal, where the test can see them.
			SSH_TTY: '/dev/pts/0',
			TMUX: '',
		},
	});
	terminal = app;
	await app.untilText('synced just now');
	await app.untilText('Why does the staging');
	return app;
};

const line = (app: Terminal, text: string): string =>
	app.screen().find(row => row.includes(text)) ?? '';

it('finds its way in a session: outline, files, errors, code, sub-agents and back', async () => {
	const app = await start();
	await app.press('enter');
	await app.untilText('1 of 3');

	await app.press('o');
	await app.untilText(/Outline · 3 prompts/);
	expect(line(app, 'yes, the first one')).toMatch(/1 error +3 tools +1 file +39 min/);
	await app.press(...'websocket', 'enter');
	await app.untilText('3 of 3');

	await app.press('f');
	await app.untilText(/src\/auth\/middleware\.ts +1 change +1 read/);
	await app.press('enter');
	await app.untilText(/42 {2}− +const token = await refresh\(request\);/);

	await app.press('>');
	await app.until(() => /^▌▸ Bash/.test(line(app, 'exit 1')), 'the failed call marked');
	await app.press('enter');
	await app.untilText('AssertionError: expected 2 to be 1');

	await app.press(')', 'Y');
	await app.untilText('code copied');
	expect(app.clipboard()).toBe(
		'const refresh = once((session: Session) => api.refresh(session.token));',
	);

	await app.press('G');
	await app.untilText(/Agent {2}"Find all readers/);
	await app.press('c');
	await app.untilText(/sub-agent of Fix token refresh/);
	await app.press('q');
	await app.untilText(/Agent {2}"Find all readers/);
});

it('shows what was rewound and summed up only when asked, and opens images and forks', async () => {
	const app = await start();
	await app.press(...'dark mode', 'enter');
	await app.untilText('forked into and what would it take');
	await app.untilText('▸ rewound · 2 steps');
	expect(app.shown().text).not.toContain('just invert all colours');
	await app.press('w');
	await app.untilText('just invert all colours');
	await app.press('w', 'g', '}');
	await app.untilText(/^▌❯ \[image png/m);
	await app.press('enter');
	await app.untilText('opened ');
	// The opener is a program of its own: it writes its line when it gets to run.
	await vi.waitFor(() => expect(world.runs()).toMatchObject([{name: 'xdg-open'}]), 10_000);
	await app.press('g', 'enter');
	await app.untilText('forked from Dark mode');
	await app.press('q');
	await app.untilText('Dark mode for the settings page');
});

it('groups, renames, tags, filters, scans and forgets', async () => {
	const app = await start();
	await app.press('ctrl+o', 'ctrl+o');
	await app.untilText(/api-server ─+/);
	// Each Escape is seen before the next key: read at once with it, it would be Alt with that key.
	await app.press('escape');
	await app.until(({text}) => !/api-server ─+/.test(text), 'no groups');
	await app.press('f2', 'ctrl+u', ...'My own title', 'enter');
	await app.untilText('renamed');
	await app.untilText(/▌Claude +My own title/);

	await app.press('ctrl+f');
	await app.untilText('[project]');
	await app.press(...'infra', 'tab', 'enter');
	await app.untilText('› project:infra');
	await app.untilText('3 sessions');
	await app.press('escape');
	await app.untilText('› ▏');
	await app.press(...'toolu_demo');
	await app.untilText('occurs nowhere');
	await app.press('ctrl+d');
	await app.untilText(/raw transcripts: \d+ sessions/);
	await app.press('escape');
	await app.untilText('occurs nowhere');
	await app.press('escape');
	await app.untilText('› ▏');
	await app.press('home', 'alt+x');
	await app.untilText('Forget 1 session?');
	await app.press('y');
	await app.untilText('forgotten: 1 session');
	await app.until(({text}) => !text.includes('My own title'), 'the session gone');
});

it('says what the history adds up to, and where it comes from', async () => {
	const app = await start();
	await app.press('f4');
	await app.untilText(/11 sessions · 3 sub-agents · 18 prompts/);
	expect(line(app, 'Claude Code')).toMatch(/Claude Code +7 +12 .*█/);
	await app.press('tab');
	await app.untilText('[90 days]');
	await app.press('escape');
	await app.untilText('↵ read');
	await app.press('f3');
	await app.untilText(/Claude Code {2}~\/\.claude/);
	await app.untilText('the agent deletes sessions after 30 days');
});
