import {expect, test} from 'vitest';
import {createLibrary} from '../../../store/read/library.js';
import {said, seedSession, temporaryStore} from '../../helpers/seed.js';

const call = (text: string, files: readonly {path: string; change: 'read' | 'edit' | 'write'}[]) =>
	({kind: 'tool_use', toolName: 'Edit', text, files}) as const;

test('errors and code of a session, without what was rewound or copied', () => {
	const {database} = temporaryStore();
	seedSession(database, {
		id: 's1',
		events: [
			said('question'),
			{kind: 'tool_result', text: 'boom', isError: true},
			{kind: 'tool_result', text: 'undone boom', isError: true, state: 'undone'},
			{kind: 'tool_result', text: 'fine', isError: false},
			said('look:\n```ts\na\n```', 'assistant'),
			said('copied:\n```ts\na\n```', 'assistant'),
		],
	});
	database.exec("UPDATE event SET state = 'copied' WHERE text LIKE 'copied%'");
	expect(createLibrary(database).landmarks('claude-code:s1')).toEqual({errors: [1], code: [4]});
});

test('files: changed ones first, each with its first change, a call and its result once', () => {
	const {database} = temporaryStore();
	seedSession(database, {
		id: 's1',
		events: [
			call('read', [{path: '/w/a.ts', change: 'read'}]),
			call('read', [{path: '/w/readme.md', change: 'read'}]),
			call('edit', [{path: '/w/a.ts', change: 'edit'}]),
			{...call('result', [{path: '/w/a.ts', change: 'edit'}]), kind: 'tool_result'},
			call('write', [{path: '/w/b.ts', change: 'write'}]),
		],
	});
	database.exec("UPDATE event SET call_id = 'c1' WHERE position IN (2, 3)");
	expect(createLibrary(database).files('claude-code:s1')).toEqual([
		{path: '/w/a.ts', reads: 1, changes: 1, index: 2},
		{path: '/w/b.ts', reads: 0, changes: 1, index: 4},
		{path: '/w/readme.md', reads: 1, changes: 0, index: 1},
	]);
});
