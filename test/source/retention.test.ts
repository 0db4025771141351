import {mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {claudeCode} from '../../adapters/claude-code/index.js';
import {geminiCli} from '../../adapters/gemini-cli.js';
import type {Root} from '../../adapters/types.js';
import {retentionLine, retentionViews} from '../../source/retention.js';
import {mirrorToys} from '../helpers/mirror.js';
import {createToyWorld, line, type ToyWorld, toyAdapter} from '../helpers/toy-adapter.js';

const rootAt = (path: string): Root => ({path, from: 'default', resumeEnv: {}});

describe('what the agents say of their clean-up', () => {
	let folder: string;
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'backscroll-retention-'));
	});
	afterEach(() => rmSync(folder, {recursive: true}));

	it.each([
		['{"cleanupPeriodDays": 90}', {days: 90, isStated: true}],
		['{"cleanupPeriodDays": 0}', {days: 1, isStated: true}],
		['{}', {days: 30, isStated: false}],
		['{broken', {days: 30, isStated: false}],
	])('Claude Code: %s', (settings, expected) => {
		writeFileSync(join(folder, 'settings.json'), settings);
		expect(claudeCode.retention?.(rootAt(folder))).toMatchObject(expected);
	});

	it.each([
		[
			'{"general": {"sessionRetention": {"enabled": true, "maxAge": "2w", "maxCount": 50}}}',
			{days: 14, maxSessions: 50, isStated: true},
		],
		['{"general": {"sessionRetention": {"enabled": false, "maxAge": "2w"}}}', undefined],
		['{"general": {"sessionRetention": {"maxAge": "soon"}}}', undefined],
		['{}', {days: 30, isStated: false}],
	])('Gemini CLI: %s', (settings, expected) => {
		writeFileSync(join(folder, 'settings.json'), settings);
		const retention = geminiCli.retention?.(rootAt(folder));
		if (expected === undefined) expect(retention).toBeUndefined();
		else expect(retention).toMatchObject(expected);
	});
});

describe('what falls due', () => {
	let world: ToyWorld;
	beforeEach(() => {
		world = createToyWorld();
	});
	afterEach(() => world.close());

	it('is counted, with what the mirror has of it', async () => {
		const day = 86_400;
		const nowMs = 100 * day * 1000;
		mkdirSync(join(world.home, 'toy'), {recursive: true});
		for (const [name, ageDays] of Object.entries({old: 29, due: 24, young: 5})) {
			const path = world.write(`${name}.jsonl`, line(name, `said by ${name}`));
			utimesSync(path, (100 - ageDays) * day, (100 - ageDays) * day);
		}
		await world.sync();
		const views = () =>
			retentionViews(world.database, {
				adapters: [toyAdapter({retention: () => ({days: 30, setting: 'x', isStated: true})})],
				surroundings: () => ({
					home: world.home,
					platform: 'linux',
					env: {},
					extraRoots: [],
					projectDirs: [],
				}),
				nowMs,
			});
		expect(views()).toMatchObject([{agent: 'toy', due: 2, mirrored: 0}]);
		expect(retentionLine(views())).toBe('Toy agent deletes 2 within 7 days, not mirrored');
		await mirrorToys(world);
		expect(retentionLine(views())).toBe('Toy agent deletes 2 within 7 days, mirrored');
		expect(retentionLine([])).toBeUndefined();
	});
});
