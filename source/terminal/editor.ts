import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {ChildError} from '../errors.js';
import {type ChildResult, runChild} from './child.js';
import type {Screen} from './screen.js';

/** A file of the person's, or text that is put into a temporary file for as long as the program runs. */
export type Target = {readonly path: string} | {readonly name: string; readonly text: string};

/** The exit code of `sh` for a program that does not exist. */
const notFound = 127;

/** VISUAL, EDITOR, vi. */
export function openInEditor(
	screen: Screen,
	target: Target,
	env: NodeJS.ProcessEnv,
): Promise<ChildResult> {
	return openIn(screen, target, {command: env['VISUAL'] || env['EDITOR'] || 'vi', env});
}

/** PAGER, `less -R`. */
export function openInPager(
	screen: Screen,
	target: Target,
	env: NodeJS.ProcessEnv,
): Promise<ChildResult> {
	return openIn(screen, target, {command: env['PAGER'] || 'less -R', env});
}

/** The command may hold arguments, so a shell reads it; the file is handed over as `$1`, never glued into the command. */
async function openIn(
	screen: Screen,
	target: Target,
	{command, env}: {readonly command: string; readonly env: NodeJS.ProcessEnv},
): Promise<ChildResult> {
	const run = async (path: string) => {
		const argv = ['sh', '-c', `${command} "$1"`, 'sh', path];
		const result = await runChild(screen, {argv, env, notice: `${command} ${path}`});
		if (result.code === notFound) throw new ChildError(`${command} was not found`);
		return result;
	};
	if ('path' in target) return run(target.path);
	const folder = mkdtempSync(join(tmpdir(), 'backscroll-'));
	try {
		const path = join(folder, basename(target.name));
		writeFileSync(path, target.text, {mode: 0o600});
		return await run(path);
	} finally {
		rmSync(folder, {recursive: true, force: true});
	}
}
