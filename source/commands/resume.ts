import {resolve} from 'node:path';
import {knownDirectories} from '../../store/directories.js';
import type {SessionView} from '../../store/types.js';
import {AppError, EXIT, UsageError} from '../errors.js';
import {expandHome} from '../paths.js';
import {checkResume, obstacle, type ResumeChecks} from '../resume/checks.js';
import {describeCut, type HandOver} from '../resume/hand-over.js';
import {
	isRefusal,
	planStart,
	type ResumeDecision,
	type ResumeOptions,
	type RunPlan,
	shellCommand,
	shellOf,
	shellWord,
} from '../resume/plan.js';
import {programVersion} from '../resume/program-version.js';
import {runInTmux, runResume} from '../resume/run.js';
import {isInsideTmux} from '../resume/tmux.js';
import {printError} from '../terminal/print.js';
import {isConfirmed} from './ask.js';
import type {Invocation} from './command.js';
import {handOverRecord, installedTakers, takerCalled, writeRecord} from './hand-over.js';
import {type History, withHistory} from './history.js';
import {note, printLines} from './output.js';
import {onlyReference, resolvedSession} from './references.js';
import {checkRows} from './resume-sheet.js';
import {resumeDecision} from './session-json.js';
import type {resumeFlags} from './table.js';

type ResumeInvocation = Invocation<typeof resumeFlags>;

/** What would be started, and what was found out about it. */
interface Prepared {
	readonly session: SessionView;
	readonly plan: RunPlan;
	readonly checks: ResumeChecks;
	/** What the other agent is to read first. */
	readonly record: HandOver | undefined;
}

export const run = async (invocation: ResumeInvocation): Promise<number> => {
	const {flags, words, host} = invocation;
	const reference = onlyReference(words, 'resume');
	const isAsking = !flags.print && !flags.yes && !flags.exec;
	if (isAsking && !(host.isInputTty && host.isErrorTty))
		throw new UsageError('there is no terminal to ask on: --yes starts it, --print prints it');
	if (flags.with !== undefined && flags.fork)
		throw new UsageError('--with begins a new session anyway: it cannot be a fork, too');
	if (flags.tmux !== undefined && !isInsideTmux(host.env))
		throw new AppError('this is not inside of tmux');
	// The history is closed before the agent starts: it may run for hours.
	const prepared = await withHistory(invocation, history =>
		prepare(invocation, history, resolvedSession(history.library, reference)),
	);
	if (flags.print) {
		printLines([shellCommand(prepared.plan, shellOf(host.env['SHELL']))]);
		return EXIT.done;
	}
	const problem = obstacle(prepared.checks);
	if (problem !== null) throw new AppError(problem, {details: otherPlaces(prepared.checks)});
	await show(invocation, prepared, isAsking);
	if (isAsking && !(await isConfirmed('start it? [Y/n] ', 'yes'))) return EXIT.done;
	return start(invocation, prepared.plan);
};

const otherPlaces = ({directory}: ResumeChecks): readonly string[] =>
	(directory?.instead ?? []).map(({path, why}) => `try: --dir ${shellWord(path)} (${why})`);

const prepare = (
	invocation: ResumeInvocation,
	{library, database}: History,
	session: SessionView,
): Prepared => {
	const {flags, host} = invocation;
	const record = flags.with === undefined ? undefined : handOverRecord(library, session);
	const plan = accepted(invocation, session, decide(invocation, session, record));
	const {PATH = ''} = host.env;
	const checks = checkResume(plan, session, {
		pathEnv: PATH,
		now: host.now(),
		knownDirectories: () => knownDirectories(database),
	});
	return {session, plan, checks, record};
};

const decide = (
	{flags, rest, host, config, paths}: ResumeInvocation,
	session: SessionView,
	record: HandOver | undefined,
): ResumeDecision => {
	const options: ResumeOptions = {
		extraArgs: rest,
		...(flags.dir !== undefined && {
			directory: resolve(host.cwd, expandHome(flags.dir, host.home)),
		}),
	};
	if (record === undefined || flags.with === undefined)
		return resumeDecision(session, config.flags, {...options, fork: flags.fork});
	const taker = takerCalled(flags.with);
	// Neither a command to copy nor a message to tmux is the place for a whole conversation.
	const isByFile = flags.print || flags.tmux !== undefined;
	const where = {dataFolder: paths.dataFolder, nowMs: host.now()};
	return planStart(session, taker, {
		...options,
		flags: config.flags[taker.id],
		prompt: record.text,
		promptFile: isByFile ? writeRecord(session, record.text, where) : undefined,
	});
};

const accepted = (
	{host}: ResumeInvocation,
	session: SessionView,
	decision: ResumeDecision,
): RunPlan => {
	if (!isRefusal(decision)) return decision;
	const {reason, hint, remedy} = decision;
	const {PATH = ''} = host.env;
	const offers =
		remedy === 'hand-over'
			? installedTakers(PATH).map(({id}) =>
					shellCommand({
						argv: ['backscroll', 'resume', session.ref, '--with', id],
						cwd: null,
						env: {},
					}),
				)
			: [];
	throw new AppError(reason, {
		details: [...(hint === undefined ? [] : [hint]), ...offers].map(command => `try: ${command}`),
	});
};

/** What a person wants to see before it starts; with `--yes` only the command. */
const show = async (
	{host}: ResumeInvocation,
	{plan, checks, record}: Prepared,
	isAsking: boolean,
): Promise<void> => {
	if (record !== undefined) {
		const cut = describeCut(record.cut);
		const secrets = `secrets masked: ${record.masked}`;
		if (isAsking) printError(`${record.text}\n`);
		note(cut === '' ? `nothing was left out; ${secrets}` : `left out: ${cut}; ${secrets}`);
	}
	if (isAsking && checks.binary.path !== null) {
		const version = await programVersion(checks.binary.path, {env: {...host.env, ...plan.env}});
		for (const {label, text} of checkRows(checks, {nowMs: host.now(), version}))
			note(`${label}: ${text}`);
	} else if (checks.isPerhapsRunning && record === undefined)
		note('this session may be open somewhere else');
	const shown = record === undefined ? plan.argv : plan.argv.map(word => shortWord(word, record));
	note(shellCommand({...plan, argv: shown}, shellOf(host.env['SHELL'])));
};

/** The conversation itself is no part of a command that anybody wants to read. */
const shortWord = (word: string, {text}: HandOver): string =>
	word === text ? '(the record)' : word;

const start = async ({flags, host}: ResumeInvocation, plan: RunPlan): Promise<number> => {
	if (flags.tmux === undefined) return runResume(plan, host.env);
	await runInTmux(plan, flags.tmux, host.env);
	return EXIT.done;
};
