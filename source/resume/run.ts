import {constants} from 'node:os';
import {runForeground} from '../terminal/child.js';
import type {RunPlan} from './plan.js';

/** The environment that an agent is started in. Some agents believe PWD more than the real working directory. */
export const childEnvironment = (plan: RunPlan, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
	...env,
	...(plan.cwd === null ? {} : {PWD: plan.cwd}),
	...plan.env,
});

/**
 * Starts the agent in the foreground and waits for its end.
 * @returns the exit code to end with: the agent's own, or 128 + n after a signal.
 * @throws ChildError when it cannot be started.
 */
export const runResume = async (plan: RunPlan, env: NodeJS.ProcessEnv): Promise<number> => {
	const {code, signal} = await runForeground({
		argv: plan.argv,
		...(plan.cwd === null ? {} : {cwd: plan.cwd}),
		env: childEnvironment(plan, env),
	});
	return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
};
