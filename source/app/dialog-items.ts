/** What the lists in dialogs offer. Pure. */
import Fuse from 'fuse.js';
import type {FacetValue, FileEntry, OutlineEntry} from '../../store/library.js';
import type {CommandId} from '../keymap/bindings.js';
import {longChord} from '../keymap/chord.js';
import {activeBindings} from './selectors.js';
import type {AppState, Dialog} from './state.js';

export interface PaletteEntry {
	readonly id: CommandId;
	readonly label: string;
	readonly help: string;
	readonly keys: string;
}

/** Best first; everything in its own order while nothing is typed. */
const fuzzy = <T>(items: readonly T[], text: string, keys: readonly string[]): readonly T[] =>
	text.trim() === ''
		? items
		: new Fuse(items, {keys: [...keys], threshold: 0.3, ignoreLocation: true})
				.search(text.trim())
				.map(({item}) => item);

export const paletteEntries = (state: AppState, text: string): readonly PaletteEntry[] =>
	fuzzy(
		activeBindings(state)
			.filter(({isHidden, id}) => !isHidden && id !== 'app.palette')
			.map(({id, label, help, keys}) => ({id, label, help, keys: keys.map(longChord).join(', ')})),
		text,
		['label', 'help'],
	);

/** Null: all of them. */
export const facetEntries = (
	dialog: Extract<Dialog, {kind: 'facet'}>,
): readonly (FacetValue | null)[] => {
	const found = fuzzy(dialog.values ?? [], dialog.field.text, ['label', 'value']);
	return dialog.field.text.trim() === '' ? [null, ...found] : found;
};

/** The prompts that fit what is typed. */
export const outlineEntries = (
	state: AppState,
	{field}: Extract<Dialog, {kind: 'outline'}>,
): readonly OutlineEntry[] => fuzzy(state.reader?.outline ?? [], field.text, ['text']);

export const fileEntries = ({
	files,
	field,
}: Extract<Dialog, {kind: 'files'}>): readonly FileEntry[] =>
	fuzzy(files ?? [], field.text, ['path']);
