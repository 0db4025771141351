/** Messages in rows and documents, apart from any agent. */
import {join} from 'node:path';
import fc from 'fast-check';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {chatCalls, chatContent} from '../../../adapters/shared/rows/chat.js';
import {argumentsOf} from '../../../adapters/shared/rows/events.js';
import {type MessageTable, messageRows} from '../../../adapters/shared/rows/messages.js';
import {buildDatabase, emptyHome, removeHome} from '../../helpers/fixtures.js';

let home: string;
beforeEach(() => {
	home = emptyHome();
});
afterEach(() => removeHome(home));

const TABLE: MessageTable = {
	name: 'messages',
	id: 'id',
	session: 'session_id',
	columns: ['id', 'body', 'missing'],
	documents: ['body'],
	order: ['missing', 'place'],
};

test('gives all rows of a session in order, however many', () => {
	const path = join(home, 'x.db');
	buildDatabase(
		path,
		`CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT, place INTEGER, body TEXT);
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 130)
		INSERT INTO messages SELECT 'm' || i, CASE WHEN i % 13 = 0 THEN 'other' ELSE 'own' END, -i, 'text ' || i FROM n;`,
	);
	const problems: unknown[] = [];
	const query = {sessionId: 'own', report: (problem: unknown) => problems.push(problem)};
	const ids = [...messageRows(path, TABLE, query)].map(row => row['id']);
	const wanted = Array.from({length: 130}, (_, index) => 130 - index).filter(i => i % 13 !== 0);
	expect(ids).toEqual(wanted.map(i => `m${i}`));
	expect(problems).toEqual([]);
});

test('content and calls of any shape give texts and never throw', () => {
	fc.assert(
		fc.property(fc.jsonValue(), value => {
			expect(chatContent(value).text).toBeTypeOf('string');
			for (const call of chatCalls(value)) expect(call.name).toBeTypeOf('string');
			expect(Array.isArray(argumentsOf(value))).toBe(false);
		}),
	);
});

test('arguments are an object, a text that holds one, or one text', () => {
	expect(argumentsOf({a: 1})).toEqual({a: 1});
	expect(argumentsOf('{"a":1}')).toEqual({a: 1});
	expect(argumentsOf('*** Begin Patch')).toEqual({input: '*** Begin Patch'});
	expect(argumentsOf('')).toEqual({});
	expect(argumentsOf(undefined)).toEqual({});
});
