import {copyFileSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {deepseekHarness} from '../../adapters/deepseek-harness/index.js';
import {SourceUnreadable} from '../../adapters/types.js';
import {fixtureFolder, foldBatches, readBatches, restamp} from '../helpers/fixtures.js';
import {resumeOf, type StoreFiles, said, storeFiles} from '../helpers/store-files.js';

const ID = 'session-0d000000-0000-4000-8000-000000000001';
const FOLDER = `.dsh/sessions/--home-ada-orchard--/${ID}`;

let store: StoreFiles;
beforeEach(() => {
	store = storeFiles(deepseekHarness);
});
afterEach(() => store.dispose());

const header = (version: number, fields: object = {}): object => ({
	type: 'session',
	version,
	id: ID,
	createdAt: 1_790_000_000_000,
	...fields,
});
const event = (seq: number, type: string, data: object): object => ({
	type,
	seq,
	time: 1_790_000_000_000 + seq,
	data,
});
const user = (seq: number, text: string, kind = 'user'): object =>
	event(seq, 'user/message', {content: [{type: 'text', text}], source: {kind}});
const assistant = (seq: number, text: string, step: number): object =>
	event(seq, 'assistant/message', {turn: 0, step, message: {content: [{type: 'text', text}]}});
const pieces = (seq0: number, step: number, texts: readonly string[]): object => ({
	type: 'text-chunks',
	seq0,
	time0: 1_790_000_000_000,
	data: {turn: 0, step, index: 0, texts},
});

describe('generations', () => {
	test('only the newest counts, by number and not by name', () => {
		store.put(`${FOLDER}/session.jsonl`, [header(0), user(0, 'v0')]);
		store.put(`${FOLDER}/session.v3.jsonl`, [header(3), user(0, 'v3')]);
		expect(said(store.read())).toEqual([['user', 'v3']]);
		store.put(`${FOLDER}/session.v10.jsonl`, [header(4), user(0, 'v10')]);
		expect(store.sources().length).toBe(1);
		expect(said(store.read())).toEqual([['user', 'v10']]);
	});

	test('plain before compressed', () => {
		store.put(`${FOLDER}/session.v4.jsonl.zstd`, 'unreadable');
		store.put(`${FOLDER}/session.v4.jsonl`, [header(4), user(0, 'plain')]);
		expect(said(store.read())).toEqual([['user', 'plain']]);
	});

	test('a version that is not known cannot be read', () => {
		store.put(`${FOLDER}/session.v5.jsonl`, [header(5), user(0, 'v5')]);
		expect(() => store.read()).toThrow(SourceUnreadable);
	});
});

test('a compressed log goes on where it was left', () => {
	const path = `${FOLDER}/session.v4.jsonl.zstd`;
	const fixture = join(fixtureFolder('deepseek-harness'), 'home', path);
	const bytes = readFileSync(fixture);
	const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
	const thirdFrame = bytes.indexOf(magic, bytes.indexOf(magic, 1) + 1);
	store.put(path, bytes.subarray(0, thirdFrame));
	const source = store.source();
	const first = readBatches(deepseekHarness, source);
	expect(foldBatches(first).events.length).toBe(2);
	copyFileSync(fixture, join(store.home, path));
	const rest = readBatches(deepseekHarness, restamp(source), first.at(-1)?.cursor);
	expect(foldBatches([...first, ...rest])).toEqual(store.read());
});

describe('replies in pieces', () => {
	test('count only where no message holds them', () => {
		store.put(`${FOLDER}/session.jsonl`, [
			header(0),
			pieces(0, 0, ['one ', 'more']),
			assistant(2, 'one more', 0),
			pieces(3, 1, ['cut ', 'off']),
			event(5, 'turn/end', {turn: 0, reason: {kind: 'interrupted'}}),
		]);
		expect(said(store.read())).toEqual([
			['assistant', 'one more'],
			['assistant', 'cut off'],
			['meta', 'Turn ended: interrupted'],
		]);
	});
});

test('what plugins and checkpoints say was typed by nobody', () => {
	const kinds = ['plugin', 'time-context', 'compact-checkpoint', 'team-message'];
	store.put(`${FOLDER}/session.v4.jsonl`, [
		header(4),
		...kinds.map((kind, seq) => user(seq, kind, kind)),
	]);
	expect(said(store.read()).map(([who]) => who)).toEqual(kinds.map(() => 'meta'));
});

test('a parent makes a fork, or a sub-agent by its origin', () => {
	const parentOf = (fields: object) => {
		store.put(`${FOLDER}/session.v4.jsonl`, [header(4, {parentSession: 'p', ...fields})]);
		return store.read().facts.parent?.relation;
	};
	expect(parentOf({isSeeded: true})).toBe('fork');
	expect(parentOf({origin: 'subagent'})).toBe('subagent');
	expect(parentOf({delegationDepth: 2})).toBe('subagent');
});

test('resumes in the terminal app', () => {
	const plan = resumeOf(deepseekHarness, {id: ID, resumeEnv: {DSH_HOME: '/data/dsh'}});
	expect(plan).toEqual({
		argv: ['dsh', '--profile', 'tui', '--resume', ID],
		cwd: '/home/ada/orchard',
		env: {DSH_HOME: '/data/dsh'},
	});
	expect(resumeOf(deepseekHarness, {id: '--help'})).toHaveProperty('reason');
	expect(resumeOf(deepseekHarness, {id: ID, isSubagent: true})).toHaveProperty('reason');
});
