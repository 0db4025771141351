import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import type {AdapterEvent, SessionFacts} from '../../adapters/model.js';
import type {Batch} from '../../adapters/types.js';
import {bufferContent} from '../../source/archive/contents.js';
import {readRawEvent} from '../../source/raw-event.js';
import {importSession} from '../../store/import.js';
import {rootViews} from '../../store/read/problems.js';
import {createToyWorld, line, type ToyWorld} from '../helpers/toy-adapter.js';

let world: ToyWorld;
beforeEach(() => {
	world = createToyWorld();
});
afterEach(() => world.close());

const talk = line('aa', 'how do terns fly') + line('bb', 'on long wings');
const events: readonly AdapterEvent[] = [
	{
		key: 'aa',
		kind: 'message',
		role: 'user',
		text: 'how do terns fly',
		locator: {offset: 0, length: line('aa', 'how do terns fly').length - 1},
	},
	{
		key: 'bb',
		kind: 'message',
		role: 'assistant',
		text: 'on long wings',
		locator: {
			offset: line('aa', 'how do terns fly').length,
			length: line('bb', 'on long wings').length - 1,
		},
	},
];

const batch = (facts: SessionFacts = {}): Batch => ({
	sessionId: 'x',
	facts,
	events,
	usage: [],
	problems: [],
	unknown: {},
	undo: [],
	cursor: {offset: 0, lineNumber: 0, state: null},
});

const importTalk = (facts?: SessionFacts) =>
	importSession(
		world.database,
		{
			nativeId: 'imported-1',
			provenance: {
				format: 'transcript',
				agent: 'toy',
				originalId: 'x',
				path: '/elsewhere/talk.jsonl',
				sha256: 'abc',
				importedAt: '2026-01-01T00:00:00.000Z',
			},
			batches: [batch(facts)],
			content: bufferContent(Buffer.from(talk), {
				path: '/elsewhere/talk.jsonl',
				root: '',
				kind: 'import',
				stamp: '1',
			}),
		},
		{folder: world.data, home: world.home, nowMs: 0},
	);

describe('an imported session', () => {
	it('is one, however often its file comes', () => {
		expect(importTalk()).toEqual({ref: 'toy:imported-1', isNew: true});
		expect(importTalk()).toEqual({ref: 'toy:imported-1', isNew: false});
		expect(world.all('SELECT * FROM session')).toHaveLength(1);
		expect(world.session('imported-1')).toMatchObject({
			kind: 'imported',
			title: 'how do terns fly',
			prompts: 1,
			replies: 1,
			source_state: 'present',
		});
		expect(world.found('terns')).toEqual(['imported-1']);
	});

	it('gives its raw records out of our own copy', () => {
		importTalk();
		const rows = world.all<{id: number}>('SELECT id FROM event ORDER BY position');
		expect(rows.map(({id}) => readRawEvent(world.database, [], id))).toEqual(
			talk.trimEnd().split('\n'),
		);
	});

	it('hangs on no other session, though it holds the same records', async () => {
		world.write('s1.jsonl', line('aa', 'how do terns fly'), line('cc', 'its own'));
		await world.sync();
		importTalk({parent: {id: 's1', relation: 'fork', certainty: 'exact'}, archived: true});
		world.write(
			's1.jsonl',
			line('aa', 'how do terns fly'),
			line('cc', 'its own'),
			line('dd', 'more'),
		);
		await world.sync();
		expect(world.session('s1')).toMatchObject({parent_native: null, prompts: 3});
		expect(world.session('imported-1')).toMatchObject({parent_native: null, prompts: 1});
		expect(world.found('terns')).toEqual(['imported-1', 's1']);
	});

	it('stays through every pass, and adds no place to look into', async () => {
		importTalk();
		await world.sync();
		await world.sync({isFull: true});
		expect(world.session('imported-1')).toMatchObject({source_state: 'present', prompts: 1});
		expect(rootViews(world.database).map(({path}) => path)).not.toContain('imported');
	});
});
