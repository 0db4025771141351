import {shellWord} from '../resume/plan.js';

export const shellNames = ['bash', 'zsh', 'fish'] as const;

export type ShellName = (typeof shellNames)[number];

/** A word as the shell reads it back; zsh quotes as sh does. */
export const quoted = (shell: ShellName, text: string): string =>
	shellWord(text, shell === 'fish' ? 'fish' : 'sh');
