import {chmodSync, mkdirSync, renameSync, statSync} from 'node:fs';
import {dirname} from 'node:path';
import {type Logger, pino} from 'pino';

const MAX_BYTES = 1_000_000;

/** Opens the log for appending; a large one is set aside first, so that two files at most are kept. Never writes to the terminal. */
export const openLog = (file: string): Logger => {
	mkdirSync(dirname(file), {recursive: true, mode: 0o700});
	if ((statSync(file, {throwIfNoEntry: false})?.size ?? 0) > MAX_BYTES)
		renameSync(file, `${file}.1`);
	const destination = pino.destination({dest: file, sync: true, append: true, mode: 0o600});
	chmodSync(file, 0o600);
	return pino({base: {pid: process.pid}, timestamp: pino.stdTimeFunctions.isoTime}, destination);
};
