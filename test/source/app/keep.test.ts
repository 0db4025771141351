/** What keeps sessions: put back, take in, fork, and what is said of all of them. */
import {afterEach, expect, it} from 'vitest';
import {event, row, session, testApp} from '../../helpers/app.js';

let stop: (() => void) | undefined;
afterEach(() => stop?.());

const settled = async (): Promise<void> => {
	for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve));
};

const one = session('a', {sourceState: 'deleted'});
const transcript = {
	session: one,
	total: 3,
	children: [],
	followers: [],
	parentTitle: null,
	parentIndex: null,
};
const events = ['how do terns fly', 'on long wings', 'and puffins'].map((text, index) =>
	event(index, text),
);

const opened = (answers: Parameters<typeof testApp>[0]) => {
	const app = testApp({
		list: () => ({total: 1, rows: [row(one)], nextCursor: null, note: null}),
		transcript: ref => ({...transcript, session: {...one, ref}}),
		events: () => events,
		...answers,
	});
	stop = app.stop;
	return app;
};

/** Picks an action of the palette by what is typed. */
const act = (app: ReturnType<typeof testApp>, words: string): void =>
	app.press('ctrl+k', ...words, 'enter');

it('a deleted transcript is put back from the list', async () => {
	const app = opened({restore: () => ({written: 2, existing: 0})});
	await settled();
	act(app, 'put back');
	await settled();
	expect(app.asked.find(({question}) => question === 'restore')?.parameters).toEqual([one.ref]);
	expect(app.store.getState().notice).toEqual({text: 'put back: 2 files', isProblem: false});
});

it('a file is taken in by its path, and why not is said where it was typed', async () => {
	let isRead = false;
	const app = opened({
		importFile(path) {
			if (!isRead) throw new Error(`${path} is not there`);
			return {sessions: ['claude-code:imported-1'], isNew: true, notTaken: 2};
		},
	});
	await settled();
	act(app, 'import a file');
	app.press(...'~/a.jsonl', 'enter');
	await settled();
	expect(app.store.getState().dialog).toMatchObject({
		kind: 'import',
		problem: '~/a.jsonl is not there',
	});
	isRead = true;
	app.press('enter');
	await settled();
	const {dialog, notice} = app.store.getState();
	expect(dialog).toBeNull();
	expect(notice?.text).toBe('imported: 1 session · 2 records not taken');
});

it('a fork goes up to the marked block and is read at once', async () => {
	const app = opened({fork: () => 'claude-code:fork-1'});
	await settled();
	app.press('enter');
	await settled();
	app.press('}');
	const {reader} = app.store.getState();
	act(app, 'fork up to here');
	await settled();
	const asked = app.asked.find(({question}) => question === 'fork')?.parameters;
	expect(asked?.slice(0, 2)).toEqual([one.ref, events[reader?.block ?? 0]?.ref]);
	expect(app.store.getState().reader?.ref).toBe('claude-code:fork-1');
	app.press('q');
	expect(app.store.getState().reader?.ref).toBe(one.ref);
});

it('what agents delete soon, and a history made anew, are said after a pass', async () => {
	const app = opened({
		upkeep: () => ({due: 'Claude Code deletes 3 sessions', setAside: '/data/history.db.damaged'}),
	});
	await settled();
	app.say({type: 'done', summary: {agents: [], ms: 1, pending: 0} as never});
	await settled();
	// The mirror may still be at what the line speaks of.
	expect(app.store.getState().due).toBeNull();
	app.say({type: 'settled'});
	await settled();
	const {due, notice} = app.store.getState();
	expect(due).toBe('Claude Code deletes 3 sessions');
	expect(notice?.text).toContain('/data/history.db.damaged');
});
