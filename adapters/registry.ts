import {claudeCode} from './claude-code/index.js';
import {codex} from './codex/index.js';
import type {Adapter} from './types.js';

/** Every agent, in the order in which lists and pickers show them: one line per agent. */
export const adapters: readonly Adapter[] = [claudeCode, codex];
