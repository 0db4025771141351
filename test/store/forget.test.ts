import {copyFileSync, mkdirSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {forgetSessions} from '../../store/forget.js';
import {setMark} from '../../store/marks.js';
import {openStore} from '../../store/open.js';
import {withSubagents} from '../../store/session-tree.js';
import {syncPass} from '../../store/sync/engine.js';
import {mirrorFilesIn, mirrorToys} from '../helpers/mirror.js';
import {createToyWorld, line, type ToyWorld, toyAdapter} from '../helpers/toy-adapter.js';

let world: ToyWorld;
beforeEach(() => {
	world = createToyWorld();
});
afterEach(() => world.close());

const forget = (id: string): boolean =>
	forgetSessions(world.database, {
		folder: world.data,
		home: world.home,
		nowMs: 1,
		sessions: withSubagents(world.database, [Number(world.session(id)['id'])]),
	});

/** Files of the data folder that hold a text in plain. */
const holding = (text: string): readonly string[] =>
	readdirSync(world.data, {recursive: true, encoding: 'utf8'}).filter(name => {
		const path = join(world.data, name);
		return statSync(path).isFile() && readFileSync(path).includes(text);
	});

const filler = (name: string): readonly string[] =>
	Array.from({length: 300}, (_, index) => line(`${name}${index}`, `${name} filler ${index * 7}`));

describe('forget', () => {
	it.each([
		{passes: 'several passes', isOnePass: false},
		{passes: 'one pass', isOnePass: true},
	])(
		'leaves no word of a session in any file after $passes, and nothing that names it',
		async ({isOnePass}) => {
			world.write(
				'0a-secret-name.jsonl',
				line('k1', 'the xylophone zebra', {facts: {cwd: '/w/quagmire', customTitle: 'Wobbegong'}}),
				...Array.from({length: 200}, (_, n) => line(`x${n}`, `xylophone ${'pad '.repeat(n)}`)),
			);
			for (let n = 0; n < 8; n++) {
				world.write(`other${n}.jsonl`, ...filler(`n${n}`));
				if (!isOnePass) await world.sync();
			}
			// Another agent keeps its store in the projects that are known.
			const perProject = toyAdapter({
				id: 'other',
				roots: () => [{path: '/w/quagmire/.other', from: 'default', resumeEnv: {}}],
			});
			await world.sync({adapters: [toyAdapter(), perProject]});
			await mirrorToys(world);
			setMark(world.database, world.data, 'toy:0a-secret-name', {title: 'Numbat', note: 'Potoroo'});
			expect(holding('xylophone')).not.toEqual([]);
			expect(forget('0a-secret-name')).toBe(true);
			for (const word of [
				'xylophone',
				'zebra',
				'quagmire',
				'obbegong',
				'umbat',
				'Potoroo',
				'secret',
			])
				expect(holding(word), word).toEqual([]);
			expect(world.found('filler')).toHaveLength(8);
			expect(mirrorFilesIn(world.data)).toHaveLength(8);
			expect(world.database.pragma('integrity_check', {simple: true})).toBe('ok');
		},
	);

	it('keeps it out of the next pass, also a full one, and when its agent goes on with it', async () => {
		world.write('s1.jsonl', line('aa', 'how do tides work'));
		world.write('s2.jsonl', line('bb', 'another'));
		await world.sync();
		forget('s1');
		expect(await world.sync()).toMatchObject({added: 0, read: 0});
		expect(await world.sync({isFull: true})).toMatchObject({added: 0});
		world.write('s1.jsonl', line('aa', 'how do tides work'), line('cc', 'more'));
		await world.sync();
		expect(world.found('tides')).toEqual([]);
	});

	it('takes sub-agents along, also those that come later', async () => {
		world.write('s1.jsonl', line('aa', 'how do tides work'));
		const task = (id: string) => ({
			facts: {isSubagent: true, parent: {id: 's1', relation: 'subagent', certainty: 'exact'}},
			at: 5,
			k2: id,
		});
		const adapter = toyAdapter({
			*discover(root) {
				for (const item of toyAdapter().discover(root))
					if ('source' in item)
						yield {
							source: {
								...item.source,
								sessionId: item.source.sessionId?.replace('~', '/') ?? '',
							},
						};
			},
		});
		world.write('s1~x.jsonl', line('cc', 'look at the moon', task('x')));
		await world.sync({adapters: [adapter]});
		expect(world.found('moon')).toEqual(['s1/x']);
		forget('s1');
		world.write('s1~y.jsonl', line('dd', 'look at the moon', task('y')));
		await world.sync({adapters: [adapter]});
		expect(world.all('SELECT * FROM session')).toEqual([]);
	});

	it('gives a fork the records back that it copied', async () => {
		const shared = [
			line('aa', 'how do tides work', {
				usage: {key: 'u1', input: 5, output: 5, cacheRead: 0, cacheWrite: 0},
			}),
			line('bb', 'the moon pulls', {role: 'assistant'}),
		];
		world.write('s1.jsonl', ...shared, line('cc', 'only here'));
		world.write(
			's2.jsonl',
			...shared.map((text, index) =>
				index === 0
					? text.replace(
							'"usage"',
							'"facts":{"parent":{"id":"s1","relation":"fork","certainty":"exact"}},"usage"',
						)
					: text,
			),
			line('dd', 'and its own'),
		);
		await world.sync();
		expect(world.session('s2')).toMatchObject({prompts: 1, title: 'and its own'});
		expect(world.found('tides')).toEqual(['s1']);
		forget('s1');
		expect(world.texts('s2')).toEqual(['how do tides work', 'the moon pulls', 'and its own']);
		expect(world.session('s2')).toMatchObject({
			prompts: 2,
			replies: 1,
			input_tokens: 5,
			title: 'how do tides work',
			parent_id: null,
		});
		expect(world.found('tides')).toEqual(['s2']);
		await world.sync();
		await world.sync({isFull: true});
		expect(world.found('tides')).toEqual(['s2']);
	});

	it('is remembered by a database that is made anew', async () => {
		world.write('s1.jsonl', line('aa', 'how do tides work'));
		await world.sync();
		forget('s1');
		const folder = join(world.data, 'again');
		mkdirSync(folder);
		copyFileSync(join(world.data, 'forgotten.jsonl'), join(folder, 'forgotten.jsonl'));
		const anew = openStore(folder);
		const summary = await syncPass(anew, {
			adapters: [toyAdapter()],
			surroundings: () => ({
				home: world.home,
				platform: 'linux',
				env: {},
				extraRoots: [],
				projectDirs: [],
			}),
			now: () => 0,
		});
		expect(summary.agents[0]).toMatchObject({added: 0});
		anew.close();
	});
});
