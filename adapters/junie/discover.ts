/** Where Junie keeps sessions: a folder each, and an index of all of them. */

import {basename, dirname, join} from 'node:path';
import type {SessionFacts} from '../model.js';
import {compact} from '../shared/compact.js';
import {readJsonLines} from '../shared/jsonl.js';
import {textOf} from '../shared/narrow.js';
import {agentRoots, statedPath} from '../shared/roots.js';
import {timeMs} from '../shared/time.js';
import {findFiles, stampOf} from '../shared/walk.js';
import {type Discovered, type Root, SourceUnreadable, type Surroundings} from '../types.js';

const VARIABLE = 'JUNIE_HOME';

export const roots = (around: Surroundings): readonly Root[] =>
	agentRoots(around, {
		standard: join(around.home, '.junie'),
		stated: statedPath(around.env[VARIABLE]),
		resumeEnv: path => ({[VARIABLE]: path}),
	});

type Index = ReadonlyMap<string, SessionFacts>;

/** Of several lines of one session the last one holds. A line that cannot be read costs nothing but its facts. */
const indexOf = (path: string): Index => {
	if (stampOf(path) === undefined) return new Map();
	const entries = [...readJsonLines(path)].flatMap(({record}) => {
		const id = textOf(record?.['sessionId']);
		const facts = compact({
			generatedTitle: textOf(record?.['taskName']),
			cwd: textOf(record?.['projectDir']),
			createdAtMs: timeMs(record?.['createdAt']),
			updatedAtMs: timeMs(record?.['updatedAt']),
		});
		return id === undefined ? [] : [[id, facts] as const];
	});
	return new Map(entries);
};

const knownIn = (sessions: string): Index => {
	try {
		return indexOf(join(sessions, 'index.jsonl'));
	} catch (error) {
		if (error instanceof SourceUnreadable) return new Map();
		throw error;
	}
};

export function* discover(root: Root): Generator<Discovered> {
	const sessions = join(root.path, 'sessions');
	const found = yield* findFiles(sessions, {
		depth: 2,
		accept: (relative, name) => name === 'events.jsonl' && relative.includes('/'),
	});
	const index = knownIn(sessions);
	for (const {path, stamp} of found) {
		const sessionId = basename(dirname(path));
		const outside = index.get(sessionId);
		const files = [stamp];
		yield {
			source: {key: path, path, files, mode: 'replace', sessionId, ...compact({outside})},
		};
	}
}
