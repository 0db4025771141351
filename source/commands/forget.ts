import {forgetSessions} from '../../store/forget.js';
import type {Filters} from '../../store/library.js';
import type {Database} from '../../store/open.js';
import {sessionView} from '../../store/read/sessions.js';
import {readDate} from '../../store/search/dates.js';
import {withSubagents} from '../../store/session-tree.js';
import {damagedDatabases} from '../../store/set-aside.js';
import {acquireLock} from '../../store/sync/lock.js';
import type {SessionView} from '../../store/types.js';
import {counted} from '../app/format.js';
import {AppError, EXIT, UsageError} from '../errors.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import {isConfirmed} from './ask.js';
import type {Invocation} from './command.js';
import {type History, withStore} from './history.js';
import {note, printJson, printLines} from './output.js';
import {onlyReference, resolvedSession} from './references.js';
import type {forgetFlags} from './table.js';

type ForgetInvocation = Invocation<typeof forgetFlags>;

const LOCK_WAIT_MS = 10_000;
const ALL = 1_000_000;

export const run = (invocation: ForgetInvocation): Promise<number> => {
	const {flags, host} = invocation;
	const isAsking = !flags.yes && !flags.dryRun;
	if (isAsking && !(host.isInputTty && host.isErrorTty))
		throw new UsageError('there is no terminal to ask on: --yes does it, --dry-run only says what');
	const choose = chooserOf(invocation);
	return withStore(invocation, {}, async history => {
		const chosen = choose(history);
		if (chosen.length === 0) throw new AppError('nothing fits', {code: 'nothing'});
		const ids = withSubagents(
			history.database,
			chosen.map(({rowId}) => rowId),
		);
		show(invocation, chosen, ids.length);
		if (flags.dryRun) return EXIT.done;
		if (isAsking && !(await isConfirmed('forget it for good? [y/N] ', 'no'))) return EXIT.done;
		const isClean = await forget(invocation, history.database, ids);
		for (const path of damagedDatabases(invocation.paths.dataFolder))
			note(`${path} was set aside and still holds what it held: delete it yourself`);
		if (!isClean)
			note(
				'another backscroll reads just now: once it has ended, the next forget cleans up its log',
			);
		return EXIT.done;
	});
};

/** What is to go: one session, or all of a project or older than a day. @throws UsageError */
const chooserOf = ({
	flags,
	words,
	rest,
	host,
}: ForgetInvocation): ((history: History) => readonly SessionView[]) => {
	const references = [...words, ...rest];
	if (flags.project === undefined && flags.olderThan === undefined) {
		const reference = onlyReference(references, 'forget');
		return ({library}) => [resolvedSession(library, reference)];
	}
	if (references.length > 0) throw new UsageError('a REF, or --project and --older-than: not both');
	if (flags.olderThan !== undefined && readDate(flags.olderThan, host.now()) === undefined)
		throw new UsageError(`--older-than ${flags.olderThan}: not a date such as 90d or 2026-01-31`);
	const filters: Filters = {
		isAll: true,
		...(flags.project !== undefined && {project: flags.project}),
		...(flags.olderThan !== undefined && {until: flags.olderThan}),
	};
	return ({library}) =>
		library
			.list({query: '', filters, limit: ALL, nowMs: host.now()})
			.rows.map(({session}) => session);
};

const show = ({flags}: ForgetInvocation, chosen: readonly SessionView[], total: number): void => {
	if (flags.json)
		printJson({
			schemaVersion: 1,
			isDryRun: flags.dryRun === true,
			sessions: chosen.map(({ref}) => sanitizeLine(ref)),
			total,
		});
	else
		printLines(
			chosen.map(({ref, title, messages}) =>
				[sanitizeLine(ref), counted(messages, 'message'), sanitizeLine(title)].join('  '),
			),
		);
	note(
		`${counted(total, 'session')}, sub-agents included: text, index, mirror and own marks ${flags.dryRun ? 'would go' : 'go'}; the agent's own files stay`,
	);
};

/** Under the lock of sync passes: one that runs would go on writing what is removed. */
const forget = async (
	{paths, host}: ForgetInvocation,
	database: Database,
	sessions: readonly number[],
): Promise<boolean> => {
	const lock = await acquireLock(paths.dataFolder, {waitMs: LOCK_WAIT_MS});
	if (lock === undefined)
		throw new AppError('another backscroll is reading just now: nothing was forgotten');
	try {
		const options = {folder: paths.dataFolder, home: host.home, nowMs: host.now()};
		return forgetSessions(database, {
			...options,
			// One that went meanwhile is gone already.
			sessions: sessions.filter(id => sessionView(database, id) !== undefined),
		});
	} finally {
		lock.release();
	}
};
