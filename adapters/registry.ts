import {aider} from './aider/index.js';
import {amp} from './amp/index.js';
import {antigravity} from './antigravity/index.js';
import {astrbot} from './astrbot.js';
import {auggie} from './auggie/index.js';
import {claudeCode} from './claude-code/index.js';
import {cline} from './cline/index.js';
import {codebuddy} from './codebuddy/index.js';
import {codex} from './codex/index.js';
import {continueDev} from './continue/index.js';
import {copilotCli} from './copilot-cli/index.js';
import {crush} from './crush/index.js';
import {cursor} from './cursor/index.js';
import {customHistory} from './custom-history/index.js';
import {deepagents} from './deepagents/index.js';
import {deepseekHarness} from './deepseek-harness/index.js';
import {devin} from './devin/index.js';
import {factoryDroid} from './factory-droid/index.js';
import {firebender} from './firebender.js';
import {forgecode} from './forgecode/index.js';
import {fx} from './fx/index.js';
import {geminiCli} from './gemini-cli.js';
import {goose} from './goose/index.js';
import {grokBuild} from './grok-build/index.js';
import {headlesscode} from './headlesscode.js';
import {hermes} from './hermes/index.js';
import {junie} from './junie/index.js';
import {kiloCode} from './kilo-code.js';
import {kimiCode} from './kimi-code/index.js';
import {kiroCli} from './kiro-cli/index.js';
import {lingma} from './lingma.js';
import {mimoCode} from './mimo-code.js';
import {mistralVibe} from './mistral-vibe/index.js';
import {muse} from './muse/index.js';
import {mux} from './mux/index.js';
import {nanoclaw} from './nanoclaw/index.js';
import {openclaw} from './openclaw/index.js';
import {opencode} from './opencode.js';
import {openhands} from './openhands/index.js';
import {pi} from './pi/index.js';
import {qoder} from './qoder/index.js';
import {qwenCode} from './qwen-code/index.js';
import {rooCode} from './roo-code.js';
import {rovodev} from './rovodev/index.js';
import {shelley} from './shelley/index.js';
import {tabnineCli} from './tabnine-cli.js';
import type {Adapter} from './types.js';
import {vscodeCopilot} from './vscode-copilot/index.js';
import {warp} from './warp/index.js';
import {zcode} from './zcode/index.js';
import {zed} from './zed/index.js';

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
	qoder,
	codebuddy,
	junie,
	mistralVibe,
	mux,
	amp,
	headlesscode,
	continueDev,
	auggie,
	rovodev,
	opencode,
	kiloCode,
	mimoCode,
	zcode,
	devin,
	openclaw,
	hermes,
	crush,
	goose,
	shelley,
	astrbot,
	firebender,
	forgecode,
	cline,
	rooCode,
	openhands,
	kiroCli,
	antigravity,
	customHistory,
	aider,
	lingma,
	nanoclaw,
	warp,
	zed,
	deepagents,
];
