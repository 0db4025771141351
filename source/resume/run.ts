import {spawn} from 'node:child_process';
import {constants} from 'node:os';
import {ChildError} from '../errors.js';
import {runForeground} from '../terminal/child.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {RunPlan} from './plan.js';
import {type TmuxPlace, tmuxCommand} from './tmux.js';

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

/**
 * Opens the agent in tmux and comes back at once.
 * @throws ChildError with what tmux says when it does not open.
 */
export const runInTmux = (
	plan: RunPlan,
	place: TmuxPlace,
	env: NodeJS.ProcessEnv,
): Promise<void> => {
	const [file = '', ...words] = tmuxCommand(plan, place);
	return new Promise((resolve, reject) => {
		const child = spawn(file, words, {env, stdio: ['ignore', 'ignore', 'pipe']});
		let said = '';
		child.stderr.on('data', (chunk: Buffer) => {
			said += chunk.toString('utf8');
		});
		child.once('error', error =>
			reject(new ChildError(`tmux could not be started: ${error.message}`, {cause: error})),
		);
		child.once('close', code =>
			code === 0
				? resolve()
				: reject(new ChildError(`tmux did not open it: ${sanitizeLine(said) || `code ${code}`}`)),
		);
	});
};
