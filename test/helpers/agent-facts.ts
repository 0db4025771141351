/** What the registry and the fixtures say of an agent, in the words of the documents. */
import {readFileSync} from 'node:fs';
import {relative} from 'node:path';
import type {SessionFacts, Usage} from '../../adapters/model.js';
import type {Adapter, ResumePlan, Source} from '../../adapters/types.js';
import {copyFixture, discoverAll, expectedPath} from './fixtures.js';

/** A session of a fixture. */
export interface Proved {
	readonly key: string;
	readonly sessionId: string;
	readonly facts: SessionFacts;
	readonly usage: readonly Usage[];
}

export const provedBy = ({id}: Adapter): readonly Proved[] =>
	(JSON.parse(readFileSync(expectedPath(id), 'utf8')) as {sources: readonly Proved[]}).sources;

/** The places that are looked at on Linux, without any variable set. */
export const placesOf = (adapter: Adapter): readonly string[] => {
	const around = {
		home: '~',
		platform: 'linux',
		env: {},
		extraRoots: [],
		projectDirs: ['<project>'],
	} as const;
	return [...new Set(adapter.roots(around).map(({path}) => path))];
};

type Command = Extract<ResumePlan, {readonly argv: readonly string[]}>;

interface Planned {
	readonly sessionId: string;
	readonly plan: ResumePlan;
}

const plansOf = (adapter: Adapter): readonly Planned[] => {
	const {home, around, dispose} = copyFixture(adapter.id);
	try {
		const proved = new Map(provedBy(adapter).map(session => [session.key, session]));
		return discoverAll(adapter, around).sources.flatMap(source => {
			const session = proved.get(relative(home, source.key));
			if (session?.sessionId == null) return [];
			const {sessionId} = session;
			return {sessionId, plan: planOf(adapter, source, session)};
		});
	} finally {
		dispose();
	}
};

const planOf = (adapter: Adapter, source: Source, {sessionId, facts}: Proved): ResumePlan =>
	adapter.resume({
		id: sessionId,
		cwd: facts.cwd ?? null,
		isSubagent: facts.isSubagent === true,
		parentId: facts.parent?.id ?? null,
		archived: (source.outside?.archived ?? facts.archived) === true,
		location: source.path,
		resumeEnv: {},
		hint: {...facts.resumeHint, ...source.outside?.resumeHint},
	});

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/;

interface Commands {
	readonly resume: string;
	readonly fork: string;
}

/** Of the first session that has one: the command up to the id (what follows is about the place of a store), and that of a fork. */
export const commandsOf = (adapter: Adapter): Commands => {
	const plans = plansOf(adapter);
	const first = (argvOf: (plan: Command) => readonly string[] | undefined) =>
		plans
			.flatMap(({sessionId, plan}) => {
				const argv = 'argv' in plan ? argvOf(plan) : undefined;
				return argv ? [argv.map(word => word.replace(sessionId, 'ID').replace(UUID, 'ID'))] : [];
			})
			.at(0);
	const resume = first(({argv}) => argv);
	const end = resume?.findIndex(word => /(?:^|=)ID$/.test(word)) ?? -1;
	return {
		resume: asCode(resume?.slice(0, end < 0 ? 2 : end + 1)),
		fork: asCode(first(({forkArgv}) => forkArgv)),
	};
};

const asCode = (words: readonly string[] | undefined): string =>
	words === undefined ? '–' : `\`${words.join(' ')}\``;

export const yesOr = (is: boolean): string => (is ? 'yes' : '–');

const MARKERS = /(<!-- agents:start -->\n)[\s\S]*(<!-- agents:end -->)/;

/** A document with another table between its markers. */
export const withTable = (document: string, lines: readonly string[]): string =>
	document.replace(
		MARKERS,
		(_, start: string, end: string) => `${start}\n${lines.join('\n')}\n\n${end}`,
	);
