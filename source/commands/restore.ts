import {restoreSession} from '../../store/archive/restore.js';
import {counted} from '../app/format.js';
import {AppError, EXIT} from '../errors.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Invocation} from './command.js';
import {type History, pass, withHistory} from './history.js';
import {note, printJson, printLines} from './output.js';
import {adapterOf} from './plain.js';
import {onlyReference, resolvedSession} from './references.js';
import type {restoreFlags} from './table.js';

type RestoreInvocation = Invocation<typeof restoreFlags>;

export const run = (invocation: RestoreInvocation): Promise<number> => {
	const {flags, words, rest} = invocation;
	const reference = onlyReference([...words, ...rest], 'restore');
	return withHistory(invocation, async history => {
		const {written, existing} = await restored(invocation, history, reference);
		for (const path of existing) note(`${path} exists already and stays as it is`);
		if (flags.json) printJson({schemaVersion: 1, written: written.map(sanitizeLine)});
		else printLines(written.map(sanitizeLine));
		if (written.length > 0) note(`${counted(written.length, 'file')} put back`);
		return EXIT.done;
	});
};

const restored = async (
	invocation: RestoreInvocation,
	{database, library}: History,
	reference: string,
) => {
	const {rowId, ref, agent, title, sourceState} = resolvedSession(library, reference);
	const label = adapterOf(agent)?.label ?? agent;
	const answer = attempt(() => restoreSession(database, invocation.paths.dataFolder, rowId));
	if ('reason' in answer)
		throw new AppError(
			`${sanitizeLine(title)} cannot be put back: ${sanitizeLine(answer.reason)}`,
			{
				details: [`try: backscroll resume ${sanitizeLine(ref)} --with AGENT`],
			},
		);
	if (answer.written.length > 0)
		// So that it counts as present from now on; should another pass run just now, that one sees it.
		await pass(invocation, database, {lockWaitMs: 0, agents: [agent]});
	else if (sourceState !== 'deleted')
		throw new AppError(`nothing to put back: the session is present, ${label} has it`);
	return answer;
};

/** What the file system refuses is no fault of ours. */
const attempt = <T>(action: () => T): T => {
	try {
		return action();
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		throw new AppError(`not everything could be put back: ${sanitizeLine(message)}`, {
			cause: error,
		});
	}
};
