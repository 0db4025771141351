import {adapters} from '../../adapters/registry.js';
import type {SessionView} from '../../store/types.js';
import type {ResumeCheck, ResumeChoice, ResumeSheet} from '../app/backend.js';
import {ago} from '../app/format.js';
import type {Config} from '../config.js';
import {checkResume, otherDirectories, type ResumeChecks} from '../resume/checks.js';
import {isRefusal, planResume, shellCommand} from '../resume/plan.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Host} from './command.js';

export interface SheetContext {
	readonly choice: ResumeChoice;
	readonly config: Config;
	readonly host: Pick<Host, 'env' | 'now'>;
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

const programCheck = ({binary: {name, path}}: ResumeChecks): ResumeCheck =>
	path === null
		? {label: 'program', text: `${sanitizeLine(name)} is not on the PATH`, state: 'bad'}
		: {label: 'program', text: sanitizeLine(path), state: 'ok'};

const writtenCheck = (
	{lastWrittenMs, isPerhapsRunning}: ResumeChecks,
	nowMs: number,
): ResumeCheck => {
	const when = lastWrittenMs === null ? 'unknown when' : ago(lastWrittenMs, nowMs);
	return isPerhapsRunning
		? {label: 'last written', text: `${when}, perhaps running now`, state: 'warning'}
		: {label: 'last written', text: `${when}, not running`, state: 'info'};
};

/** What resuming a session would do, in words. */
export const resumeSheet = (
	session: SessionView,
	{choice, config, host}: SheetContext,
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
	const checks = checkResume(decision, session, {pathEnv: PATH ?? '', now: host.now()});
	const isReady = checks.binary.path !== null && (checks.directory?.exists ?? true);
	return {
		...base,
		command: shellCommand(decision, SHELL?.endsWith('fish') ? 'fish' : 'sh'),
		argv: decision.argv,
		env: decision.env,
		plan: isReady ? decision : null,
		reason: null,
		hint: null,
		checks: [directoryCheck(checks), programCheck(checks), writtenCheck(checks, host.now())],
		directories: otherDirectories(checks),
		canFork: decision.forkArgv !== undefined,
	};
};
