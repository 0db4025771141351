import {describe, expect, test} from 'vitest';
import type {ResumeSheet} from '../../../source/app/backend.js';
import {recordLines} from '../../../source/app/hand-over-dialog.js';
import {type ResumeDialog, selectedRow, sheetRows} from '../../../source/app/resume-dialog.js';
import type {AppState} from '../../../source/app/state.js';
import {beginning, given, listAction, press, resumeSheet, row, session} from '../../helpers/app.js';

const a = session('a');
const listed = given(beginning(), listAction([row(a)]));

const dialogOf = (state: AppState): ResumeDialog => {
	if (state.dialog?.kind !== 'resume') throw new Error('no sheet is open');
	return state.dialog;
};
/** The sheet that was asked for comes. */
const answered = (state: AppState, change: Partial<ResumeSheet> = {}): AppState =>
	given(state, {
		type: 'resume-sheet',
		sheet: resumeSheet(a, change),
		choice: dialogOf(state).choice,
	});
const opened = (change: Partial<ResumeSheet> = {}): AppState =>
	answered(press(listed, 'ctrl+r'), change);
const keys = (state: AppState) =>
	sheetRows(state, dialogOf(state))
		.map(({chord}) => chord)
		.join(' ');
const selected = (state: AppState) => {
	const dialog = dialogOf(state);
	const rows = sheetRows(state, dialog);
	return rows[selectedRow(rows, dialog)]?.chord;
};
const within = (state: AppState, settings: Partial<AppState['settings']>): AppState => ({
	...state,
	settings: {...state.settings, ...settings},
});

const refused = {argv: [], plan: null, command: '', checks: [], program: null, canFork: false};
const gone = {
	plan: null,
	isDirectoryMissing: true,
	directories: [
		{path: '/home/kim/app', why: 'main checkout'},
		{path: '/home/kim', why: 'nearest directory that exists'},
	],
};

describe('the ways to go', () => {
	test('as a rule: here, fork, arguments, permission, elsewhere, another agent, copy', () => {
		expect(keys(opened())).toBe('enter F e ! d h y');
	});

	test('inside tmux a window and a split as well', () => {
		const state = within(opened(), {isInsideTmux: true});
		expect(keys(state)).toBe('enter w s F e ! d h y');
		expect(press(state, 'w').outbox).toMatchObject([{type: 'run', place: 'window'}]);
		expect(press(state, 's').outbox).toMatchObject([{type: 'run', place: 'split'}]);
		expect(press(opened(), 'w').outbox).toEqual([]);
	});

	test('no fork and no way around permissions where the agent has none', () => {
		expect(keys(opened({canFork: false, unattendedFlags: []}))).toBe('enter e d h y');
	});

	test('with the directory gone: other places first, another one, the command only', () => {
		expect(keys(opened(gone))).toMatch(/^1 2 d y/);
	});

	test('without the program nothing is started', () => {
		const state = opened({plan: null, program: null});
		expect(keys(state)).toBe('h y F e ! d');
	});

	test('with the transcript deleted: put it back, or another agent', () => {
		const state = opened({
			...refused,
			reason: 'deleted',
			remedy: 'restore',
			hint: 'backscroll restore',
		});
		expect(keys(state)).toBe('R h y');
		expect(press(state, 'enter').outbox).toEqual([{type: 'restore', session: a.ref}]);
	});

	test('of a sub-agent: the session that started it', () => {
		const parent = session('parent');
		const state = opened({...refused, reason: 'a sub-agent', remedy: 'parent', parent});
		expect(keys(state)).toBe('p h');
		expect(dialogOf(press(state, 'p'))).toMatchObject({session: parent, isStale: true});
	});

	test('of an archived one: the command that helps is copied', () => {
		const hint = 'codex unarchive a';
		const state = opened({...refused, reason: 'archived', remedy: 'unarchive', hint});
		expect(keys(state)).toBe('h y');
		expect(press(state, 'y').outbox).toMatchObject([{type: 'copy', text: hint}]);
	});

	test('of an agent that cannot resume: another agent', () => {
		expect(keys(opened({...refused, reason: 'cannot', remedy: 'hand-over'}))).toBe('h');
	});
});

describe('choosing', () => {
	test('Enter takes the selected row, which arrows and j, k move', () => {
		const state = opened();
		expect(press(state, 'enter').outbox).toMatchObject([
			{type: 'run', place: 'here', plan: {argv: ['claude', '--resume', 'a']}},
		]);
		expect(selected(press(state, 'down', 'j', 'k'))).toBe('F');
		expect(dialogOf(press(state, 'down', 'enter')).choice.isFork).toBe(true);
	});

	test('a choice asks for another sheet, which keys wait for', () => {
		const asked = press(opened(), 'F', 'enter');
		expect(asked.outbox).toEqual([]);
		const argv = ['claude', '--resume', 'a', '--fork-session'];
		const started = answered(asked, {plan: {argv, cwd: '/w', env: {}}});
		expect(started.outbox).toMatchObject([{type: 'run', plan: {argv}}]);
		expect(started.dialog).toBeNull();
	});

	test('the answer to an older choice is not shown', () => {
		const first = press(opened(), 'F');
		const second = given(first, {
			type: 'resume-sheet',
			sheet: resumeSheet(a, {command: 'old'}),
			choice: dialogOf(opened()).choice,
		});
		expect(dialogOf(second).isStale).toBe(true);
	});

	test('permission is skipped by its own key only, and asked for again by the same', () => {
		const once = press(opened(), '!');
		expect(dialogOf(once).choice.isUnattended).toBe(true);
		expect(dialogOf(press(answered(once), '!')).choice.isUnattended).toBe(false);
	});

	test('another directory is a choice to look at, and Escape takes it back', () => {
		const chosen = press(opened(gone), '1');
		expect(dialogOf(chosen).choice.directory).toBe('/home/kim/app');
		expect(chosen.outbox).toEqual([]);
		const back = press(answered(chosen), 'escape');
		expect(dialogOf(back)).toMatchObject({choice: {directory: null}, isStale: true});
		expect(press(answered(back), 'escape').dialog).toBeNull();
	});

	test('a deleted transcript that is back asks for the sheet again', () => {
		const state = opened({...refused, remedy: 'restore'});
		expect(dialogOf(given(state, {type: 'restored', session: a.ref})).isStale).toBe(true);
		expect(dialogOf(given(state, {type: 'restored', session: 'codex:x'})).isStale).toBe(false);
	});
});

describe('typing', () => {
	test('a directory, completed with Tab', () => {
		const typing = press(opened(gone), 'd', 'ctrl+u', ...'~/ap');
		const tab = press(typing, 'tab');
		expect(tab.outbox).toEqual([{type: 'complete-directory', text: '~/ap'}]);
		const completed = given(tab, {
			type: 'directory-completed',
			text: '~/ap',
			completion: {text: '~/app/', names: ['app', 'apple']},
		});
		expect(dialogOf(completed).field).toMatchObject({
			field: {text: '~/app/'},
			names: ['app', 'apple'],
		});
		expect(dialogOf(press(completed, 'enter')).choice.directory).toBe('~/app/');
	});

	test('a completion that comes too late changes nothing', () => {
		const typing = press(opened(), 'd', 'ctrl+u', ...'/w', 'tab', 'x');
		const late = given(typing, {
			type: 'directory-completed',
			text: '/w',
			completion: {text: '/wide/', names: []},
		});
		expect(dialogOf(late).field?.field.text).toBe('/wx');
	});

	test('arguments, taken apart as a shell would', () => {
		const typing = press(opened(), 'e', ...`--model 'big one' x"y z"`, 'enter');
		expect(dialogOf(typing).choice.words).toEqual(['--model', 'big one', 'xy z']);
		const again = press(answered(typing), 'e');
		expect(dialogOf(again).field?.field.text).toBe(`--model 'big one' 'xy z'`);
	});

	test('an open quote is said, and nothing else happens', () => {
		const typing = press(opened(), 'e', ...`it's`, 'enter');
		expect(dialogOf(typing).field?.problem).toBe('a quote is not closed');
		expect(dialogOf(typing).isStale).toBe(false);
		expect(dialogOf(press(typing, 'backspace')).field?.problem).toBeNull();
	});

	test('every letter goes into the field; Escape closes only that', () => {
		const typing = press(opened(), 'e', ...'qhy!');
		expect(dialogOf(typing).field?.field.text).toBe('qhy!');
		expect(dialogOf(press(typing, 'escape')).field).toBeNull();
	});
});

describe('for the shell', () => {
	const printing = within(listed, {isPrint: true});

	test('Enter in the list asks for the command at once', () => {
		expect(press(printing, 'enter').outbox).toMatchObject([{type: 'print-command'}]);
	});

	test('the sheet puts the command on the command line instead of running it', () => {
		const state = within(opened(), {isPrint: true, isInsideTmux: true});
		expect(keys(state)).toMatch(/^enter F/);
		expect(press(state, 'enter').outbox).toEqual([{type: 'quit', print: 'claude --resume a'}]);
	});
});

describe('handing over', () => {
	const plan = {argv: ['amp', 'what was said'], cwd: '/w', env: {}};
	const text = Array.from({length: 200}, (_, index) => `line ${index}`).join('\n');
	const offer = {
		text,
		about: '13 characters',
		takers: [
			{id: 'codex', label: 'Codex', command: 'codex', plan: {...plan, argv: ['codex', 'x']}},
			{id: 'amp', label: 'Amp', command: 'amp', plan},
		],
	};
	const asked = press(press(opened(gone), 'h'));
	const offered = given(asked, {type: 'hand-over', session: a.ref, offer});

	test('starts what was chosen, once it is known what that gets', () => {
		expect(asked.outbox).toEqual([]);
		expect(press(opened(), 'h').outbox).toEqual([
			{type: 'hand-over', session: a.ref, directory: null},
		]);
		expect(press(asked, 'enter').outbox).toEqual([]);
		expect(press(offered, 'j', 'enter').outbox).toMatchObject([{type: 'run', plan, place: 'here'}]);
	});

	test('the text that is sent can be read to its end', () => {
		const end = press(offered, 'end');
		expect(end.dialog).toMatchObject({kind: 'hand-over', selected: 0});
		const {top} = end.dialog as Extract<AppState['dialog'], {kind: 'hand-over'}>;
		const shown = recordLines(text, end.size).slice(top);
		expect(shown.at(-1)).toBe('line 199');
		expect(shown.length).toBeLessThan(30);
		expect(press(end, 'home').dialog).toMatchObject({top: 0});
	});

	test('goes where the sheet would, and back to it', () => {
		const elsewhere = answered(press(opened(gone), '1'));
		const handing = press(elsewhere, 'h');
		expect(handing.outbox).toMatchObject([{directory: '/home/kim/app'}]);
		expect(press(handing, 'escape').dialog).toEqual(elsewhere.dialog);
	});
});
