import {Box} from 'ink';
import type {ReactNode} from 'react';
import {dialogRows, frameRows} from '../app/selectors.js';
import type {Size} from '../app/state.js';
import type {Line} from '../terminal/spans.js';
import {cutLine} from '../terminal/width.js';
import {type Hint, HintLine} from './hint-line.js';
import {Rule} from './rule.js';
import {Spans} from './spans.js';

interface DialogProps {
	readonly title: string;
	readonly size: Size;
	readonly hints: readonly Hint[];
	/** Between title and body: a field, a note. */
	readonly top?: ReactNode;
	/** Rows of the body; what does not fit is not shown. */
	readonly children: ReactNode;
}

/** A screen of its own over the one that it belongs to: title, body, keys; no frame around it. */
export const Dialog = ({title, size, hints, top, children}: DialogProps) => {
	const {columns} = size;
	const rows = frameRows(size);
	const hasRules = rows >= 12;
	return (
		<Box flexDirection="column" width={columns} height={rows} overflowY="hidden">
			<Spans line={cutLine([{text: ' '}, {text: title, style: 'bold'}], columns)} />
			{top}
			{hasRules ? <Rule columns={columns} /> : null}
			<Box flexDirection="column" height={dialogRows(size, top !== undefined)} overflowY="hidden">
				{children}
			</Box>
			{hasRules ? <Rule columns={columns} /> : null}
			<HintLine hints={hints} columns={columns} />
		</Box>
	);
};

interface DialogLinesProps {
	readonly lines: readonly Line[];
	readonly size: Size;
	/** Rows of the body that something else takes. */
	readonly taken?: number;
}

/** As many of the lines as the body has room for; blank ones go first. */
export const DialogLines = ({lines, size, taken = 0}: DialogLinesProps) => {
	const rows = dialogRows(size, false) - taken;
	const kept = lines.length > rows ? lines.filter(line => line.length > 0) : lines;
	return kept.slice(0, Math.max(0, rows)).map((line, index) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
		<Spans key={index} line={cutLine(line, size.columns)} />
	));
};
