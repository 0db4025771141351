import {resolve} from 'node:path';
import {adapters} from '../../adapters/registry.js';
import type {Problem} from '../../adapters/types.js';
import {importSession} from '../../store/import.js';
import {counted} from '../app/format.js';
import {fileContent} from '../archive/contents.js';
import {AppError, EXIT, UsageError} from '../errors.js';
import {type FileReading, type FoundSession, readImport} from '../import/read-file.js';
import {expandHome} from '../paths.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Invocation} from './command.js';
import {agentsOf} from './filters.js';
import {type History, withStore} from './history.js';
import {note, printJson, printLines} from './output.js';
import type {importFlags} from './table.js';

type ImportInvocation = Invocation<typeof importFlags>;

/** More is of no use to a person; `--json` has all. */
const SHOWN_PROBLEMS = 5;

export const run = (invocation: ImportInvocation): Promise<number> => {
	const {flags, words, rest, host} = invocation;
	const [file, ...others] = [...words, ...rest];
	if (file === undefined || others.length > 0)
		throw new UsageError('import needs one FILE: see backscroll import --help');
	if (flags.from !== undefined) agentsOf([flags.from]);
	const path = resolve(host.cwd, expandHome(file, host.home));
	const reading = readImport(path, {adapters, from: flags.from});
	const sessions = reading.sessions.filter(hasConversation);
	if (sessions.length === 0)
		throw new AppError(`${sanitizeLine(path)} holds no conversation`, {code: 'nothing'});
	return withStore(invocation, {}, history => {
		const imported = sessions.map((session, index) => {
			const suffix = reading.sessions.length > 1 ? `-${index + 1}` : '';
			return {session, ...store(invocation, history, {reading, session, suffix})};
		});
		tell(invocation, reading, imported);
		return EXIT.done;
	});
};

const hasConversation = ({batches}: FoundSession): boolean =>
	batches.some(({events}) => events.some(({kind}) => kind !== 'meta' && kind !== 'summary'));

interface Imported {
	readonly session: FoundSession;
	readonly ref: string;
	readonly isNew: boolean;
}

const store = (
	{host, paths}: ImportInvocation,
	{database}: History,
	{
		reading,
		session,
		suffix,
	}: {readonly reading: FileReading; readonly session: FoundSession; readonly suffix: string},
): Omit<Imported, 'session'> => {
	const {format, stamp, sha256} = reading;
	const {agent, originalId, batches, forkOf} = session;
	return importSession(
		database,
		{
			nativeId: `imported-${sha256.slice(0, 20)}${suffix}`,
			provenance: {
				format,
				agent,
				originalId,
				path: stamp.path,
				sha256,
				importedAt: new Date(host.now()).toISOString(),
				...(forkOf !== undefined && {forkOf}),
			},
			batches,
			content: fileContent(stamp, '', 'import'),
		},
		{folder: paths.dataFolder, home: host.home, nowMs: host.now()},
	);
};

const tell = (
	{flags}: ImportInvocation,
	{format, problems, sha256}: FileReading,
	imported: readonly Imported[],
): void => {
	const all = [
		...problems,
		...imported.flatMap(({session}) => session.batches.flatMap(batch => batch.problems)),
	];
	if (flags.json)
		printJson({
			schemaVersion: 1,
			imported: imported.some(({isNew}) => isNew),
			format,
			sha256,
			sessions: imported.map(({ref, isNew, session}) => ({
				ref: sanitizeLine(ref),
				agent: session.agent,
				originalId: sanitizeLine(session.originalId),
				imported: isNew,
			})),
			problems: all.map(problemJson),
			unknown: unknownKinds(imported),
		});
	else printLines(imported.map(({ref}) => sanitizeLine(ref)));
	for (const {ref, isNew} of imported)
		if (!isNew) note(`imported already as ${ref}: nothing was added`);
	for (const problem of all.slice(0, SHOWN_PROBLEMS)) note(problemLine(problem));
	if (all.length > SHOWN_PROBLEMS)
		note(`${counted(all.length - SHOWN_PROBLEMS, 'further record')} not taken: --json has all`);
};

const problemJson = ({code, where, detail}: Problem) => ({
	code,
	where: where === undefined ? null : sanitizeLine(where),
	detail: sanitizeLine(detail),
});

const problemLine = ({where, detail}: Problem): string =>
	`not taken${where === undefined ? '' : `, ${where}`}: ${detail}`;

const unknownKinds = (imported: readonly Imported[]): Readonly<Record<string, number>> => {
	const kinds: Record<string, number> = {};
	for (const {session} of imported)
		for (const {unknown} of session.batches)
			for (const [kind, count] of Object.entries(unknown)) kinds[kind] = (kinds[kind] ?? 0) + count;
	return kinds;
};
