/** A session for another agent: its record, where that lies, and which agents can take it. */
import {mkdirSync, readdirSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {adapters} from '../../adapters/registry.js';
import type {Adapter} from '../../adapters/types.js';
import type {Library} from '../../store/library.js';
import type {SessionView} from '../../store/types.js';
import {AppError, UsageError} from '../errors.js';
import {findProgram} from '../resume/checks.js';
import {type HandOver, handOver} from '../resume/hand-over.js';
import {lineOf} from './events.js';
import {adapterOf} from './plain.js';

/** Long enough for an agent to have read it. */
const KEPT_MS = 7 * 24 * 3_600_000;

const takers: readonly Adapter[] = adapters.filter(({start}) => start !== undefined);

/**
 * The agent that `--with` names.
 * @throws UsageError for a name that no agent has; AppError for one that takes no first prompt
 */
export const takerCalled = (name: string): Adapter => {
	const adapter = adapterOf(name);
	const names = takers.map(({id}) => id).join(', ');
	if (adapter === undefined)
		throw new UsageError(`no agent is called ${name}: a session can be handed over to ${names}`);
	if (adapter.start === undefined)
		throw new AppError(`${adapter.label} takes no first prompt; ${names} do`);
	return adapter;
};

/** Agents on this machine that a session can be handed over to. */
export const installedTakers = (pathEnv: string): readonly Adapter[] =>
	takers.filter(({start}) => {
		const plan = start?.({cwd: null, prompt: ''});
		const [name = ''] = plan && 'argv' in plan ? plan.argv : [];
		return findProgram(name, pathEnv) !== null;
	});

/** The record of a session, with what it goes on from. @throws AppError when nothing was said in it */
export const handOverRecord = (library: Library, session: SessionView): HandOver => {
	const agentLabel = adapterOf(session.agent)?.label;
	const record = handOver({session, agentLabel, events: lineOf(library, session)});
	if (!record.hasContent) throw new AppError('nothing was said in this session');
	return record;
};

/** Writes the record where only the person can read it, and gives its path. Records that were read long since go. */
export const writeRecord = (
	session: SessionView,
	text: string,
	{dataFolder, nowMs}: {readonly dataFolder: string; readonly nowMs: number},
): string => {
	const folder = join(dataFolder, 'hand-over');
	mkdirSync(folder, {recursive: true, mode: 0o700});
	for (const name of readdirSync(folder)) {
		const old = join(folder, name);
		const {mtimeMs} = statSync(old, {throwIfNoEntry: false}) ?? {mtimeMs: 0};
		if (nowMs - mtimeMs > KEPT_MS) rmSync(old, {force: true});
	}
	const path = join(
		folder,
		`${session.agent}-${session.id.replaceAll(/[^\w-]+/g, '-').slice(0, 80)}.md`,
	);
	rmSync(path, {force: true});
	writeFileSync(path, `${text}\n`, {mode: 0o600, flag: 'wx'});
	return path;
};
