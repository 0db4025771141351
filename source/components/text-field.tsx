import type {Field} from '../app/text-edit.js';
import {useTheme} from '../hooks/use-theme.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Line, Span, StyleName} from '../terminal/spans.js';
import {cut, cutLine, cutStart, lineWidth, pad, widthOf} from '../terminal/width.js';
import {Spans} from './spans.js';

interface StyledRange {
	readonly start: number;
	readonly end: number;
	readonly style: StyleName;
}

interface TextFieldProps {
	/** What stands before the text. */
	readonly label: Line;
	readonly field: Field;
	readonly columns: number;
	/** Parts of the text that are shown in another style, ascending. */
	readonly ranges?: readonly StyledRange[];
	/** What stands at the right end, if there is room; `shortRight` where that is too long. */
	readonly right?: Line;
	readonly shortRight?: Line;
	readonly hasCursor?: boolean;
}

const styled = (text: string, from: number, ranges: readonly StyledRange[]): readonly Span[] => {
	const spans: Span[] = [];
	let at = 0;
	for (const {start, end, style} of ranges) {
		const [first, last] = [Math.max(at, start - from), Math.min(text.length, end - from)];
		if (last <= first) continue;
		if (first > at) spans.push({text: text.slice(at, first)});
		spans.push({text: text.slice(first, last), style});
		at = last;
	}
	return at < text.length ? [...spans, {text: text.slice(at)}] : spans;
};

const graphemes = new Intl.Segmenter();

/** The text around the cursor, as much of it as there is room for. */
const fieldLine = (
	{text, cursor}: Field,
	{room, ranges, mark}: {room: number; ranges: readonly StyledRange[]; mark: string | null},
): Line => {
	const before = text.slice(0, cursor);
	const [under] = graphemes.segment(text.slice(cursor));
	const shown = under?.segment ?? '';
	const kept =
		widthOf(before) < room - 1 ? before : cutStart(before, Math.max(1, Math.floor(room * 0.8)), '');
	const rest = text.slice(cursor + shown.length);
	const left = Math.max(0, room - widthOf(kept) - Math.max(1, widthOf(shown)));
	const cursorSpan: Span =
		mark === null || shown !== ''
			? {text: shown, ...(mark === null ? {} : {style: 'matchCurrent' as const})}
			: {text: mark};
	return [
		...styled(kept, cursor - kept.length, ranges),
		cursorSpan,
		...styled(cut(rest, left), cursor + shown.length, ranges),
	];
};

/** A line of text that can be edited. The cursor is drawn: the real one is hidden. */
export const TextField = ({
	label,
	field,
	columns,
	ranges = [],
	right = [],
	shortRight = [],
	hasCursor = true,
}: TextFieldProps) => {
	const theme = useTheme();
	// The cursor, and a blank on each side of it.
	const wished = lineWidth(label) + widthOf(field.text) + 3;
	// What stands at the right gives way to what is typed.
	const rightSide = [right, shortRight].find(side => wished + lineWidth(side) <= columns) ?? [];
	const room = Math.max(4, columns - lineWidth(label) - lineWidth(rightSide) - 1);
	const isClean = sanitizeLine(field.text) === field.text.trim().replace(/\s+/g, ' ');
	const shown: Field = isClean
		? field
		: {text: sanitizeLine(field.text), cursor: sanitizeLine(field.text).length};
	const mark = hasCursor ? theme.symbol('cursor') : null;
	const text = fieldLine(shown, {room, ranges: isClean ? ranges : [], mark});
	const left = [...label, ...text];
	const gap = Math.max(0, columns - lineWidth(left) - lineWidth(rightSide));
	return <Spans line={cutLine([...left, {text: pad('', gap)}, ...rightSide], columns)} />;
};
