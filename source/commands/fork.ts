import type {Library} from '../../store/library.js';
import type {EventView, SessionView} from '../../store/types.js';
import {makeFork} from '../archive/fork.js';
import {EXIT, UsageError} from '../errors.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Invocation} from './command.js';
import {withHistory} from './history.js';
import {printJson, printLines} from './output.js';
import {onlyReference, resolved} from './references.js';
import {fullSession} from './session-json.js';
import type {forkFlags} from './table.js';

type ForkInvocation = Invocation<typeof forkFlags>;

export const run = (invocation: ForkInvocation): Promise<number> => {
	const {flags, words, rest, config} = invocation;
	const reference = onlyReference([...words, ...rest], 'fork');
	return withHistory(invocation, history => {
		const {library} = history;
		const found = resolved(library, reference);
		const last = flags.at === undefined ? undefined : eventAt(library, found.session, flags.at);
		const end = last ?? (found.found === 'event' ? found.event : undefined);
		const {host, paths} = invocation;
		const {database} = history;
		const ref = makeFork(
			{database, library, folder: paths.dataFolder, home: host.home, nowMs: host.now()},
			{session: found.session, end},
		);
		const made = resolved(library, ref).session;
		if (flags.json) printJson({schemaVersion: 1, session: fullSession(made, config.flags)});
		else printLines([sanitizeLine(ref)]);
		return EXIT.done;
	});
};

/** The event that `--at` means: a reference, or a key of the session. @throws UsageError */
const eventAt = (library: Library, session: SessionView, text: string): EventView => {
	const event =
		library.event(`${session.ref}:${text}`) ?? library.event(text) ?? byReference(library, text);
	if (event === undefined) throw new UsageError(`--at ${text}: no event is called so`);
	return event;
};

const byReference = (library: Library, text: string): EventView | undefined => {
	const found = library.resolve(text);
	return found.found === 'event' ? found.event : undefined;
};
