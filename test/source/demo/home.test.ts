import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {adapters} from '../../../adapters/registry.js';
import {createDemoHome} from '../../../source/demo/home.js';
import {stories} from '../../../source/demo/stories.js';
import {discoverAll, readFolded, surroundingsOf} from '../../helpers/fixtures.js';

const now = Date.UTC(2026, 10, 30, 12);

test('every story is a session that its adapter reads without a problem', () => {
	const demo = createDemoHome(now);
	try {
		const around = surroundingsOf(demo.home);
		const read = adapters.flatMap(adapter =>
			discoverAll(adapter, around).sources.map(source => readFolded(adapter, source)),
		);
		const main = read.filter(({facts}) => !facts.isSubagent);
		const forks = stories.filter(({fork}) => fork !== undefined);
		expect(main).toHaveLength(stories.length + forks.length);
		expect(read.some(({events}) => events.some(({state}) => state === 'undone'))).toBe(true);
		expect(read.some(({events}) => events.some(({kind}) => kind === 'summary'))).toBe(true);
		for (const {problems, unknown, events} of read) {
			expect(problems).toEqual([]);
			expect(unknown).toEqual({});
			expect(events.length).toBeGreaterThan(0);
			for (const {atMs} of events) expect(atMs).toBeLessThanOrEqual(now);
		}
		expect(read.filter(({facts}) => facts.isSubagent)).toHaveLength(3);
	} finally {
		demo.dispose();
	}
	expect(existsSync(demo.home)).toBe(false);
	expect(existsSync(join(demo.dataFolder, 'history.db'))).toBe(false);
});
