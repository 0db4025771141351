import {helpSections} from '../keymap/help.js';
import type {Line} from '../terminal/spans.js';
import {pad, widthOf, wrap} from '../terminal/width.js';
import {modesOf} from './selectors.js';
import type {AppState} from './state.js';

/** The help screen as rows for the width of the terminal, the keys of the open screen first. */
export const helpLines = (state: AppState): readonly Line[] => {
	const sections = helpSections(state.settings.bindings, modesOf(state)[0]);
	const {columns} = state.size;
	const all = sections.flatMap(({entries}) => entries.map(({keys}) => widthOf(keys)));
	const keyColumns = Math.min(Math.max(...all), Math.floor(columns / 3));
	return sections
		.flatMap(({title, entries}): readonly Line[] => [
			[],
			[{text: '  '}, {text: title, style: 'heading'}],
			...entries.flatMap(({keys, help}) =>
				wrap(help, Math.max(10, columns - keyColumns - 6)).map(
					(row, index): Line => [
						{text: '  '},
						{text: pad(index === 0 ? keys : '', keyColumns), style: 'key'},
						{text: `  ${row}`},
					],
				),
			),
		])
		.slice(1);
};
