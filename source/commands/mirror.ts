import {type MirrorCheck, verifyMirror} from '../../store/archive/verify.js';
import {acquireLock} from '../../store/sync/lock.js';
import {count, counted, megabytes} from '../app/format.js';
import {AppError, EXIT, UsageError} from '../errors.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Invocation} from './command.js';
import type {jsonFlag} from './flags.js';
import {withStore} from './history.js';
import {note, printJson, printLines} from './output.js';

const LOCK_WAIT_MS = 10_000;

export const run = (invocation: Invocation<typeof jsonFlag>): Promise<number> => {
	const {flags, words, rest, paths} = invocation;
	const [action, ...others] = [...words, ...rest];
	if (action !== 'verify' || others.length > 0)
		throw new UsageError('mirror verify is all there is: see backscroll mirror --help');
	return withStore(invocation, {}, async ({database}) => {
		const lock = await acquireLock(paths.dataFolder, {waitMs: LOCK_WAIT_MS});
		if (lock === undefined)
			throw new AppError('another backscroll is reading just now: nothing was checked');
		try {
			const check = await verifyMirror(database, paths.dataFolder);
			if (flags.json) printJson({schemaVersion: 1, ...check});
			else printLines(checkLines(check));
			if (check.damage.length > 0) note('backscroll sync keeps anew what its source still has');
			return check.damage.length === 0 ? EXIT.done : EXIT.failed;
		} finally {
			lock.release();
		}
	});
};

const checkLines = ({files, members, sizeBytes, damage}: MirrorCheck): readonly string[] => [
	`${counted(files, 'session')} mirrored in ${count(members)} parts, ${megabytes(sizeBytes)} MB: ${damage.length === 0 ? 'all in order' : `${counted(damage.length, 'session')} damaged`}`,
	...damage.map(
		({session, path, members: lost, of}) =>
			`  ${sanitizeLine(session)}: ${count(lost)} of ${count(of)} parts lost, ${sanitizeLine(path)}`,
	),
];
