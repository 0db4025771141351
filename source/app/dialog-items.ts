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
const similar = <T>(items: readonly T[], typed: string, keys: readonly string[]): readonly T[] =>
	typed.trim() === ''
		? items
		: new Fuse(items, {keys: [...keys], threshold: 0.3, ignoreLocation: true})
				.search(typed.trim())
				.map(({item}) => item);

/** The same for names; behind the best those that hold the letters in their order (`wb` for `web`). */
const fuzzy = <T extends object, K extends keyof T & string>(
	items: readonly T[],
	typed: string,
	keys: readonly [name: K, ...others: (keyof T & string)[]],
): readonly T[] => {
	const best = similar(items, typed, keys);
	if (best.length === items.length) return best;
	const letters = [...typed.toLowerCase()].filter(letter => letter.trim() !== '');
	const known = new Set(best);
	const others = items.filter(item => !known.has(item) && holds(String(item[keys[0]]), letters));
	return [...best, ...others];
};

/** Whether the letters stand in a text in their order, close to each other or not. */
const holds = (text: string, letters: readonly string[]): boolean => {
	const lower = text.toLowerCase();
	let at = 0;
	for (const letter of letters) {
		const found = lower.indexOf(letter, at);
		if (found < 0) return false;
		at = found + letter.length;
	}
	return true;
};

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
): readonly OutlineEntry[] => similar(state.reader?.outline ?? [], field.text, ['text']);

export const fileEntries = ({
	files,
	field,
}: Extract<Dialog, {kind: 'files'}>): readonly FileEntry[] =>
	fuzzy(files ?? [], field.text, ['path']);
