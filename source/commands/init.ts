import {join} from 'node:path';
import {adapters} from '../../adapters/registry.js';
import type {Adapter} from '../../adapters/types.js';
import {EXIT, UsageError} from '../errors.js';
import {backgroundSync} from '../shell/background-sync.js';
import {bashCompletion} from '../shell/bash-completion.js';
import {type CompletionTable, completionTable} from '../shell/completion-table.js';
import {fishCompletion} from '../shell/fish-completion.js';
import {keyBinding, parseKey} from '../shell/key-binding.js';
import {type ShellName, shellNames} from '../shell/words.js';
import {zshCompletion} from '../shell/zsh-completion.js';
import type {Invocation} from './command.js';
import {printLines} from './output.js';
import {browse, commands, type initFlags} from './table.js';

const completions: Readonly<Record<ShellName, (table: CompletionTable) => string>> = {
	bash: bashCompletion,
	zsh: zshCompletion,
	fish: fishCompletion,
};

/** How a shell is told to take it up. */
const setups: Readonly<Record<ShellName, string>> = {
	bash: 'eval "$(backscroll init bash)"   # at the end of ~/.bashrc',
	zsh: 'eval "$(backscroll init zsh)"   # at the end of ~/.zshrc, behind compinit',
	fish: 'backscroll init fish | source   # in ~/.config/fish/config.fish',
};

const isShell = (word: string | undefined): word is ShellName =>
	shellNames.some(name => name === word);

export const run = ({flags, words, paths}: Invocation<typeof initFlags>): number => {
	const [shell, ...others] = words;
	if (!isShell(shell) || others.length > 0)
		throw new UsageError(`init needs the name of a shell: ${shellNames.join(', ')}`);
	const ids = (all: readonly Adapter[]) => all.map(({id}) => id);
	const table = completionTable({
		app: browse,
		commands,
		agents: ids(adapters),
		takers: ids(adapters.filter(({start}) => start !== undefined)),
	});
	const stamp = join(paths.dataFolder, 'background-sync');
	printLines([
		`# ${setups[shell]}`,
		completions[shell](table),
		...bindingLines(shell, flags.key),
		...(flags.backgroundSync ? [backgroundSync(shell, stamp)] : []),
	]);
	return EXIT.done;
};

const bindingLines = (shell: ShellName, text = 'ctrl-g'): readonly string[] => {
	if (text === 'none') return [];
	const key = parseKey(text);
	if (key === undefined)
		throw new UsageError(`--key takes ctrl-LETTER, alt-LETTER or none, not ${text}`);
	return [keyBinding(shell, key)];
};
