import {adapters} from '../../adapters/registry.js';
import type {SessionView} from '../../store/types.js';
import type {ResumeCheck, ResumeChoice, ResumeSheet} from '../app/backend.js';
import {ago} from '../app/format.js';
import {checkResume, type ResumeChecks} from '../resume/checks.js';
import {
	isRefusal,
	planResume,
	type Refusal,
	type RunPlan,
	shellCommand,
	shellOf,
} from '../resume/plan.js';
import {sanitizeLine} from '../terminal/sanitize.js';

export interface SheetContext {
	readonly choice: ResumeChoice;
	/** From the config, by agent. */
	readonly flags: Readonly<Record<string, readonly string[]>>;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly nowMs: number;
	/** Directories that other sessions worked in; asked for only when the session's own is gone. */
	readonly knownDirectories: () => readonly string[];
	/** Directories of the session that it is not started in. */
	readonly furtherDirectories: readonly string[];
	readonly parent: SessionView | undefined;
}

const directoryCheck = (
	{directory, branchNow, branchThen}: ResumeChecks,
	isChosen: boolean,
): ResumeCheck => {
	if (directory === null)
		return {label: 'directory', text: 'any, the agent finds its own', state: 'info'};
	const path = sanitizeLine(directory.path);
	if (!directory.exists)
		return {
			label: 'directory',
			text: `${path} ${isChosen ? 'does not exist' : 'is gone'}`,
			state: 'warning',
		};
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
	/** The directory is one that the person named. */
	readonly isChosen?: boolean;
}

/** The checks as rows; the first one is about the directory, the second about the program. */
export const checkRows = (
	checks: ResumeChecks,
	{nowMs, version = null, isChosen = false}: CheckRowFacts,
): readonly ResumeCheck[] => [
	directoryCheck(checks, isChosen),
	programCheck(checks, version),
	writtenCheck(checks, nowMs),
];

/** What a session went through after it had begun where it is started now. */
const furtherCheck = (directories: readonly string[]): readonly ResumeCheck[] => {
	const [first, ...others] = directories;
	if (first === undefined) return [];
	const more = others.length === 0 ? '' : ` and ${others.length} more`;
	return [{label: 'worked also in', text: `${sanitizeLine(first)}${more}`, state: 'info'}];
};

/** Said whoever asked for it, the config included. */
const permissionCheck = (
	argv: readonly string[],
	unattendedFlags: readonly string[],
): readonly ResumeCheck[] => {
	const given = unattendedFlags.filter(flag => argv.includes(flag));
	return given.length === 0
		? []
		: [
				{
					label: 'permissions',
					text: `acts without asking: ${given.join(' ')}`,
					state: 'warning',
				},
			];
};

type Base = Pick<ResumeSheet, 'session' | 'unattendedFlags'>;

const refusedSheet = (base: Base, {reason, hint, remedy}: Refusal): ResumeSheet => ({
	...base,
	command: '',
	argv: [],
	env: {},
	plan: null,
	program: null,
	reason,
	hint: hint ?? null,
	remedy: remedy ?? null,
	parent: null,
	checks: [],
	isDirectoryMissing: false,
	directories: [],
	canFork: false,
});

const planSheet = (base: Base, plan: RunPlan, context: SheetContext): ResumeSheet => {
	const {choice, env, nowMs, knownDirectories, furtherDirectories} = context;
	const checks = checkResume(plan, base.session, {
		pathEnv: env['PATH'] ?? '',
		now: nowMs,
		knownDirectories,
	});
	const isDirectoryMissing = checks.directory !== null && !checks.directory.exists;
	return {
		...base,
		command: shellCommand(plan, shellOf(env['SHELL'])),
		argv: plan.argv,
		env: plan.env,
		plan: checks.binary.path === null || isDirectoryMissing ? null : plan,
		program: checks.binary.path,
		reason: null,
		hint: null,
		remedy: null,
		parent: null,
		checks: [
			...checkRows(checks, {nowMs, isChosen: choice.directory !== null}),
			...permissionCheck(plan.argv, base.unattendedFlags),
			...furtherCheck(
				furtherDirectories.filter(path => path !== plan.cwd && path !== base.session.cwd),
			),
		],
		isDirectoryMissing,
		directories: checks.directory?.instead ?? [],
		canFork: plan.forkArgv !== undefined,
	};
};

/** What resuming a session would do, in words. */
export const resumeSheet = (session: SessionView, context: SheetContext): ResumeSheet => {
	const {choice, flags, parent} = context;
	const adapter = adapters.find(({id}) => id === session.agent);
	const base: Base = {session, unattendedFlags: adapter?.unattendedFlags ?? []};
	if (!adapter) return refusedSheet(base, {reason: 'this agent is not known here'});
	const decision = planResume(session, adapter, {
		fork: choice.isFork,
		directory: choice.directory ?? undefined,
		flags: flags[session.agent],
		isUnattended: choice.isUnattended,
		extraArgs: choice.words,
	});
	return isRefusal(decision)
		? {...refusedSheet(base, decision), parent: parent ?? null}
		: planSheet(base, decision, context);
};
