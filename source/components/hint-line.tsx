import {useTheme} from '../hooks/use-theme.js';
import {shortChord} from '../keymap/chord.js';
import type {Line, Span} from '../terminal/spans.js';
import {cutLine, lineWidth} from '../terminal/width.js';
import {Spans} from './spans.js';

export interface Hint {
	readonly chord: string;
	readonly label: string;
}

interface HintLineProps {
	readonly hints: readonly Hint[];
	readonly right?: Line;
	readonly columns: number;
}

/** The keys that work now: as many as fit, in the order of their weight. */
export const HintLine = ({hints, right = [], columns}: HintLineProps) => {
	const {isUnicode} = useTheme();
	const room = columns - lineWidth(right) - 1;
	const line: Span[] = [];
	for (const {chord, label} of hints) {
		const hint: Line = [
			{text: line.length === 0 ? ' ' : '  '},
			{text: shortChord(chord, isUnicode), style: 'key'},
			{text: ` ${label}`, style: 'dim'},
		];
		if (lineWidth([...line, ...hint]) > room) break;
		line.push(...hint);
	}
	const gap = Math.max(0, columns - lineWidth(line) - lineWidth(right));
	return <Spans line={cutLine([...line, {text: ' '.repeat(gap)}, ...right], columns)} />;
};
