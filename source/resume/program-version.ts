import {spawn} from 'node:child_process';
import {parse} from 'node:path';

/** Longer than this a sheet does not wait: a version is good to know, no more. */
const LIMIT_MS = 1000;
const MAX_CHARS = 4096;

export interface VersionQuestion {
	/** The whole environment of the program. */
	readonly env: NodeJS.ProcessEnv;
	readonly limitMs?: number;
	/** The sheet was closed: the program is ended, the answer is null. */
	readonly signal?: AbortSignal;
}

/** `2.1.197 (Claude Code)`, `codex-cli 0.171.0` */
const versionIn = (text: string): string | null => /\d+\.\d+[\w.+-]*/.exec(text)?.[0] ?? null;

/** The program may be a script that started another one: the whole group goes. */
const endGroup = (pid: number | undefined): void => {
	if (pid === undefined) return;
	try {
		process.kill(-pid, 'SIGKILL');
	} catch {
		// It has just ended by itself.
	}
};

/**
 * What `PROGRAM --version` says; null when it does not in time, or says no version. It runs in the root of the file system: some
 * agents read settings of the directory that they start in, and nothing of a project is to run before a person said so.
 */
export const programVersion = (
	path: string,
	{env, limitMs = LIMIT_MS, signal}: VersionQuestion,
): Promise<string | null> =>
	new Promise(resolve => {
		if (signal?.aborted) return resolve(null);
		const child = spawn(path, ['--version'], {
			cwd: parse(path).root,
			env,
			stdio: ['ignore', 'pipe', 'ignore'],
			detached: true,
		});
		let said = '';
		const finish = (version: string | null): void => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', giveUp);
			child.stdout.destroy();
			resolve(version);
		};
		const giveUp = (): void => {
			endGroup(child.pid);
			finish(null);
		};
		const timer = setTimeout(giveUp, limitMs);
		signal?.addEventListener('abort', giveUp, {once: true});
		child.stdout.on('data', (chunk: Buffer) => {
			if (said.length < MAX_CHARS) said += chunk.toString('utf8');
		});
		child.once('error', () => finish(null));
		child.once('close', () => finish(versionIn(said)));
	});
