import type {Match} from '../../store/types.js';
import type {Line, Span, StyleName} from '../terminal/spans.js';

/** The same line with the ranges in another style. Ranges count UTF-16 units over all spans, ascending. */
export const markRanges = (
	line: Line,
	ranges: readonly Match[],
	style: StyleName = 'match',
): Line => {
	if (ranges.length === 0) return line;
	const marked: Span[] = [];
	let position = 0;
	for (const span of line) {
		const end = position + span.text.length;
		let at = position;
		const add = (until: number, piece: Omit<Span, 'text'>) => {
			if (until > at)
				marked.push({...piece, text: span.text.slice(at - position, until - position)});
			at = Math.max(at, until);
		};
		const {text: _, ...plain} = span;
		for (const [start, stop] of ranges) {
			if (stop <= at || start >= end) continue;
			add(Math.max(at, start), plain);
			add(Math.min(end, stop), {style});
		}
		add(end, plain);
		position = end;
	}
	return marked;
};
