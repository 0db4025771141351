import {homedir} from 'node:os';
import process from 'node:process';
import type {Host} from './command.js';

const DEFAULT_COLUMNS = 80;

export const readHost = (): Host => {
	const {env, platform, stdin, stdout, stderr} = process;
	const {HOME, COLUMNS} = env;
	return {
		env,
		home: HOME || homedir(),
		platform,
		cwd: process.cwd(),
		isOutputTty: stdout.isTTY === true,
		isInputTty: stdin.isTTY === true,
		isErrorTty: stderr.isTTY === true,
		columns: (stdout.isTTY && stdout.columns) || widthFrom(COLUMNS) || DEFAULT_COLUMNS,
		now: Date.now,
	};
};

const widthFrom = (text: string | undefined): number | undefined =>
	text !== undefined && /^[1-9]\d{0,4}$/.test(text) ? Number(text) : undefined;
