import {adapters} from '../../adapters/registry.js';
import type {SessionView} from '../../store/types.js';
import type {ResumeCheck, ResumeChoice, ResumeSheet} from '../app/backend.js';
import {ago} from '../app/format.js';
import type {Config} from '../config.js';
import {checkResume, otherDirectories, type ResumeChecks} from '../resume/checks.js';
import {isRefusal, planResume, shellCommand, shellOf} from '../resume/plan.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Host} from './command.js';

export interface SheetContext {
	readonly choice: ResumeChoice;
	readonly config: Config;
	readonly host: Pick<Host, 'env' | 'now'>;
	/** What the program says of itself, once that is known. */
	readonly version?: string | null;
	/** Directories that other sessions worked in; asked for only when the session's own is gone. */
	readonly knownDirectories?: () => readonly string[];
}

const directoryCheck = ({directory, branchNow, branchThen}: ResumeChecks): ResumeCheck => {
	if (directory === null)
		return {label: 'directory', text: 'any, the agent finds its own', state: 'info'};
	const path = sanitizeLine(directory.path);
	if (!directory.exists) return {label: 'directory', text: `${path} is gone`, state: 'warning'};
	const then = branchThen === null ? '' : ` (then: ${sanitizeLine(branchThen)})`;
	const branch = branchNow === null ? '' : `, on ${branchNow}${then}`;
	const isSame = branchNow === null || branchThen === null || branchNow === branchThen;
	return {label: 'directory', text: `${path}${branch}`, state: isSame ? 'ok' : 'warning'};
};

const programCheck = (
	{binary: {name, path}}: ResumeChecks,
	version: string | null,
): ResumeCheck => {
	if (path === null)
		return {label: 'program', text: `${sanitizeLine(name)} is not on the PATH`, state: 'bad'};
	const text = sanitizeLine(version === null ? path : `${path} · ${version}`);
	return {label: 'program', text, state: 'ok'};
};

const writtenCheck = (
	{lastWrittenMs, isPerhapsRunning, runningPid}: ResumeChecks,
	nowMs: number,
): ResumeCheck => {
	const when = lastWrittenMs === null ? 'unknown when' : ago(lastWrittenMs, nowMs);
	if (runningPid !== null) {
		const text = `${when}, process ${runningPid} has it open`;
		return {label: 'last written', text, state: 'warning'};
	}
	return isPerhapsRunning
		? {label: 'last written', text: `${when}, perhaps running now`, state: 'warning'}
		: {label: 'last written', text: `${when}, not running`, state: 'info'};
};

export interface CheckRowFacts {
	readonly nowMs: number;
	/** What the program says of itself, once that is known. */
	readonly version?: string | null;
}

/** The checks as rows; the first one is about the directory. */
export const checkRows = (
	checks: ResumeChecks,
	{nowMs, version = null}: CheckRowFacts,
): readonly ResumeCheck[] => [
	directoryCheck(checks),
	programCheck(checks, version),
	writtenCheck(checks, nowMs),
];

/** What resuming a session would do, in words. */
export const resumeSheet = (
	session: SessionView,
	{choice, config, host, version = null, knownDirectories}: SheetContext,
): ResumeSheet => {
	const base = {session: session.ref, title: sanitizeLine(session.title), checks: []};
	const none = {
		argv: [],
		env: {},
		plan: null,
		command: '',
		hint: null,
		directories: [],
		canFork: false,
	};
	const adapter = adapters.find(({id}) => id === session.agent);
	if (!adapter) return {...base, ...none, reason: 'this agent is not known here'};
	const decision = planResume(session, adapter, {
		fork: choice.isFork,
		directory: choice.directory ?? undefined,
		flags: config.flags[session.agent],
	});
	if (isRefusal(decision))
		return {...base, ...none, reason: decision.reason, hint: decision.hint ?? null};
	const {PATH, SHELL} = host.env;
	const checks = checkResume(decision, session, {
		pathEnv: PATH ?? '',
		now: host.now(),
		knownDirectories,
	});
	const isReady = checks.binary.path !== null && (checks.directory?.exists ?? true);
	return {
		...base,
		command: shellCommand(decision, shellOf(SHELL)),
		argv: decision.argv,
		env: decision.env,
		plan: isReady ? decision : null,
		reason: null,
		hint: null,
		checks: checkRows(checks, {nowMs: host.now(), version}),
		directories: otherDirectories(checks),
		canFork: decision.forkArgv !== undefined,
	};
};
