import {Text} from 'ink';
import {memo} from 'react';
import {useTheme} from '../hooks/use-theme.js';
import {asciiPunctuation} from '../terminal/ascii.js';
import type {Line} from '../terminal/spans.js';

const isSame = (a: Line, b: Line): boolean =>
	a === b ||
	(a.length === b.length &&
		a.every((span, index) => span.text === b[index]?.text && span.style === b[index]?.style));

/** One row of the screen. It is cut to its width already; a row that says the same is not rendered again. */
export const Spans = memo(
	({line}: {readonly line: Line}) => {
		const theme = useTheme();
		return (
			<Text wrap="truncate">
				{line.length === 0
					? ' '
					: line.map((span, index) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity but their place
							<Text key={index} {...theme.style(span.style)}>
								{theme.isUnicode ? span.text : asciiPunctuation(span.text)}
							</Text>
						))}
			</Text>
		);
	},
	(before, after) => isSame(before.line, after.line),
);
