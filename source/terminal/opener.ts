import {spawn} from 'node:child_process';

/** The program that opens a file with whatever the system has for it. */
const openers: Partial<Readonly<Record<NodeJS.Platform, readonly string[]>>> = {
	darwin: ['open'],
	win32: ['explorer.exe'],
};

/** Opens a file outside of the terminal; a line for the person when nothing could be started. */
export function openOutside(
	path: string,
	{env, platform}: {readonly env: NodeJS.ProcessEnv; readonly platform: NodeJS.Platform},
): Promise<string | null> {
	const [program = 'xdg-open', ...args] = openers[platform] ?? ['xdg-open'];
	return new Promise(resolve => {
		// Detached and without our terminal: a viewer outlives the app, and what it prints must not land on the screen.
		const child = spawn(program, [...args, path], {env, stdio: 'ignore', detached: true});
		child.once('error', () => resolve(`${program} was not found; the file lies at ${path}`));
		child.once('spawn', () => {
			child.unref();
			resolve(null);
		});
	});
}
