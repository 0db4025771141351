import type {CompletedCommand, CompletionTable, Values} from './completion-table.js';
import {quoted} from './words.js';

const quote = (text: string): string => quoted('bash', text);

/** How the values of a flag are found, given `$current`. */
const reply = (values: Values): string => {
	const words = 'words' in values ? quote(values.words.join(' ')) : '';
	const ways: Readonly<Record<Values['kind'], string>> = {
		words: `COMPREPLY=($(compgen -W ${words} -- "$current"))`,
		// What stands before the last comma stays.
		list: `COMPREPLY=($(compgen -P "\${current%"\${current##*,}"}" -W ${words} -- "\${current##*,}"))`,
		directory: `local IFS=$'\\n'; COMPREPLY=($(compgen -d -- "$current")); compopt -o filenames 2>/dev/null`,
		file: `local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$current")); compopt -o filenames 2>/dev/null`,
		text: ':',
	};
	return ways[values.kind];
};

/** `command --flag` patterns with the same values share a branch. */
const valueBranches = ({app, commands}: CompletionTable): readonly string[] => {
	const patterns = new Map<string, string[]>();
	const note = (command: string, {flags}: CompletedCommand): void => {
		for (const {name, values} of flags) {
			if (values === undefined) continue;
			const way = reply(values);
			patterns.set(way, [...(patterns.get(way) ?? []), `'${command} ${name}'`]);
		}
	};
	note('', app);
	for (const command of commands) note(command.name, command);
	return [...patterns].map(
		([way, names]) => `\t\t${names.join('|')})\n\t\t\t${way}\n\t\t\treturn ;;`,
	);
};

const wordsOf = ({flags, choices}: CompletedCommand): string =>
	quote([...choices, ...flags.map(({name}) => name)].join(' '));

export const bashCompletion = (table: CompletionTable): string => {
	const {app, commands} = table;
	const names = commands.map(({name}) => name);
	const first = {...app, choices: names};
	return `_backscroll() {
	local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command= words= i
	COMPREPLY=()
	# "--flag=value" comes as three words.
	[[ $current == '=' ]] && current=
	[[ $previous == '=' ]] && previous=\${COMP_WORDS[COMP_CWORD - 2]}
	for ((i = 1; i < COMP_CWORD; i++)); do
		case \${COMP_WORDS[i]} in
		--) return ;;
		${names.join('|')})
			[[ -n $command ]] || command=\${COMP_WORDS[i]} ;;
		esac
	done
	case "$command $previous" in
${valueBranches(table).join('\n')}
	esac
	case $command in
	'') words=${wordsOf(first)} ;;
${commands.map(command => `\t${command.name}) words=${wordsOf(command)} ;;`).join('\n')}
	esac
	COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _backscroll backscroll`;
};
