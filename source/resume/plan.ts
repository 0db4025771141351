import type {Adapter} from '../../adapters/types.js';
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

export interface Refusal {
	/** One line for a person. */
	readonly reason: string;
	/** A command that helps. */
	readonly hint?: string;
}

export type ResumeDecision = RunPlan | Refusal;

export interface ResumeOptions {
	/** A new session from this one. */
	readonly fork?: boolean | undefined;
	/** Instead of the directory that the session worked in. */
	readonly directory?: string | undefined;
	/** From the config; they are shown like the rest of the command. */
	readonly flags?: readonly string[] | undefined;
	/** From the command line, after everything else. */
	readonly extraArgs?: readonly string[] | undefined;
}

export const isRefusal = (decision: ResumeDecision): decision is Refusal => 'reason' in decision;

/** What neither a terminal nor a copied command may hold, and what sanitising would silently change. */
const isHostile = (text: string): boolean => sanitizeForFile(text) !== text;

const refusalOf = (session: SessionView, label: string): Refusal | undefined => {
	const {sourceState, kind, parent, ref} = session;
	if (kind === 'imported') return {reason: `This session was imported; ${label} does not know it.`};
	if (kind === 'subagent') {
		const by = parent === null ? '' : `: ${sanitizeLine(parent.ref)}`;
		return {
			reason: `A sub-agent cannot be resumed by itself; resume the session that started it${by}`,
			...(parent === null ? {} : {hint: `backscroll resume ${quoteFor.sh(parent.ref)}`}),
		};
	}
	if (sourceState !== 'deleted') return undefined;
	const restore = `backscroll restore ${quoteFor.sh(ref)}`;
	return {
		reason: `${label} deleted the transcript of this session; \`${sanitizeLine(restore)}\` puts it back.`,
		hint: restore,
	};
};

const hostilePlace = (plan: RunPlan): Refusal | undefined => {
	if (plan.cwd !== null && isHostile(plan.cwd))
		return {
			reason: `The name of the directory holds control characters: ${sanitizeLine(plan.cwd)}`,
		};
	const words = [...plan.argv, ...Object.keys(plan.env), ...Object.values(plan.env)];
	return words.some(isHostile) ? {reason: 'The command would hold control characters.'} : undefined;
};

const nativeId = (ref: string, agent: string): string =>
	ref.startsWith(`${agent}:`) ? ref.slice(agent.length + 1) : ref;

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
	if ('reason' in plan) return plan;
	if (options.fork && plan.forkArgv === undefined)
		return {reason: `${adapter.label} cannot fork a session.`};
	const base = (options.fork ? plan.forkArgv : plan.argv) ?? plan.argv;
	const added = [...(options.flags ?? []), ...(options.extraArgs ?? [])];
	const run: RunPlan = {
		argv: [...base, ...added],
		cwd: options.directory ?? plan.cwd,
		env: plan.env,
		...(plan.forkArgv ? {forkArgv: [...plan.forkArgv, ...added]} : {}),
	};
	return hostilePlace(run) ?? run;
};

export type Shell = 'sh' | 'fish';

/** Words that no shell reads as anything else. */
const plainWord = /^[A-Za-z0-9_@+:,./-][A-Za-z0-9_@+=:,./-]*$/;

const quoteFor: Readonly<Record<Shell, (word: string) => string>> = {
	sh: word => (plainWord.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`),
	fish: word =>
		plainWord.test(word)
			? word
			: `'${word.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`,
};

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
