import {spawn} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {AppError} from '../errors.js';

export type ClipboardWay = 'terminal (OSC 52)' | 'tmux' | 'system clipboard';

/** What xterm and its descendants take in one OSC 52 sequence, before base64. */
const terminalLimitBytes = 74_000;

/**
 * Says which clipboard took the text. tmux first: it swallows OSC 52 by default. Over SSH the clipboard of this machine is the wrong
 * one; and where it has none (a container), the terminal's is the last resort.
 */
export async function copyText(text: string, env: NodeJS.ProcessEnv): Promise<ClipboardWay> {
	if (env['TMUX'] && (await copyToTmux(text, env))) return 'tmux';
	const isRemote = Boolean(env['SSH_TTY'] || env['SSH_CONNECTION'] || env['SSH_CLIENT']);
	if (!isRemote && (await copyToSystem(text))) return 'system clipboard';
	copyToTerminal(text);
	return 'terminal (OSC 52)';
}

/** False when tmux is gone or too old for `-w` (before 3.2). */
function copyToTmux(text: string, env: NodeJS.ProcessEnv): Promise<boolean> {
	return new Promise(resolve => {
		const tmux = spawn('tmux', ['load-buffer', '-w', '-'], {
			env,
			stdio: ['pipe', 'ignore', 'ignore'],
		});
		tmux.once('error', () => resolve(false));
		tmux.once('close', code => resolve(code === 0));
		// A tmux that ends early closes the pipe; its exit code says all.
		tmux.stdin.once('error', () => undefined);
		tmux.stdin.end(text);
	});
}

async function copyToSystem(text: string): Promise<boolean> {
	const {default: clipboard} = await import('clipboardy');
	try {
		await clipboard.write(text);
		return true;
	} catch {
		// No display, no clipboard program: there is another way.
		return false;
	}
}

function copyToTerminal(text: string): void {
	const bytes = Buffer.from(text);
	if (bytes.length > terminalLimitBytes)
		throw new AppError('too long for the clipboard of the terminal (74,000 bytes); export it');
	const sequence = `\x1b]52;c;${bytes.toString('base64')}\x07`;
	try {
		// Not stdout, which may be a pipe, and whose frames must not be torn.
		writeFileSync('/dev/tty', sequence);
	} catch (error) {
		throw new AppError('no clipboard found', {cause: error});
	}
}
