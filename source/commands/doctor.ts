import {existsSync} from 'node:fs';
import {adapters} from '../../adapters/registry.js';
import {type MirrorFacts, mirrorFacts} from '../../store/archive/mirror.js';
import {StoreError} from '../../store/errors.js';
import {type DatabaseFacts, inspectDatabase} from '../../store/integrity.js';
import type {Library} from '../../store/library.js';
import {damagedDatabases} from '../../store/set-aside.js';
import {counted, megabytes, count as number} from '../app/format.js';
import {EXIT} from '../errors.js';
import {type RetentionView, retentionViews} from '../retention.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import {version} from '../version.js';
import type {Invocation} from './command.js';
import type {jsonFlag} from './flags.js';
import {chosenAdapters, type History, surroundingsOf, withStore} from './history.js';
import {plainLine, printJson, printLines} from './output.js';
import {isoTime} from './plain.js';

interface ProblemGroup {
	readonly agent: string;
	readonly code: string;
	readonly count: number;
	readonly sources: number;
	readonly example: {
		readonly source: string;
		readonly where: string | null;
		readonly detail: string;
	};
}

interface Report {
	readonly schemaVersion: 1;
	readonly version: string;
	readonly node: string;
	readonly platform: string;
	readonly paths: Invocation['paths'];
	readonly configProblems: readonly string[];
	readonly database: DatabaseFacts | {readonly path: string; readonly damage: readonly string[]};
	/** Damaged databases that were set aside. */
	readonly setAside: readonly string[];
	/** Our copy of the raw records; null while there is no history. */
	readonly mirror: (MirrorFacts & {readonly isOn: boolean}) | null;
	/** Agents that delete sessions by themselves, and what falls due within 7 days. */
	readonly retention: readonly RetentionView[];
	readonly sessions: number;
	readonly lastSync: string | null;
	readonly roots: readonly {
		readonly agent: string;
		readonly path: string;
		readonly state: string;
		readonly sources: number;
		readonly agentVersion: string | null;
	}[];
	/** Agent versions that the readers were checked against. */
	readonly checked: Readonly<Record<string, readonly string[]>>;
	readonly problems: readonly ProblemGroup[];
	readonly unknownKinds: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export const run = async (invocation: Invocation<typeof jsonFlag>): Promise<number> => {
	const report = await examine(invocation);
	if (invocation.flags.json) printJson(report);
	else printLines(reportLines(report).map(plainLine));
	return report.database.damage.length === 0 ? EXIT.done : EXIT.failed;
};

/** A database that cannot be opened is a finding, not a failure of the examination. */
const examine = async (invocation: Invocation): Promise<Report> => {
	try {
		return await withStore(invocation, {isReadOnly: true}, history =>
			reportOf(invocation, history),
		);
	} catch (error) {
		if (!(error instanceof StoreError)) throw error;
		return reportOf(invocation, error);
	}
};

const reportOf = (invocation: Invocation, found: History | StoreError): Report => {
	const {host, paths, config, configProblems} = invocation;
	const facts = {
		schemaVersion: 1,
		version,
		node: process.versions.node,
		platform: `${host.platform} ${process.arch}`,
		paths,
		configProblems,
		setAside: existsSync(paths.dataFolder) ? damagedDatabases(paths.dataFolder) : [],
		checked: Object.fromEntries(adapters.map(({id, checked}) => [id, checked])),
	} as const;
	if (found instanceof StoreError)
		return {
			...facts,
			database: {path: paths.dataFolder, damage: [found.message]},
			mirror: null,
			retention: [],
			sessions: 0,
			lastSync: null,
			roots: [],
			problems: [],
			unknownKinds: {},
		};
	const {database, library} = found;
	const {sessions, lastSyncMs} = library.counts();
	return {
		...facts,
		database: inspectDatabase(database, paths.dataFolder),
		mirror: {...mirrorFacts(database, paths.dataFolder), isOn: config.mirror},
		retention: retentionViews(database, {
			adapters: chosenAdapters(undefined, config.hiddenAgents),
			surroundings: surroundingsOf(invocation, database),
			nowMs: host.now(),
		}).map(view => ({...view, root: sanitizeLine(view.root)})),
		sessions,
		lastSync: isoTime(lastSyncMs),
		roots: library
			.roots()
			.filter(({isUnused}) => !isUnused)
			.map(({agent, path, state, sources, agentVersion}) => ({
				agent,
				path: sanitizeLine(path),
				state,
				sources,
				agentVersion,
			})),
		problems: problemGroups(library),
		unknownKinds: library.unknownKinds(),
	};
};

const problemGroups = (library: Library): readonly ProblemGroup[] => {
	const groups = new Map<string, ProblemGroup>();
	for (const {agent, code, count, source, where, detail} of library.problems()) {
		const key = `${agent} ${code}`;
		const known = groups.get(key);
		groups.set(key, {
			agent,
			code,
			count: count + (known?.count ?? 0),
			sources: 1 + (known?.sources ?? 0),
			example: known?.example ?? {
				source: sanitizeLine(source),
				where: where && sanitizeLine(where),
				detail: sanitizeLine(detail),
			},
		});
	}
	return [...groups.values()];
};

const reportLines = (report: Report): readonly string[] => {
	const {database, paths, problems, unknownKinds} = report;
	const isDamaged = database.damage.length > 0;
	return [
		`backscroll ${report.version}, Node ${report.node}, ${report.platform}`,
		`data      ${paths.dataFolder}`,
		`settings  ${paths.configFile}`,
		`log       ${paths.logFile}`,
		`database  ${isDamaged ? 'damaged' : 'in order'}${'schema' in database ? `, ${megabytes(database.sizeBytes + database.logBytes)} MB, schema ${database.schema}, SQLite ${database.sqlite}` : ''}`,
		...database.damage.map(line => `  ${line}`),
		...report.setAside.map(path => `set aside ${path}: damaged, may be deleted`),
		...(report.mirror === null ? [] : [mirrorLine(report.mirror)]),
		`history   ${counted(report.sessions, 'session')}, last sync ${report.lastSync ?? 'never'}`,
		...report.configProblems.map(problem => `settings: ${problem}`),
		'',
		'roots',
		...report.roots.map(
			({agent, path, state, sources, agentVersion}) =>
				`  ${agent}  ${path}  ${state === 'present' ? counted(sources, 'source') : state}${agentVersion === null ? '' : `, newest version ${agentVersion}`}`,
		),
		...retentionLines(report.retention),
		'',
		problems.length === 0 ? 'no problems in what was read' : 'problems',
		...problems.flatMap(({agent, code, count, sources, example}) => [
			`  ${agent}  ${code}: ${number(count)} in ${counted(sources, 'source')}`,
			`    ${example.source}${example.where === null ? '' : `, ${example.where}`}: ${example.detail}`,
		]),
		...unknownLines(unknownKinds),
	];
};

const mirrorLine = ({isOn, path, sessions, sizeBytes, rawBytes}: NonNullable<Report['mirror']>) =>
	`mirror    ${isOn ? '' : 'turned off, '}${counted(sessions, 'session')}, ${megabytes(sizeBytes)} MB for ${megabytes(rawBytes)} MB of raw records, ${path}`;

const retentionLines = (views: Report['retention']): readonly string[] =>
	views.length === 0
		? []
		: [
				'',
				'clean-up by agents',
				...views.map(
					({agent, root, days, setting, isStated, due, mirrored}) =>
						`  ${agent}  ${root}  after ${number(Math.round(days))} days (${setting}${isStated ? '' : ', not set'}): ${counted(due, 'session')} within 7 days, ${number(mirrored)} mirrored`,
				),
			];

const unknownLines = (unknownKinds: Report['unknownKinds']): readonly string[] => {
	const lines = Object.entries(unknownKinds).flatMap(([agent, kinds]) =>
		Object.entries(kinds).map(([kind, count]) => `  ${agent}  ${kind}: ${count}`),
	);
	return lines.length === 0 ? [] : ['', 'record kinds that are not known yet', ...lines];
};
