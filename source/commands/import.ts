import {resolve} from 'node:path';
import type {Problem} from '../../adapters/model.js';
import {adapters} from '../../adapters/registry.js';
import {counted} from '../app/format.js';
import {EXIT, UsageError} from '../errors.js';
import {type ImportedSession, importReading, readConversations} from '../import/import-file.js';
import type {FileReading} from '../import/read-file.js';
import {expandHome} from '../paths.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Invocation} from './command.js';
import {agentsOf} from './filters.js';
import {withStore} from './history.js';
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
	const reading = readConversations(path, {adapters, from: flags.from});
	return withStore(invocation, {}, ({database}) => {
		const place = {folder: invocation.paths.dataFolder, home: host.home, nowMs: host.now()};
		tell(invocation, reading, importReading({database, ...place}, reading));
		return EXIT.done;
	});
};

const tell = (
	{flags}: ImportInvocation,
	{format, problems, sha256}: FileReading,
	imported: readonly ImportedSession[],
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

const unknownKinds = (imported: readonly ImportedSession[]): Readonly<Record<string, number>> => {
	const kinds: Record<string, number> = {};
	for (const {session} of imported)
		for (const {unknown} of session.batches)
			for (const [kind, count] of Object.entries(unknown)) kinds[kind] = (kinds[kind] ?? 0) + count;
	return kinds;
};
