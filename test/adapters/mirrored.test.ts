import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {claudeCode} from '../../adapters/claude-code/index.js';
import {adapters} from '../../adapters/registry.js';
import {readRaw} from '../../adapters/shared/read-raw.js';
import type {Adapter, Source} from '../../adapters/types.js';
import {copyFixture, discoverAll, type FixtureHome} from '../helpers/fixtures.js';

const withFixture = (adapter: Adapter): {readonly sources: () => readonly Source[]} => {
	let fixture: FixtureHome;
	beforeAll(() => {
		fixture = copyFixture(adapter.id);
	});
	afterAll(() => fixture.dispose());
	return {sources: () => discoverAll(adapter, fixture.around).sources};
};

const withRows = adapters.filter(adapter => adapter.rows !== undefined);

describe.each(withRows.map(adapter => ({id: adapter.id, adapter})))('rows of $id', ({adapter}) => {
	const fixture = withFixture(adapter);

	it('hold the raw record of every event that lies in a row', () => {
		let compared = 0;
		for (const source of fixture.sources()) {
			if (source.key === source.path) continue;
			const rows = new Map(
				[...(adapter.rows?.(source) ?? [])].map(({table, row, raw}) => [`${table} ${row}`, raw]),
			);
			for (const {events} of adapter.read(source))
				for (const {locator} of events) {
					if (!('table' in locator)) continue;
					compared++;
					expect(rows.get(`${locator.table} ${locator.row}`)).toBe(
						readRaw(adapter, source, locator),
					);
				}
		}
		expect(compared).toBeGreaterThan(0);
	});
});

describe('companions of Claude Code', () => {
	const fixture = withFixture(claudeCode);

	it('are what lies beside a session, without the transcripts of its sub-agents', () => {
		const all = fixture.sources().flatMap(source => claudeCode.companions?.(source) ?? []);
		expect(all.filter(path => path.includes(join('tool-results', '')))).not.toEqual([]);
		expect(all.filter(path => /agent-[^/]+\.(?:jsonl|meta\.json)$/.test(path))).toEqual([]);
	});
});
