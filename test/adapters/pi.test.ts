/** What is particular to Pi and oh-my-pi; the common promises are in contract.test.ts. */
import {appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {pi} from '../../adapters/pi/index.js';
import type {Cursor, ResumeRequest, Source} from '../../adapters/types.js';
import {
	discoverAll,
	emptyHome,
	type Folded,
	foldBatches,
	readBatches,
	removeHome,
	restamp,
	surroundingsOf,
} from '../helpers/fixtures.js';

const ID = '0b0c0001-1111-7222-8333-444455556666';
const FOLDER = '.pi/agent/sessions/--work--';

let home: string;
beforeEach(() => {
	home = emptyHome();
});
afterEach(() => removeHome(home));

const header = (id: string, more: object = {}): object => ({
	type: 'session',
	version: 3,
	id,
	timestamp: '2026-03-01T10:00:00.000Z',
	cwd: '/home/ada',
	...more,
});

const message = (id: string, parentId: string | null, role = 'user'): object => ({
	type: 'message',
	id,
	parentId,
	timestamp: '2026-03-01T10:00:01.000Z',
	message: {role, content: `text of ${id}`},
});

const textOf = (records: readonly object[]): string =>
	records.map(record => `${JSON.stringify(record)}\n`).join('');

const write = (path: string, records: readonly object[]): string => {
	const whole = join(home, path);
	mkdirSync(dirname(whole), {recursive: true});
	writeFileSync(whole, textOf(records));
	return whole;
};

const sourceAt = (path: string): Source => {
	const found = discoverAll(pi, surroundingsOf(home)).sources.find(source => source.path === path);
	if (found === undefined) throw new Error(`no source at ${path}`);
	return restamp(found);
};

const readAll = (path: string): Folded => foldBatches(readBatches(pi, sourceAt(path)));

const undoneKeys = ({events}: Folded): readonly string[] =>
	events.filter(({state}) => state === 'undone').map(({key}) => key);

describe('the tree', () => {
	const log = (...records: readonly object[]): string =>
		write(`${FOLDER}/2026-03-01T10-00-00-000Z_${ID}.jsonl`, [header(ID), ...records]);

	test('an entry on an earlier one leaves what lies between', () => {
		const path = log(message('a', null), message('b', 'a'), message('c', 'b'), message('d', 'a'));
		expect(undoneKeys(readAll(path))).toEqual(['b', 'c']);
	});

	test('a second root leaves all before it', () => {
		expect(undoneKeys(readAll(log(message('a', null), message('b', null))))).toEqual(['a']);
	});

	test('a branch that is gone back to is live again', () => {
		const path = log(
			message('a', null),
			message('b', 'a'),
			message('c', 'a'),
			{type: 'label', id: 'l', parentId: 'b', targetId: 'b'},
			{type: 'label', id: 'm', parentId: 'c', targetId: 'c'},
			message('d', 'b'),
		);
		expect(undoneKeys(readAll(path))).toEqual(['c']);
	});

	test('an entry whose parent was lost in a damaged line goes on from the last one', () => {
		expect(undoneKeys(readAll(log(message('a', null), message('c', 'lost'))))).toEqual([]);
	});

	test('any tree, read in any two parts, is live on the way to its last entry only', () => {
		const tree = fc.array(fc.nat(), {minLength: 2, maxLength: 14});
		fc.assert(
			fc.property(tree, fc.nat(), (choices, cut) => {
				const parents = choices.map((choice, index) => (index === 0 ? -1 : choice % index));
				const records = parents.map((parent, index) =>
					message(`n${index}`, parent === -1 ? null : `n${parent}`),
				);
				const split = 1 + (cut % (records.length - 1));
				const path = log(...records.slice(0, split));
				const first = readBatches(pi, sourceAt(path));
				appendFileSync(path, textOf(records.slice(split)));
				const rest = readBatches(pi, sourceAt(path), first.at(-1)?.cursor as Cursor);
				const live = new Set<number>();
				for (let step = records.length - 1; step !== -1; step = parents[step] ?? -1) live.add(step);
				const expected = records.flatMap((_, index) => (live.has(index) ? [] : [`n${index}`]));
				expect(undoneKeys(foldBatches([...first, ...rest]))).toEqual(expected);
				expect(undoneKeys(readAll(path))).toEqual(expected);
			}),
			{numRuns: 60},
		);
	});
});

test('a title that is overwritten in place is seen without a new line', () => {
	const slot = (title: string) => ({
		type: 'title',
		v: 1,
		title,
		source: 'user',
		pad: 'x'.repeat(9),
	});
	const path = write(`.omp/agent/sessions/-work/2026-03-01T10-00-00-000Z_${ID}.jsonl`, [
		slot('Old name'),
		header(ID),
		message('a', null),
	]);
	const first = readBatches(pi, sourceAt(path));
	expect(first.at(-1)?.facts.customTitle).toBe('Old name');
	writeFileSync(path, readFileSync(path, 'utf8').replace('Old name', 'New name'));
	const second = readBatches(pi, sourceAt(path), first.at(-1)?.cursor);
	expect(second.at(-1)?.facts.customTitle).toBe('New name');
	expect(second.flatMap(({events}) => events)).toEqual([]);
});

describe('the origin of a fork', () => {
	const fork = (parentSession: string): string | undefined => {
		const path = write(`${FOLDER}/2026-03-01T11-00-00-000Z_fork.jsonl`, [
			header('fork', {parentSession}),
			message('a', null),
		]);
		return readAll(path).facts.parent?.id;
	};

	test('is what the header of that file says, wherever the store lies now', () => {
		write(`${FOLDER}/2026-03-01T10-00-00-000Z_renamed.jsonl`, [header(ID)]);
		expect(fork('/gone/sessions/--work--/2026-03-01T10-00-00-000Z_renamed.jsonl')).toBe(ID);
	});

	test('is the id in its name when the file is gone', () => {
		expect(fork(`C:\\gone\\2026-03-01T10-00-00-000Z_${ID}.jsonl`)).toBe(ID);
		rmSync(join(home, FOLDER), {recursive: true});
		expect(fork(ID)).toBe(ID);
	});

	test('never makes us open a file outside', () => {
		const secret = join(home, 'elsewhere.jsonl');
		writeFileSync(secret, textOf([header('stolen')]));
		expect(fork(secret)).toBeUndefined();
	});
});

describe('roots', () => {
	const paths = (env: Record<string, string>) =>
		pi.roots(surroundingsOf('/h', env)).map(({path, resumeEnv}) => [path, resumeEnv]);
	const OMP = ['/h/.omp/agent', {}];

	test('follow the variables in the order in which the agent asks them', () => {
		expect(paths({})).toEqual([['/h/.pi/agent', {}], OMP]);
		expect(paths({PI_CODING_AGENT_DIR: '~/pi'})).toEqual([
			['/h/pi', {PI_CODING_AGENT_DIR: '/h/pi'}],
			OMP,
		]);
		const both = {PI_CODING_AGENT_DIR: '/x', PI_CODING_AGENT_SESSION_DIR: '/s'};
		expect(paths(both)).toEqual([['/s', {PI_CODING_AGENT_SESSION_DIR: '/s'}], OMP]);
	});

	test('a folder of nothing but sessions holds them directly', () => {
		const path = write(`flat/2026-03-01T10-00-00-000Z_${ID}.jsonl`, [header(ID)]);
		write('flat/notes.jsonl', [header('other')]);
		const around = surroundingsOf(home, {PI_CODING_AGENT_SESSION_DIR: join(home, 'flat')});
		expect(discoverAll(pi, around).sources.map(source => source.path)).toEqual([path]);
	});
});

describe('resume', () => {
	const request: ResumeRequest = {
		id: ID,
		cwd: '/home/ada',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/h/x.jsonl',
		resumeEnv: {},
		hint: {program: 'pi', by: 'id'},
	};

	test('by the whole id in the directory of the session', () => {
		expect(pi.resume(request)).toEqual({
			argv: ['pi', '--session', ID],
			cwd: '/home/ada',
			env: {},
			forkArgv: ['pi', '--fork', ID],
		});
	});

	test('by the path where the agent would not find the id', () => {
		const plan = pi.resume({...request, hint: {program: 'pi', by: 'path'}});
		expect(plan).toMatchObject({argv: ['pi', '--session', '/h/x.jsonl']});
		expect(pi.resume({...request, cwd: null})).toMatchObject({
			argv: ['pi', '--session', '/h/x.jsonl'],
			cwd: null,
		});
	});

	test('with the program that wrote the session', () => {
		const plan = pi.resume({...request, hint: {program: 'omp', by: 'id'}});
		expect(plan).toMatchObject({argv: ['omp', '--resume', ID], forkArgv: ['omp', '--fork', ID]});
	});

	test('refuses ids that would be options or paths, and sub-agents', () => {
		for (const id of ['--print', '../x', '', 'a b']) {
			expect(pi.resume({...request, id})).toHaveProperty('reason');
		}
		expect(pi.resume({...request, isSubagent: true, parentId: 'p'})).toEqual({
			reason: expect.stringContaining('pi --session p'),
		});
	});
});
