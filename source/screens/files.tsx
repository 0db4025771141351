import type {FileEntry} from '../../store/library.js';
import {fileEntries} from '../app/dialog-items.js';
import {counted, shortPath} from '../app/format.js';
import type {AppState, Dialog} from '../app/state.js';
import {TextField} from '../components/text-field.js';
import {useTheme} from '../hooks/use-theme.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import {cutStart} from '../terminal/width.js';
import {ChoiceList} from './choice-list.js';

interface FilesProps {
	readonly state: AppState;
	readonly dialog: Extract<Dialog, {kind: 'files'}>;
}

const factsOf = ({changes, reads}: FileEntry): string =>
	[changes > 0 ? counted(changes, 'change') : '', reads > 0 ? counted(reads, 'read') : '']
		.filter(fact => fact !== '')
		.join('  ');

/** The files that a session touched, those that it changed first. */
export const Files = ({state, dialog}: FilesProps) => {
	const theme = useTheme();
	const {columns} = state.size;
	const {home} = state.settings;
	const cwd = state.reader?.transcript?.session.cwd ?? null;
	const pathOf = ({path}: FileEntry): string =>
		sanitizeLine(
			cwd !== null && path.startsWith(`${cwd}/`)
				? path.slice(cwd.length + 1)
				: shortPath(path, home),
		);
	const entries = fileEntries(dialog);
	return (
		<ChoiceList
			state={state}
			title="Files"
			choices={entries.map(entry => {
				const facts = factsOf(entry);
				return {
					left: [
						{
							text: cutStart(pathOf(entry), Math.max(8, columns - facts.length - 6)),
							style: entry.changes > 0 ? 'text' : 'dim',
						},
					],
					right: [{text: `${facts} `, style: 'dim'}],
				};
			})}
			selected={dialog.selected}
			empty={
				dialog.files === null
					? ''
					: dialog.files.length === 0
						? 'no file was touched, as far as the tool calls say'
						: 'no such file'
			}
			hints={[
				{chord: 'enter', label: 'go to the change'},
				{chord: 'escape', label: 'back'},
			]}
			field={
				<TextField
					label={[{text: ` ${theme.symbol('query')} `, style: 'accent'}]}
					field={dialog.field}
					columns={columns}
				/>
			}
		/>
	);
};
