import type {RunPlan} from './plan.js';

export type TmuxPlace = 'window' | 'split';

const commands: Readonly<Record<TmuxPlace, string>> = {
	window: 'new-window',
	split: 'split-window',
};

export const isInsideTmux = (env: Readonly<Record<string, string | undefined>>): boolean =>
	Boolean(env['TMUX']);

/** A `;` at the end of a word would end the command. */
const word = (text: string): string => text.replace(/;$/, String.raw`\;`);

/** Directories are formats: `#(…)` in a name would be run by a shell. */
const directory = (path: string): string => word(path.replaceAll('#', '##'));

/** The agent in a window of its own, or in half of this one. Several words are run as they are, a single one would go to a shell. */
export const tmuxCommand = ({argv, cwd, env}: RunPlan, place: TmuxPlace): readonly string[] => [
	'tmux',
	commands[place],
	...(cwd === null ? [] : ['-c', directory(cwd)]),
	...Object.entries(env).flatMap(([name, value]) => ['-e', word(`${name}=${value}`)]),
	'--',
	...(argv.length === 1 ? ['env'] : []),
	...argv.map(word),
];
