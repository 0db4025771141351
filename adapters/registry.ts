import {amp} from './amp.js';
import {claudeCode} from './claude-code/index.js';
import {codex} from './codex/index.js';
import {copilotCli} from './copilot-cli/index.js';
import {cursor} from './cursor/index.js';
import {deepseekHarness} from './deepseek-harness/index.js';
import {devin} from './devin/index.js';
import {factoryDroid} from './factory-droid/index.js';
import {fx} from './fx/index.js';
import {geminiCli} from './gemini-cli.js';
import {grokBuild} from './grok-build/index.js';
import {kiloCode} from './kilo-code.js';
import {kimiCode} from './kimi-code/index.js';
import {mimoCode} from './mimo-code.js';
import {muse} from './muse/index.js';
import {openclaw} from './openclaw/index.js';
import {opencode} from './opencode.js';
import {pi} from './pi/index.js';
import {qwenCode} from './qwen-code/index.js';
import {tabnineCli} from './tabnine-cli.js';
import type {Adapter} from './types.js';
import {vscodeCopilot} from './vscode-copilot/index.js';
import {zcode} from './zcode/index.js';

/** Every agent, in the order in which lists and pickers show them: one line per agent. */
export const adapters: readonly Adapter[] = [
	claudeCode,
	codex,
	geminiCli,
	tabnineCli,
	qwenCode,
	cursor,
	factoryDroid,
	copilotCli,
	vscodeCopilot,
	pi,
	grokBuild,
	kimiCode,
	fx,
	muse,
	deepseekHarness,
	amp,
	opencode,
	kiloCode,
	mimoCode,
	zcode,
	devin,
	openclaw,
];
