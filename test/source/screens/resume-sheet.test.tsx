import {render} from 'ink-testing-library';
import {afterEach, describe, expect, test, vi} from 'vitest';
import {App} from '../../../source/app/app.js';
import type {ResumeSheet} from '../../../source/app/backend.js';
import {createTheme} from '../../../source/terminal/theme.js';
import {widthOf} from '../../../source/terminal/width.js';
import {resumeSheet, row, session, testApp} from '../../helpers/app.js';

const theme = createTheme({name: 'default', isColour: false, isUnicode: true});
const hostile = 'a\u001b[2J\u0007b\nc\u202e';
const a = session('a', {title: `Fix token refresh ${hostile}`});

let open: (() => void)[] = [];
afterEach(() => {
	for (const close of open) close();
	open = [];
});

type Answers = Parameters<typeof testApp>[0];

const start = async (columns: number, rows: number, answers: Answers) => {
	const list = () => ({total: 1, rows: [row(a)], nextCursor: null, note: null});
	const app = testApp({list, ...answers}, {size: {columns, rows}});
	const {lastFrame, unmount} = render(<App store={app.store} theme={theme} />);
	open.push(app.stop, unmount);
	await app.settled();
	const lines = () => (lastFrame() ?? '').split('\n');
	const press = async (...keys: readonly string[]) => {
		app.press(...keys);
		await app.settled();
		// What is shown is never larger than the screen, and never holds what a terminal would obey.
		expect(lines().length).toBeLessThan(rows);
		for (const line of lines()) expect(widthOf(line)).toBeLessThanOrEqual(columns);
		expect(lines().join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
	};
	const until = (text: string | RegExp) =>
		vi.waitFor(() => expect(lines().join('\n')).toMatch(text), {timeout: 3_000, interval: 5});
	app.store.dispatch({type: 'resized', size: {columns, rows}});
	await app.settled();
	return {...app, press, until, lines};
};

const gone: Partial<ResumeSheet> = {
	plan: null,
	isDirectoryMissing: true,
	checks: [
		{
			label: 'directory',
			text: `/home/kim/${'deep/'.repeat(12)}${hostile} is gone`,
			state: 'warning',
		},
		{label: 'program', text: '/bin/claude', state: 'ok'},
		{label: 'last written', text: 'just now, perhaps running now', state: 'warning'},
	],
	directories: Array.from({length: 6}, (_, index) => ({
		path: `/home/kim/place ${index} ${hostile}`,
		why: 'another worktree',
	})),
};

describe.each([
	[120, 40],
	[50, 15],
	[40, 10],
	[20, 6],
])('at %i×%i', (columns, rows) => {
	test('the sheet fits, and every way to go can be reached', async () => {
		const app = await start(columns, rows, {resumeSheet: () => resumeSheet(a, gone)});
		await app.press('ctrl+r');
		await app.until('Resume with');
		const labels = ['place 0', 'place 5', 'in another', 'copy the', 'hand over', 'as a fork'];
		for (const label of labels) {
			for (let step = 0; step < 12; step++) {
				if (app.lines().some(line => line.includes('▌') && line.includes(label))) break;
				await app.press('down');
			}
			await app.until(new RegExp(`▌.*${label}`));
		}
		await app.press('d', ...'x', 'escape', 'e', ...`it's`, 'enter');
	});

	test('the hand-over fits, from its first line to its last', async () => {
		const text = `first line ${hostile}\n${'words '.repeat(3000)}\nlast line`;
		const plan = {argv: ['codex', text], cwd: '/w', env: {}};
		const takers = ['codex', 'amp', 'pi', 'omp', 'qwen', 'kimi', 'fx'].map(id => ({
			id,
			label: `Agent ${id}`,
			command: `cd '/w ${hostile}' && ${id} '(the record)'`,
			plan,
		}));
		const app = await start(columns, rows, {
			handOver: () => ({text, about: `18,000 characters · ${hostile}`, takers}),
		});
		await app.press('alt+h');
		await app.until('Agent codex');
		await app.press('up', 'down', 'j', 'j', 'j', 'j', 'j');
		await app.until(/▌ Agent fx/);
		await app.press('space', 'end');
		if (rows > 6) await app.until('last line');
		await app.press('home', 'enter');
		expect(app.done[0]).toContain('run codex first line');
	});
});

describe('in a small terminal', () => {
	test('what stands in the way is said before all else', async () => {
		const argv = ['claude', '--resume', '0a1b2c3d-1111-4111-8111-111111111111'];
		const app = await start(40, 10, {resumeSheet: () => resumeSheet(a, {...gone, argv})});
		await app.press('ctrl+r');
		await app.until('is gone');
		await app.until('perhaps running now');
		expect(app.lines().join('\n')).not.toContain('/bin/claude');
	});
});

test('a check that found nothing wrong is in sight where there is room, with the version of the program', async () => {
	const app = await start(100, 30, {});
	await app.press('ctrl+r');
	await app.until(/program +✓ 7\.8\.9 · \/bin\/claude/);
	await app.until(/directory +✓ exists, on main/);
});

test('when nothing was said in the session that stands where the agents would', async () => {
	const app = await start(100, 30, {
		handOver: () => {
			throw new Error('nothing was said in this session');
		},
	});
	await app.press('alt+h');
	await app.until('nothing was said in this session');
	await app.press('enter');
	expect(app.done).toEqual([]);
});

test('a transcript that cannot be put back: the sheet says why', async () => {
	const app = await start(100, 30, {
		resumeSheet: () =>
			resumeSheet(a, {
				argv: [],
				plan: null,
				command: '',
				checks: [],
				reason: 'Claude Code deleted the transcript of this session',
				remedy: 'restore',
			}),
		restore: () => {
			throw new Error('cannot be put back: it was never mirrored');
		},
	});
	await app.press('ctrl+r', 'R');
	await app.until('cannot be put back: it was never mirrored');
	await app.until('put the transcript back');
});
