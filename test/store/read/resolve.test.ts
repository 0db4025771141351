import {describe, expect, it} from 'vitest';
import {createLibrary} from '../../../store/read/library.js';
import {type SeedSession, said, seedSession, temporaryStore} from '../../helpers/seed.js';

const ID = 'b4310001-5c3e-4a7b-9d21-6f0e8a310001';
const TWIN = 'b4310001-5c3e-4a7b-9d21-6f0e8a319999';

const resolver = (...sessions: readonly SeedSession[]) => {
	const {database} = temporaryStore();
	const seeded = sessions.map(session => seedSession(database, session));
	const library = createLibrary(database);
	return {
		database,
		library,
		seeded,
		resolve: (text: string) => {
			const found = library.resolve(text);
			if (found.found === 'session') return found.session.ref;
			if (found.found === 'event') return `event ${found.event.ref}`;
			return found.found === 'several' ? [...found.candidates].sort() : 'none';
		},
	};
};

describe('resolve', () => {
	const plain: SeedSession = {
		id: ID,
		events: [
			{...said('a'), key: 'f177ccc7'},
			{...said('b'), key: 'f177ccc7.1'},
		],
	};

	it.each([
		[`claude-code:${ID}`, `claude-code:${ID}`],
		[ID, `claude-code:${ID}`],
		['b43100', `claude-code:${ID}`],
		['claude-code:b43100', `claude-code:${ID}`],
		['b4310', 'none'],
		['codex:b43100', 'none'],
		['', 'none'],
		[':', 'none'],
		[`claude-code:${ID}:f177ccc7`, `event claude-code:${ID}:f177ccc7`],
		[`claude-code:${ID}:f177ccc7.1`, `event claude-code:${ID}:f177ccc7.1`],
		[`claude-code:${ID}:f177`, 'none'],
		[`claude-code:${ID}:nothere`, 'none'],
		['%', 'none'],
	])('%s', (text, expected) => {
		expect(resolver(plain).resolve(text)).toBe(expected);
	});

	it('an ambiguous beginning lists its candidates', () => {
		const {resolve} = resolver({id: ID}, {id: TWIN, agent: 'codex'});
		expect(resolve('b43100')).toEqual([`claude-code:${ID}`, `codex:${TWIN}`]);
		expect(resolve('codex:b43100')).toBe(`codex:${TWIN}`);
		expect(resolve(ID)).toBe(`claude-code:${ID}`);
	});

	it('the same id of two agents is ambiguous without the agent', () => {
		const {resolve} = resolver({id: ID}, {id: ID, agent: 'codex'});
		expect(resolve(ID)).toEqual([`claude-code:${ID}`, `codex:${ID}`]);
		expect(resolve(`codex:${ID}`)).toBe(`codex:${ID}`);
	});

	it('an exact match wins over beginnings', () => {
		const {resolve} = resolver({id: 'session-1'}, {id: 'session-12'}, {id: 'session-123'});
		expect(resolve('session-1')).toBe('claude-code:session-1');
		expect(resolve('session-12')).toBe('claude-code:session-12');
	});

	it('session ids may hold colons', () => {
		const {resolve} = resolver(
			{id: 'agent:main:cron', agent: 'openclaw', events: [{...said('x'), key: 'k1'}]},
			{id: 'agent:main', agent: 'openclaw', events: [{...said('x'), key: 'cron'}]},
		);
		expect(resolve('openclaw:agent:main:cron')).toBe('openclaw:agent:main:cron');
		expect(resolve('openclaw:agent:main:cron:k1')).toBe('event openclaw:agent:main:cron:k1');
		expect(resolve('agent:main:cron')).toBe('openclaw:agent:main:cron');
	});

	it('a sub-agent fits by its whole id, its own id, or a beginning past the slash', () => {
		const {resolve} = resolver(
			{id: ID},
			{id: `${ID}/aeac865ee905e6f23`, kind: 'subagent', parent: {id: ID, relation: 'subagent'}},
			{id: `${ID}/agent-0`, kind: 'subagent', parent: {id: ID, relation: 'subagent'}},
			{id: `${TWIN}/agent-0`, kind: 'subagent', parent: {id: TWIN, relation: 'subagent'}},
		);
		expect(resolve(`claude-code:${ID}/agent-0`)).toBe(`claude-code:${ID}/agent-0`);
		expect(resolve('aeac865ee905e6f23')).toBe(`claude-code:${ID}/aeac865ee905e6f23`);
		expect(resolve(`${ID}/aea`)).toBe(`claude-code:${ID}/aeac865ee905e6f23`);
		expect(resolve('agent-0')).toEqual([
			`claude-code:${ID}/agent-0`,
			`claude-code:${TWIN}/agent-0`,
		]);
		expect(resolve('b43100')).toBe(`claude-code:${ID}`);
		expect(resolve(`${ID}/`)).toBe('none');
	});

	it('an old key leads to its event, a copy to the original', () => {
		const {database, seeded, resolve, library} = resolver(
			{id: 'parent', events: [{...said('shared'), key: 'o1'}]},
			{id: 'fork', events: [said('own')]},
		);
		const [parent, fork] = seeded;
		database
			.prepare('INSERT INTO event_alias VALUES (?, ?, ?)')
			.run(fork?.rowId, 'oldkey', fork?.eventIds[0]);
		expect(resolve('claude-code:fork:oldkey')).toBe('event claude-code:fork:e0');
		database
			.prepare("UPDATE event SET state = 'copied', copy_of = ? WHERE id = ?")
			.run(parent?.eventIds[0], fork?.eventIds[0]);
		expect(resolve('claude-code:fork:e0')).toBe('event claude-code:parent:o1');
		expect(library.event('claude-code:fork:e0')?.session).toBe('claude-code:parent');
	});

	it('a hidden session is not there', () => {
		const {resolve} = resolver({id: ID, hiddenBy: 'guardian', events: [said('x')]});
		for (const text of [ID, `claude-code:${ID}`, 'b43100', `claude-code:${ID}:e0`])
			expect(resolve(text)).toBe('none');
	});
});
