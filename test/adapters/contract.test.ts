/** What every adapter promises, checked on its fixture home. `UPDATE_EXPECTED=1` writes expected.json: read it before you keep it. */
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {isAbsolute, join, relative, win32} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {adapters} from '../../adapters/registry.js';
import {readRaw} from '../../adapters/shared/read-raw.js';
import {isZstd} from '../../adapters/shared/zstd.js';
import {type Adapter, type Source, SourceUnreadable} from '../../adapters/types.js';
import {
	copyFixture,
	discoverAll,
	emptyHome,
	expectedPath,
	type FixtureHome,
	type Folded,
	fixtureFolder,
	foldBatches,
	neutralForm,
	readBatches,
	readFolded,
	restamp,
	snapshotOf,
	surroundingsOf,
} from '../helpers/fixtures.js';

/** Damage is tried at this many places of each file. */
const SAMPLES = 24;

const samplePositions = (size: number): readonly number[] => {
	const step = Math.max(1, Math.floor(size / SAMPLES));
	return Array.from({length: Math.ceil(size / step)}, (_, index) => index * step);
};

/** Ends of all lines but the last. */
const lineEnds = (bytes: Buffer): readonly number[] => {
	const ends: number[] = [];
	for (
		let at = bytes.indexOf(10);
		at !== -1 && at + 1 < bytes.length;
		at = bytes.indexOf(10, at + 1)
	)
		ends.push(at + 1);
	return ends;
};

const primaryOf = (source: Source): string => source.files[0]?.path ?? source.path;

/** Reads while the primary file holds other bytes, then puts it back. */
const withBytes = <T>(path: string, bytes: Buffer, run: () => T): T => {
	const before = readFileSync(path);
	writeFileSync(path, bytes);
	try {
		return run();
	} finally {
		writeFileSync(path, before);
	}
};

/** Reads the first `size` bytes, then goes on with the whole file from the cursor. */
const readInTwoSteps = (adapter: Adapter, source: Source, size: number): Folded => {
	const path = primaryOf(source);
	const first = withBytes(path, readFileSync(path).subarray(0, size), () =>
		readBatches(adapter, restamp(source)),
	);
	return foldBatches([...first, ...readBatches(adapter, restamp(source), first.at(-1)?.cursor)]);
};

const expectSound = (folded: Folded): void => {
	const keys = folded.events.map(event => event.key);
	expect(new Set(keys).size).toBe(keys.length);
	expect(keys.filter(key => key.includes(':'))).toEqual([]);
	for (const event of folded.events) {
		expect(event.text).toBeTypeOf('string');
		expect(event.role === undefined).toBe(event.kind !== 'message');
	}
};

/** A damaged source gives what is left of it, or says that it cannot be read at all. */
const expectDamageIsData = (adapter: Adapter, source: Source): void => {
	try {
		expectSound(readFolded(adapter, restamp(source)));
	} catch (error) {
		if (!(error instanceof SourceUnreadable)) throw error;
	}
};

test('every adapter has a fixture folder, ids and labels fit', () => {
	const ids = adapters.map(adapter => adapter.id);
	expect(new Set(ids).size).toBe(ids.length);
	for (const adapter of adapters) {
		expect(existsSync(join(fixtureFolder(adapter.id), 'home')), `${adapter.id}: home`).toBe(true);
		expect(existsSync(join(fixtureFolder(adapter.id), 'readme.md')), `${adapter.id}: readme`).toBe(
			true,
		);
		expect(adapter.shortLabel.length).toBeLessThanOrEqual(8);
		expect(adapter.checked.length).toBeGreaterThan(0);
	}
});

describe.each(adapters.map(adapter => [adapter.id, adapter] as const))('%s', (id, adapter) => {
	let fixture: FixtureHome;
	let sources: readonly Source[];
	let before: Readonly<Record<string, string>>;
	beforeAll(() => {
		fixture = copyFixture(id);
		before = snapshotOf(fixture.home);
		sources = discoverAll(adapter, fixture.around).sources;
	});
	afterAll(() => fixture.dispose());

	/** The sources whose primary file is a plain log. */
	const logs = (): readonly Source[] =>
		sources.filter(source => source.mode === 'append' && !isZstd(primaryOf(source)));

	test('gives the expected sources and content, and touches nothing', () => {
		const actual = neutralForm(adapter, fixture);
		if (process.env['UPDATE_EXPECTED'] === '1') {
			writeFileSync(expectedPath(id), `${JSON.stringify(actual, null, '\t')}\n`);
		}
		const expected = JSON.parse(readFileSync(expectedPath(id), 'utf8')) as {
			sources: readonly {key: string}[];
		};
		expect(sources.length).toBeGreaterThan(0);
		expect(sources.map(source => relative(fixture.home, source.key))).toEqual(
			expected.sources.map(source => source.key),
		);
		expect(actual).toEqual(expected);
		expect(snapshotOf(fixture.home)).toEqual(before);
	});

	test('names each source once, with files that exist', () => {
		expect(new Set(sources.map(source => source.key)).size).toBe(sources.length);
		for (const source of sources) {
			expect(source.files.length).toBeGreaterThan(0);
			for (const file of source.files) expect(existsSync(file.path)).toBe(true);
			expect(JSON.parse(JSON.stringify(source))).toEqual(source);
		}
	});

	test('keeps its event keys when read again', () => {
		for (const source of sources) {
			const [first, second] = [readFolded(adapter, source), readFolded(adapter, source)];
			expect(second).toEqual(first);
			expectSound(first);
			for (const batch of readBatches(adapter, source)) {
				if (first.sessionId !== null) expect(batch.sessionId).toBe(first.sessionId);
			}
		}
	});

	test('goes on from a cursor at every line as if read at once', () => {
		for (const source of logs()) {
			const whole = readFolded(adapter, source);
			for (const end of lineEnds(readFileSync(primaryOf(source)))) {
				expect(readInTwoSteps(adapter, source, end), `${source.key} cut at ${end}`).toEqual(whole);
			}
			expect(readInTwoSteps(adapter, source, readFileSync(primaryOf(source)).length)).toEqual(
				whole,
			);
		}
	});

	test('goes on from a cursor in the middle of a line as if read at once', () => {
		for (const source of logs()) {
			const whole = readFolded(adapter, source);
			for (const size of samplePositions(readFileSync(primaryOf(source)).length)) {
				expect(readInTwoSteps(adapter, source, size), `${source.key} cut at ${size}`).toEqual(
					whole,
				);
			}
		}
	});

	test('survives files that are cut off anywhere', () => {
		for (const source of sources) {
			for (const {path} of source.files) {
				const bytes = readFileSync(path);
				for (const size of samplePositions(bytes.length)) {
					withBytes(path, bytes.subarray(0, size), () => expectDamageIsData(adapter, source));
				}
			}
		}
	});

	test('survives a flipped byte anywhere', () => {
		for (const source of sources) {
			for (const {path} of source.files) {
				const bytes = readFileSync(path);
				for (const position of samplePositions(bytes.length)) {
					const damaged = Buffer.from(bytes);
					damaged[position] = (damaged[position] ?? 0) ^ 0x15;
					withBytes(path, damaged, () => expectDamageIsData(adapter, source));
				}
			}
		}
	});

	test('finds nothing in an empty home', () => {
		const home = emptyHome();
		const around = surroundingsOf(home);
		expect(discoverAll(adapter, around)).toEqual({sources: [], problems: []});
		for (const root of adapter.roots(around)) expect([...adapter.discover(root)]).toEqual([]);
		expect(readdirSync(home)).toEqual([]);
	});

	test('gives the raw record of every event', () => {
		for (const source of sources) {
			for (const event of readFolded(adapter, source).events) {
				expect(readRaw(adapter, source, event.locator), event.key).toBeTruthy();
			}
		}
	});

	test('plans a resume in an absolute directory, or says why not', () => {
		const [root] = adapter.roots(fixture.around);
		for (const source of sources) {
			const {sessionId, facts} = readFolded(adapter, source);
			if (sessionId === null) continue;
			const plan = adapter.resume({
				id: sessionId,
				cwd: facts.cwd ?? null,
				isSubagent: facts.isSubagent ?? false,
				parentId: facts.parent?.id ?? null,
				archived: source.outside?.archived ?? facts.archived ?? false,
				location: source.path,
				resumeEnv: root?.resumeEnv ?? {},
				hint: {...facts.resumeHint, ...source.outside?.resumeHint},
			});
			if ('reason' in plan) {
				expect(plan.reason.length).toBeGreaterThan(0);
				continue;
			}
			for (const argument of [...plan.argv, ...(plan.forkArgv ?? [])]) {
				expect(argument).toBeTypeOf('string');
				expect(argument).not.toBe('');
			}
			expect(plan.cwd === null || isAbsolute(plan.cwd) || win32.isAbsolute(plan.cwd)).toBe(true);
		}
	});
});
