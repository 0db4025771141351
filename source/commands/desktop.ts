/** What the app asks of the world outside of its screen: other programs on the terminal, the clipboard, the way out. */

import process from 'node:process';
import type {AgentPlan, Desktop} from '../app/backend.js';
import {ChildError} from '../errors.js';
import {programVersion} from '../resume/program-version.js';
import {childEnvironment, runInTmux} from '../resume/run.js';
import {runChild} from '../terminal/child.js';
import {copyText} from '../terminal/clipboard.js';
import {openInEditor, openInPager} from '../terminal/editor.js';
import {openOutside} from '../terminal/opener.js';
import type {Screen} from '../terminal/screen.js';
import type {Host} from './command.js';

/** How a run of the app ended. */
export interface Outcome {
	readonly print?: string;
	readonly isDemo?: true;
}

interface Stage {
	readonly screen: Screen;
	/** Takes the screens off while another program has the terminal, and puts them back. */
	readonly mount: () => void;
	readonly unmount: () => void;
	readonly end: (outcome: Outcome) => void;
}

/**
 * Listeners that are taken off stdin count for it until the next turn: paused before that, it would go on reading, and eat the keys
 * of a child; and a listener that comes before the pause has taken effect would never hear of any key.
 */
export const stdinAtRest = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

const problemOf = (error: unknown): string => {
	if (error instanceof ChildError) return error.message;
	throw error;
};

/** Programs that take the terminal over, and come back to the same row. */
export const createDesktop = ({screen, mount, unmount, end}: Stage, host: Host): Desktop => {
	const env = process.env;
	const outside = async (run: () => Promise<string | null>): Promise<string | null> => {
		unmount();
		await stdinAtRest();
		try {
			return await run();
		} catch (error) {
			return problemOf(error);
		} finally {
			mount();
		}
	};
	const runAgent = async (plan: AgentPlan, notice: string): Promise<string | null> => {
		const {code, signal} = await runChild(screen, {
			argv: plan.argv,
			...(plan.cwd === null ? {} : {cwd: plan.cwd}),
			env: childEnvironment(plan, env),
			notice,
		});
		return code === 0 || signal !== null ? null : `${plan.argv[0]} ended with code ${code}`;
	};
	return {
		now: host.now,
		copy: text => copyText(text, env),
		programVersion: (path, own, signal) => programVersion(path, {env: {...env, ...own}, signal}),
		runAgent: (plan, notice) => outside(() => runAgent(plan, notice)),
		runInTmux: (plan, place) => runInTmux(plan, place, env),
		openInEditor: (name, text) =>
			outside(async () => {
				await openInEditor(screen, {name, text}, env);
				return null;
			}),
		openInPager: (name, text) =>
			outside(async () => {
				await openInPager(screen, {name, text}, env);
				return null;
			}),
		openFile: path => openOutside(path, {env, platform: host.platform}),
		suspend: () => screen.suspend(),
		quit: how => end(how ?? {}),
		setTimer(callback, ms) {
			const timer = setTimeout(callback, ms);
			return () => clearTimeout(timer);
		},
	};
};
