import {sep} from 'node:path';
import type {Adapter, FileStamp, Root, Surroundings} from '../../adapters/types.js';
import type {RootView} from '../../store/types.js';
import {ago, count, counted, shortPath} from '../app/format.js';
import {unusedSum} from '../app/unused-roots.js';
import {EXIT, UsageError} from '../errors.js';
import {expandHome} from '../paths.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import {cut} from '../terminal/width.js';
import type {Host, Invocation} from './command.js';
import {agentsOf} from './filters.js';
import {chosenAdapters, type History, surroundingsOf, withHistory, withStore} from './history.js';
import {note, plainLine, printJson, printJsonLines, printLines} from './output.js';
import {adapterOf, isoTime} from './plain.js';
import type {sourcesFlags} from './table.js';

type SourcesInvocation = Invocation<typeof sourcesFlags>;

export const run = (invocation: SourcesInvocation): Promise<number> => {
	const {flags} = invocation;
	if (flags.root !== undefined && !flags.files) throw new UsageError('--root goes with --files');
	return flags.files
		? withStore(invocation, {isReadOnly: true}, history => listFiles(invocation, history))
		: withHistory(invocation, history => listRoots(invocation, history));
};

const listRoots = (invocation: SourcesInvocation, {library}: History): number => {
	const {flags, host} = invocation;
	const agents = agentsOf(flags.agent);
	const roots = library.roots().filter(({agent}) => agents?.includes(agent) ?? true);
	if (flags.jsonl) printJsonLines(roots.map(rootJson));
	else if (flags.json) printJson({schemaVersion: 1, roots: roots.map(rootJson)});
	else printLines(textLines(roots, host, flags.all === true));
	return EXIT.done;
};

const textLines = (roots: readonly RootView[], host: Host, isAll: boolean): readonly string[] => {
	const sum = isAll ? null : unusedSum(roots);
	return [
		...roots.filter(root => isAll || !root.isUnused).flatMap(root => rootLines(root, host)),
		...(sum === null ? [] : [cut(`${sum}; --all lists them`, host.columns)]),
	];
};

const rootJson = ({lastSyncMs, isUnused: _, ...root}: RootView) => ({
	...root,
	path: sanitizeLine(root.path),
	firstProblem: root.firstProblem && sanitizeLine(root.firstProblem),
	lastSync: isoTime(lastSyncMs),
});

const rootLines = (root: RootView, host: Host): readonly string[] => {
	const label = adapterOf(root.agent)?.label ?? root.agent;
	const hidden = Object.entries(root.hidden).map(([rule, count]) => `${count} ${rule}`);
	const facts =
		root.state === 'absent'
			? [root.state]
			: [
					root.state === 'present' ? '' : root.state,
					counted(root.sources, 'source'),
					`${count(root.shown)} shown`,
					hidden.length === 0 ? '' : `hidden: ${hidden.join(', ')}`,
					root.problems === 0 ? '' : counted(root.problems, 'problem'),
					root.agentVersion === null ? '' : `newest version ${root.agentVersion}`,
					root.lastSyncMs === null ? '' : `synced ${ago(root.lastSyncMs, host.now())}`,
				].filter(fact => fact !== '');
	return [
		`${label}  ${shortPath(root.path, host.home)}`,
		`  ${facts.join(' · ')}`,
		...(root.firstProblem === null ? [] : [`  first problem: ${root.firstProblem}`]),
	].map(line => cut(plainLine(line), host.columns));
};

interface Candidate {
	readonly agent: string;
	readonly root: string;
	readonly source: string;
	readonly path: string;
	readonly sizeBytes: number;
	readonly modifiedAt: string | null;
}

/** The files that would be read: names, times and sizes, no text. */
const listFiles = (invocation: SourcesInvocation, {database}: History): number => {
	const {flags, host, config} = invocation;
	const below = flags.root === undefined ? undefined : expandHome(flags.root, host.home);
	const surroundings = surroundingsOf(invocation, database);
	const files = chosenAdapters(agentsOf(flags.agent), config.hiddenAgents).flatMap(adapter => [
		...candidates(adapter, surroundings(adapter.id), below),
	]);
	if (flags.jsonl) printJsonLines(files);
	else if (flags.json) printJson({schemaVersion: 1, files});
	else
		printLines(
			files.map(({agent, path, sizeBytes, modifiedAt}) =>
				[agent, modifiedAt, String(sizeBytes).padStart(12), path].join('  '),
			),
		);
	return EXIT.done;
};

function* candidates(
	adapter: Adapter,
	around: Surroundings,
	below: string | undefined,
): Generator<Candidate> {
	const isBelow = (path: string) =>
		below === undefined || path === below || path.startsWith(below.replace(/[/\\]?$/, sep));
	const file = (root: Root, source: string, {path, sizeBytes, mtimeMs}: FileStamp): Candidate => ({
		agent: adapter.id,
		root: sanitizeLine(root.path),
		source: sanitizeLine(source),
		path: sanitizeLine(path),
		sizeBytes,
		modifiedAt: isoTime(mtimeMs),
	});
	for (const root of adapter.roots(around)) {
		for (const found of adapter.discover(root)) {
			if ('problem' in found) note(`${adapter.label}: ${found.problem.detail}`);
			else
				for (const stamp of found.source.files)
					if (isBelow(stamp.path)) yield file(root, found.source.key, stamp);
		}
	}
}
