import {claudeCode} from './claude-code/index.js';
import {codex} from './codex/index.js';
import {cursor} from './cursor/index.js';
import {devin} from './devin/index.js';
import {geminiCli} from './gemini-cli.js';
import {kiloCode} from './kilo-code.js';
import {mimoCode} from './mimo-code.js';
import {opencode} from './opencode.js';
import {qwenCode} from './qwen-code/index.js';
import {tabnineCli} from './tabnine-cli.js';
import type {Adapter} from './types.js';
import {zcode} from './zcode/index.js';

/** Every agent, in the order in which lists and pickers show them: one line per agent. */
export const adapters: readonly Adapter[] = [
	claudeCode,
	codex,
	geminiCli,
	tabnineCli,
	qwenCode,
	cursor,
	opencode,
	kiloCode,
	mimoCode,
	zcode,
	devin,
];
