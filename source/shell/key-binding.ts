/** A key of the shell that opens the app and puts what it chose on the command line. */
import type {ShellName} from './words.js';

/** `ctrl-g`, `alt-h`; null: no key. */
export interface ShellKey {
	readonly modifier: 'ctrl' | 'alt';
	readonly letter: string;
}

/** Enter, Tab, and what interrupts or stops: no shell could do without them. */
const taken = 'cijmz';

/** Undefined: not a key that can be bound. */
export const parseKey = (text: string): ShellKey | undefined => {
	const [, modifier, letter] = /^(ctrl|alt)[-+]([a-z])$/i.exec(text.toLowerCase()) ?? [];
	if (modifier !== 'ctrl' && modifier !== 'alt') return undefined;
	if (letter === undefined || (modifier === 'ctrl' && taken.includes(letter))) return undefined;
	return {modifier, letter};
};

const spellings: Readonly<Record<ShellName, Readonly<Record<ShellKey['modifier'], string>>>> = {
	bash: {ctrl: String.raw`\C-`, alt: String.raw`\e`},
	zsh: {ctrl: '^', alt: '^['},
	fish: {ctrl: String.raw`\c`, alt: String.raw`\e`},
};

const spelled = (shell: ShellName, {modifier, letter}: ShellKey): string =>
	spellings[shell][modifier] + letter;

/** SHELL says how the command is to be quoted: it may name another shell, the one of the login. */
const bindings: Readonly<Record<ShellName, (key: string) => string>> = {
	// Before version 4, which macOS still has, bash gives a key no access to the line.
	bash: key => `__backscroll_choose() {
	local line
	line=$(SHELL=$BASH command backscroll --here --print </dev/tty)
	[[ -n $line ]] || return 0
	READLINE_LINE=$line
	READLINE_POINT=0x7fffffff
}
if [[ $- == *i* ]] && ((BASH_VERSINFO[0] >= 4)); then
	bind -m emacs-standard -x '"${key}": __backscroll_choose'
	bind -m vi-insert -x '"${key}": __backscroll_choose'
	bind -m vi-command -x '"${key}": __backscroll_choose'
fi`,
	zsh: key => `__backscroll_choose() {
	emulate -L zsh
	local line
	line=$(SHELL=\${commands[zsh]:-zsh} command backscroll --here --print </dev/tty)
	if [[ -n $line ]]; then
		BUFFER=$line
		CURSOR=\${#BUFFER}
	fi
	zle reset-prompt
}
if [[ -o interactive ]]; then
	zle -N __backscroll_choose
	bindkey -M emacs '${key}' __backscroll_choose
	bindkey -M viins '${key}' __backscroll_choose
	bindkey -M vicmd '${key}' __backscroll_choose
fi`,
	fish: key => `function __backscroll_choose
	set -l line (SHELL=(status fish-path) command backscroll --here --print </dev/tty | string collect)
	test -n "$line"; and commandline --replace -- $line
	commandline -f repaint
end
if status is-interactive
	bind ${key} __backscroll_choose
	bind -M insert ${key} __backscroll_choose
end`,
};

export const keyBinding = (shell: ShellName, key: ShellKey): string =>
	bindings[shell](spelled(shell, key));
