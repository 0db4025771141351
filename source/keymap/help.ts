import {type Binding, groups, type Mode} from './binding.js';
import {longChord} from './chord.js';

interface HelpEntry {
	readonly keys: string;
	readonly help: string;
}

export interface HelpSection {
	readonly title: string;
	readonly entries: readonly HelpEntry[];
}

const screens: readonly {readonly mode: Mode; readonly title: string}[] = [
	{mode: 'list', title: 'Sessions'},
	{mode: 'reader', title: 'Reader'},
	{mode: 'global', title: 'Everywhere'},
];

/** What the text fields know by themselves; they take these keys before the table is asked. */
const editing: HelpSection = {
	title: 'Query and other text fields',
	entries: [
		{keys: 'Left, Right, Ctrl-A, Ctrl-E', help: 'Move the cursor'},
		{keys: 'Alt-B, Alt-F', help: 'One word back or on'},
		{keys: 'Ctrl-W, Ctrl-U', help: 'Delete the word, or everything, before the cursor'},
	],
};

const section = (table: readonly Binding[], mode: Mode, title: string): HelpSection => ({
	title,
	entries: groups.flatMap(group =>
		table
			.filter(binding => binding.modes.includes(mode) && binding.group === group)
			.filter(({keys}) => keys.length > 0)
			.map(({keys, help}) => ({keys: keys.map(longChord).join(', '), help})),
	),
});

/** Everything that can be pressed, the screen that is open first. */
export const helpSections = (
	table: readonly Binding[],
	first: Mode = 'list',
): readonly HelpSection[] => [
	...[...screens]
		.sort((a, b) => Number(b.mode === first) - Number(a.mode === first))
		.map(({mode, title}) => section(table, mode, title)),
	editing,
];

/** The keys section of the README. */
export const helpMarkdown = (table: readonly Binding[]): string =>
	helpSections(table)
		.map(({title, entries}) =>
			[
				`### ${title}`,
				'',
				'| key | does |',
				'| --- | --- |',
				...entries.map(({keys, help}) => `| ${keys.replaceAll('|', '\\|')} | ${help} |`),
			].join('\n'),
		)
		.join('\n\n');
