import type {WriteStream} from 'node:tty';

/** How an update of a frame begins: back up to its first row. */
const upToFrame = /^\x1b\[\d+A/;

/** A row that has changed: to its beginning, the row, and what was right of it is erased. */
const changedRow = /\x1b\[1G([^\n]*?)\x1b\[K/g;

/**
 * Stdout for Ink, whose frames begin in the first row of the alternate screen. Ink 6.8.0 goes up one row too few before it updates
 * a frame that leaves the last row free (`cursorUp(previousVisible - 1)` in its incremental log-update, though the cursor stands
 * below the frame), so that everything lands a row too low. An absolute position cannot be wrong.
 *
 * And it erases to the end of a row after writing it: where the row is full and the terminal does not wrap (`?7l`), the cursor stands on
 * its last character, which that takes away. Erased first, nothing is lost.
 *
 * A frame that comes while the screen is not ours, as when the job is stopped, would land in the shell: it is dropped, all is drawn
 * again afterwards.
 */
export function frameStream(stdout: WriteStream, isOurs: () => boolean): WriteStream {
	const write = (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean =>
		!isOurs() ||
		(stdout.write as (...parameters: readonly unknown[]) => boolean).call(
			stdout,
			typeof chunk === 'string'
				? chunk.replace(upToFrame, '\x1b[H').replace(changedRow, '\x1b[1G\x1b[K$1')
				: chunk,
			...rest,
		);
	return new Proxy(stdout, {
		get(target, name) {
			if (name === 'write') return write;
			const value: unknown = Reflect.get(target, name, target);
			return typeof value === 'function' ? value.bind(target) : value;
		},
	});
}
