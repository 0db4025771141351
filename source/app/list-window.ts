/** Moves in the list: pure, over items of one or two rows. */
import {heightOf, type ListItem, type ListLayout} from './selectors.js';

export interface ListView {
	readonly items: readonly ListItem[];
	readonly layout: ListLayout;
}

/** Index behind the last item that fits when `top` is the first one. */
export const endOfWindow = ({items, layout}: ListView, top: number): number => {
	let rows = 0;
	let index = top;
	for (; index < items.length; index++) {
		const item = items[index];
		rows += item ? heightOf(item, layout) : 0;
		if (rows > layout.listRows) break;
	}
	return Math.max(index, Math.min(items.length, top + 1));
};

/** First item of the window that ends with an item. */
export const topFor = ({items, layout}: ListView, last: number): number => {
	let rows = 0;
	for (let index = last; index >= 0; index--) {
		const item = items[index];
		rows += item ? heightOf(item, layout) : 0;
		if (rows > layout.listRows) return Math.min(last, index + 1);
	}
	return 0;
};

/** The window with the selected item in sight, moved as little as that needs; no empty rows while there are items above. */
export const scrollTo = (view: ListView, selected: number, top: number): number => {
	const last = view.items.length - 1;
	const highest = topFor(view, last);
	const wished = Math.max(0, Math.min(top, highest));
	if (selected < wished) return selected;
	return selected < endOfWindow(view, wished) ? wished : topFor(view, selected);
};
