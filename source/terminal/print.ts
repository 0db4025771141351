import {writeSync} from 'node:fs';

const stdout = 1;
const stderr = 2;
const retryMs = 5;

/** The reader has gone (`| head`, a closed window): nothing is left to be said, and that is no error. */
const goneCodes: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EIO', 'EBADF', 'ECONNRESET']);

const gone = new Set<number>();

/**
 * What the person or the script asked for. Written at once, so that nothing is lost whichever way the process ends; false when
 * nobody reads any longer.
 */
export function printOut(text: string): boolean {
	return print(stdout, text);
}

/** Notes and errors. */
export function printError(text: string): boolean {
	return print(stderr, text);
}

function print(fileDescriptor: number, text: string): boolean {
	let rest: Uint8Array = Buffer.from(text);
	while (rest.length > 0 && !gone.has(fileDescriptor)) {
		try {
			rest = rest.subarray(writeSync(fileDescriptor, rest));
		} catch (error) {
			const {code} = error as NodeJS.ErrnoException;
			if (goneCodes.has(code)) gone.add(fileDescriptor);
			// A pipe that is full, and that somebody set to answer so instead of waiting.
			else if (code === 'EAGAIN') pause(retryMs);
			else throw error;
		}
	}
	return !gone.has(fileDescriptor);
}

function pause(ms: number): void {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
