import type {Line} from '../terminal/spans.js';
import {cutLine, lineWidth} from '../terminal/width.js';
import {Spans} from './spans.js';

interface StatusBarProps {
	readonly left: Line;
	readonly right: Line;
	readonly columns: number;
}

/** A line with something at both ends; the left one is cut first, the right one goes when it takes more than half. */
export const StatusBar = ({left, right, columns}: StatusBarProps) => {
	const end = lineWidth(right) > columns / 1.6 ? cutLine(right, Math.floor(columns / 2)) : right;
	const room = Math.max(0, columns - lineWidth(end) - (end.length > 0 ? 2 : 0));
	const start = cutLine(left, room);
	const gap = Math.max(0, columns - lineWidth(start) - lineWidth(end));
	return <Spans line={[...start, {text: ' '.repeat(gap)}, ...end]} />;
};
