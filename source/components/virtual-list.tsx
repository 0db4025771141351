import {Box} from 'ink';
import type {ReactNode} from 'react';

interface VirtualListProps<T> {
	readonly items: readonly T[];
	/** First item in sight. */
	readonly from: number;
	/** Behind the last one. */
	readonly to: number;
	readonly columns: number;
	readonly rows: number;
	readonly renderItem: (item: T, index: number) => ReactNode;
}

/** Only the items in sight are in the tree, however many there are. */
export const VirtualList = <T,>({
	items,
	from,
	to,
	columns,
	rows,
	renderItem,
}: VirtualListProps<T>) => (
	<Box flexDirection="column" width={columns} height={rows} overflowY="hidden">
		{items.slice(from, to).map((item, offset) => renderItem(item, from + offset))}
	</Box>
);
