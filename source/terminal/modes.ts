import {spawnSync} from 'node:child_process';
import {closeSync, openSync} from 'node:fs';
import type {ReadStream, WriteStream} from 'node:tty';

/**
 * Alternate screen; no automatic wrap, so that an emoji that the terminal draws wider than we count is clipped and the frame stays
 * intact; bracketed paste; clear, home.
 */
const enterSequence = '\x1b[?1049h\x1b[?7l\x1b[?2004h\x1b[2J\x1b[H';
/** What leaving the alternate screen restores may come from a child that was killed: colours and line drawing go. */
const leaveSequence = '\x1b[?2004l\x1b[?7h\x1b[?1049l\x1b[?25h\x1b[0m\x1b(B';

/**
 * What a child that was killed may have left on: mouse and focus reports, modifyOtherKeys, kitty keyboard, application keys, output
 * that waits for the end of a frame; colours, line drawing, insert mode, a scroll region (to end it moves the cursor, which is why
 * that is saved and restored).
 */
export const afterChildSequence = [
	'\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1006l\x1b[>4;0m\x1b[<u\x1b[?1l\x1b>\x1b[?2026l',
	'\x1b[0m\x1b(B\x0f\x1b[4l\x1b7\x1b[r\x1b8',
].join('');

export interface Modes {
	readonly isEntered: () => boolean;
	/** Raw mode first: keys typed from now on must not act on the cooked terminal. */
	readonly enter: () => void;
	readonly leave: () => void;
}

/** Each of the two is one write, and does nothing when it is already so. */
export function createModes(stdin: ReadStream, stdout: WriteStream): Modes {
	let isEntered = false;
	return {
		isEntered: () => isEntered,
		enter() {
			if (isEntered) return;
			isEntered = true;
			stdin.setRawMode(true);
			stdout.write(enterSequence);
		},
		leave() {
			if (!isEntered) return;
			isEntered = false;
			stdout.write(leaveSequence);
			// A stream that was closed with its terminal has no mode any more.
			if (!stdin.destroyed) stdin.setRawMode(false);
		},
	};
}

/**
 * The line settings of the terminal, to be put back after a child: what a killed child left behind would else be taken for the
 * settings of the shell when raw mode is set again. Without `stty` they stay as they are.
 */
export function keepLineSettings(): () => void {
	const settings = stty('-g')?.trim();
	return () => {
		if (settings) stty(settings);
	};
}

function stty(argument: string): string | undefined {
	try {
		const terminal = openSync('/dev/tty', 'r');
		const {status, stdout} = spawnSync('stty', [argument], {
			stdio: [terminal, 'pipe', 'ignore'],
			encoding: 'utf8',
		});
		closeSync(terminal);
		return status === 0 ? stdout : undefined;
	} catch {
		// No /dev/tty here: nothing to keep.
		return undefined;
	}
}
