import type {CompletedCommand, CompletedFlag, CompletionTable, Values} from './completion-table.js';
import {quoted} from './words.js';

const quote = (text: string): string => quoted('zsh', text);

/** Signs that mean something inside of a specification of _arguments. */
const plain = (text: string): string => text.replaceAll(/[\\:[\]]/g, String.raw`\$&`);

const actions: Readonly<Record<Values['kind'], (words: readonly string[]) => string>> = {
	words: words => `(${words.join(' ')})`,
	list: words => `_values -s , agent ${words.join(' ')}`,
	directory: () => '_files -/',
	file: () => '_files',
	text: () => '',
};

const specification = ({name, summary, isMultiple, values}: CompletedFlag): string => {
	const often = isMultiple ? '*' : '';
	if (values === undefined) return quote(`${often}${name}[${plain(summary)}]`);
	const action = actions[values.kind]('words' in values ? values.words : []);
	return quote(`${often}${name}=[${plain(summary)}]:value:${action}`);
};

const argumentsOf = ({flags}: CompletedCommand, rest: string): string =>
	['_arguments', ...flags.map(specification), quote(rest)].join(' \\\n\t\t\t');

const restOf = ({choices}: CompletedCommand): string =>
	choices.length === 0 ? '*:word:' : `*:word:(${choices.join(' ')})`;

export const zshCompletion = ({app, commands}: CompletionTable): string => `_backscroll() {
	local -a names=(
${commands.map(({name, summary}) => `\t\t${quote(`${name}:${summary}`)}`).join('\n')}
	)
	local command=\${words[(r)(${commands.map(({name}) => name).join('|')})]}
	case $command in
${commands.map(command => `\t${command.name})\n\t\t${argumentsOf(command, restOf(command))} ;;`).join('\n')}
	*)
		${argumentsOf(app, '*:command:{ _describe command names }')} ;;
	esac
}
(( $+functions[compdef] )) && compdef _backscroll backscroll`;
