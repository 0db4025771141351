import type {Adapter, ResumePlan} from '../../adapters/types.js';
import type {SessionView} from '../../store/types.js';
import {sanitizeForFile, sanitizeLine} from '../terminal/sanitize.js';

/** What to run and where. `cwd` null: any directory will do. */
export interface RunPlan {
	readonly argv: readonly string[];
	readonly cwd: string | null;
	readonly env: Readonly<Record<string, string>>;
	/** Begins a new session from this one instead, where the agent can. */
	readonly forkArgv?: readonly string[];
}

/** What helps where a session cannot be resumed as it is. */
export type Remedy = 'restore' | 'unarchive' | 'parent' | 'hand-over';

export interface Refusal {
	/** One line for a person. */
	readonly reason: string;
	/** A command that helps. */
	readonly hint?: string;
	readonly remedy?: Remedy;
}

export type ResumeDecision = RunPlan | Refusal;

export interface ResumeOptions {
	/** A new session from this one. */
	readonly fork?: boolean | undefined;
	/** Instead of the directory that the session worked in. */
	readonly directory?: string | undefined;
	/** From the config; they are shown like the rest of the command. */
	readonly flags?: readonly string[] | undefined;
	/** A person asked, for this one time, that the agent acts without asking. */
	readonly isUnattended?: boolean | undefined;
	/** From the command line, after everything else. */
	readonly extraArgs?: readonly string[] | undefined;
}

export const isRefusal = (decision: ResumeDecision): decision is Refusal => 'reason' in decision;

/** What neither a terminal nor a copied command may hold, and what sanitising would silently change. */
const isHostile = (text: string): boolean => sanitizeForFile(text) !== text;

const refusalOf = (session: SessionView, label: string): Refusal | undefined => {
	const {sourceState, kind, parent, ref} = session;
	if (kind === 'imported')
		return {reason: `This session was imported; ${label} does not know it.`, remedy: 'hand-over'};
	if (kind === 'subagent') {
		const by = parent === null ? '' : `: ${sanitizeLine(parent.ref)}`;
		return {
			reason: `A sub-agent cannot be resumed by itself; resume the session that started it${by}`,
			...(parent === null
				? {}
				: {hint: `backscroll resume ${quoteFor.sh(parent.ref)}`, remedy: 'parent'}),
		};
	}
	if (sourceState !== 'deleted') return undefined;
	const restore = `backscroll restore ${quoteFor.sh(ref)}`;
	return {
		reason: `${label} deleted the transcript of this session; \`${sanitizeLine(restore)}\` puts it back.`,
		hint: restore,
		remedy: 'restore',
	};
};

/** The plan, unless it holds what a terminal would obey. */
const safe = (plan: RunPlan): ResumeDecision => {
	if (plan.cwd !== null && isHostile(plan.cwd))
		return {
			reason: `The name of the directory holds control characters: ${sanitizeLine(plan.cwd)}`,
		};
	const words = [...plan.argv, ...Object.keys(plan.env), ...Object.values(plan.env)];
	return words.some(isHostile) ? {reason: 'The command would hold control characters.'} : plan;
};

const nativeId = (ref: string, agent: string): string =>
	ref.startsWith(`${agent}:`) ? ref.slice(agent.length + 1) : ref;

/** A flag that the config has already is not given twice. */
const addedWords = (
	{unattendedFlags = []}: Adapter,
	{flags = [], isUnattended = false, extraArgs = []}: ResumeOptions,
): readonly string[] => {
	const unattended = isUnattended ? unattendedFlags.filter(flag => !flags.includes(flag)) : [];
	return [...flags, ...unattended, ...extraArgs];
};

/** What the agent has no command for can be handed over; what it put away, its own command brings back. */
const refused = (
	{reason, first}: Extract<ResumePlan, {readonly reason: string}>,
	{resumeEnv}: SessionView,
): Refusal =>
	first === undefined
		? {reason, remedy: 'hand-over'}
		: {
				reason,
				hint: shellCommand({argv: first, cwd: null, env: resumeEnv}),
				remedy: 'unarchive',
			};

/** The command that goes on with a session, or why there is none. Whether the directory exists is for `checkResume` to say. */
export const planResume = (
	session: SessionView,
	adapter: Adapter,
	options: ResumeOptions = {},
): ResumeDecision => {
	const refusal = refusalOf(session, adapter.label);
	if (refusal) return refusal;
	const cwd = options.directory ?? session.cwd;
	const plan = adapter.resume({
		id: session.id,
		cwd,
		isSubagent: session.kind === 'subagent',
		parentId: session.parent && nativeId(session.parent.ref, session.agent),
		archived: session.sourceState === 'archived',
		location: session.location,
		resumeEnv: session.resumeEnv,
		hint: session.resumeHint,
	});
	if ('reason' in plan) return refused(plan, session);
	if (options.fork && plan.forkArgv === undefined)
		return {reason: `${adapter.label} cannot fork a session.`};
	if (options.isUnattended && adapter.unattendedFlags === undefined)
		return {reason: `No flag is known that lets ${adapter.label} act without asking.`};
	const base = (options.fork ? plan.forkArgv : plan.argv) ?? plan.argv;
	const added = addedWords(adapter, options);
	return safe({
		argv: [...base, ...added],
		cwd: options.directory ?? plan.cwd,
		env: plan.env,
		...(plan.forkArgv ? {forkArgv: [...plan.forkArgv, ...added]} : {}),
	});
};

export interface FirstPrompt {
	readonly prompt: string;
	/** A file that holds the prompt, where it is too long for the way that is gone. */
	readonly promptFile?: string | undefined;
}

/** The command that begins a new session of an agent in the place of an old one. */
export const planStart = (
	session: SessionView,
	adapter: Adapter,
	{prompt, promptFile, ...options}: FirstPrompt & Omit<ResumeOptions, 'fork'>,
): ResumeDecision => {
	const cwd = options.directory ?? session.cwd;
	const plan = adapter.start?.({cwd, prompt, ...(promptFile === undefined ? {} : {promptFile})});
	if (plan === undefined)
		return {reason: `${adapter.label} takes no first prompt from the command line.`};
	if ('reason' in plan) return {reason: plan.reason};
	return safe({
		argv: [...plan.argv, ...addedWords(adapter, options)],
		cwd: options.directory ?? plan.cwd,
		env: plan.env,
	});
};

export type Shell = 'sh' | 'fish';

/** Dialect of the shell that SHELL names: bash and zsh quote as sh does. */
export const shellOf = (path: string | undefined): Shell =>
	/(?:^|\/)fish$/.test(path ?? '') ? 'fish' : 'sh';

/** Words that no shell reads as anything else. */
const plainWord = /^[A-Za-z0-9_@+:,./-][A-Za-z0-9_@+=:,./-]*$/;

const quoteFor: Readonly<Record<Shell, (word: string) => string>> = {
	sh: word => (plainWord.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`),
	fish: word =>
		plainWord.test(word)
			? word
			: `'${word.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`,
};

/** A word as the shell reads it back. */
export const shellWord = (word: string, shell: Shell = 'sh'): string => quoteFor[shell](word);

/** The command line to copy: `cd '/w/my app' && VAR=value claude --resume …`. */
export const shellCommand = (plan: RunPlan, shell: Shell = 'sh'): string => {
	const quote = quoteFor[shell];
	const variables = Object.entries(plan.env).map(([name, value]) => `${name}=${quote(value)}`);
	const setting = shell === 'fish' && variables.length > 0 ? ['env', ...variables] : variables;
	const command = [...setting, ...plan.argv.map(quote)].join(' ');
	if (plan.cwd === null) return command;
	const end = plan.cwd.startsWith('-') ? '-- ' : '';
	return `cd ${end}${quote(plan.cwd)} && ${command}`;
};
