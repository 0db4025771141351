import {once} from 'node:events';
import {basename, resolve} from 'node:path';
import {createInterface} from 'node:readline/promises';
import type {SessionView} from '../../store/types.js';
import {AppError, EXIT, UsageError} from '../errors.js';
import {expandHome} from '../paths.js';
import {checkResume, obstacle} from '../resume/checks.js';
import {isRefusal, type RunPlan, type Shell, shellCommand} from '../resume/plan.js';
import {runResume} from '../resume/run.js';
import type {Invocation} from './command.js';
import {withHistory} from './history.js';
import {note, printLines} from './output.js';
import {onlyReference, resolvedSession} from './references.js';
import {resumeDecision} from './session-json.js';
import type {resumeFlags} from './table.js';

type ResumeInvocation = Invocation<typeof resumeFlags>;

export const run = async (invocation: ResumeInvocation): Promise<number> => {
	const {flags, words, host} = invocation;
	const reference = onlyReference(words, 'resume');
	const isAsking = !flags.print && !flags.yes && !flags.exec;
	if (isAsking && !(host.isInputTty && host.isErrorTty))
		throw new UsageError('there is no terminal to ask on: --yes starts it, --print prints it');
	// The history is closed before the agent starts: it may run for hours.
	const session = await withHistory(invocation, ({library}) => resolvedSession(library, reference));
	const plan = planFor(invocation, session);
	const command = shellCommand(plan, shellOf(host.env));
	if (flags.print) {
		printLines([command]);
		return EXIT.done;
	}
	check(invocation, plan, session);
	note(command);
	if (isAsking && !(await isConfirmed())) return EXIT.done;
	return runResume(plan, host.env);
};

const planFor = ({flags, rest, host, config}: ResumeInvocation, session: SessionView): RunPlan => {
	const decision = resumeDecision(session, config.flags, {
		fork: flags.fork,
		extraArgs: rest,
		...(flags.dir !== undefined && {
			directory: resolve(host.cwd, expandHome(flags.dir, host.home)),
		}),
	});
	if (isRefusal(decision))
		throw new AppError(decision.reason, {details: decision.hint ? [`try: ${decision.hint}`] : []});
	return decision;
};

/** Nothing is started in a wrong place. @throws AppError */
const check = ({host}: ResumeInvocation, plan: RunPlan, session: SessionView): void => {
	const {PATH = ''} = host.env;
	const checks = checkResume(plan, session, {pathEnv: PATH, now: host.now()});
	const problem = obstacle(checks);
	if (problem !== null) throw new AppError(problem);
	if (checks.isPerhapsRunning) note('this session may be open somewhere else');
};

const shellOf = ({SHELL}: ResumeInvocation['host']['env']): Shell =>
	basename(SHELL ?? '') === 'fish' ? 'fish' : 'sh';

const isConfirmed = async (): Promise<boolean> => {
	// Line by line, so that Ctrl-C and Ctrl-D do what they do everywhere.
	const prompt = createInterface({
		input: process.stdin,
		output: process.stderr,
		terminal: false,
	});
	try {
		const answer = await Promise.race([
			prompt.question('start it? [Y/n] '),
			once(prompt, 'close').then(() => 'no'),
		]);
		return /^(?:y(?:es)?)?$/i.test(answer.trim());
	} finally {
		prompt.close();
	}
};
