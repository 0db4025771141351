/** A home that a test fills with files of one agent. */
import {appendFileSync, mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect} from 'vitest';
import type {Adapter, Batch, ResumePlan, ResumeRequest, Source} from '../../adapters/types.js';
import {
	discoverAll,
	emptyHome,
	type Folded,
	readFolded,
	removeHome,
	surroundingsOf,
} from './fixtures.js';

type Env = Readonly<Record<string, string>>;

export interface StoreFiles {
	readonly home: string;
	/** A text as it is, a list as lines of JSON, anything else as a document. */
	put(path: string, content: unknown): void;
	add(path: string, records: readonly unknown[]): void;
	sources(env?: Env): readonly Source[];
	/** The source of a session, or the only one. */
	source(id?: string): Source;
	read(id?: string): Folded;
	dispose(): void;
}

const linesOf = (records: readonly unknown[]): string =>
	records
		.map(record => `${typeof record === 'string' ? record : JSON.stringify(record)}\n`)
		.join('');

export const storeFiles = (adapter: Adapter): StoreFiles => {
	const home = emptyHome();
	const sources = (env: Env = {}) => discoverAll(adapter, surroundingsOf(home, env)).sources;
	const source = (id?: string): Source => {
		const found = sources().find(({sessionId}) => id === undefined || sessionId === id);
		expect(found, id ?? 'any source').toBeDefined();
		return found as Source;
	};
	return {
		home,
		put(path, content) {
			const file = join(home, path);
			mkdirSync(dirname(file), {recursive: true});
			if (Array.isArray(content)) writeFileSync(file, linesOf(content));
			else if (typeof content === 'string' || Buffer.isBuffer(content)) {
				writeFileSync(file, content);
			} else writeFileSync(file, JSON.stringify(content));
		},
		add: (path, records) => appendFileSync(join(home, path), linesOf(records)),
		sources,
		source,
		read: id => readFolded(adapter, source(id)),
		dispose: () => removeHome(home),
	};
};

/** What a person sees of a session: who said what. */
export const said = ({events}: Pick<Batch, 'events'>): readonly (readonly [string, string])[] =>
	events
		.filter(({state}) => state !== 'undone')
		.map(({kind, role, text}) => [role ?? kind, text] as const);

export const resumeOf = (adapter: Adapter, request: Partial<ResumeRequest>): ResumePlan =>
	adapter.resume({
		id: '',
		cwd: '/home/ada/orchard',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/store',
		resumeEnv: {},
		hint: {},
		...request,
	});
