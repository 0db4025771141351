/** The text of a run as blocks: what was asked, what the model said, and what aider itself printed. */

export interface Block {
	readonly kind: 'user' | 'assistant' | 'tool';
	/** Without prefixes. */
	readonly lines: readonly string[];
	/** Line in the run, from 1. */
	readonly line: number;
	/** Bytes in the file, without the last line end. */
	readonly offset: number;
	readonly length: number;
}

interface Line {
	readonly text: string;
	readonly number: number;
	readonly offset: number;
	readonly end: number;
}

const LINE_FEED = 10;

function* linesOf(bytes: Buffer, base: number): Generator<Line> {
	let start = 0;
	for (let number = 1; start < bytes.length; number++) {
		const found = bytes.indexOf(LINE_FEED, start);
		const end = found === -1 ? bytes.length : found;
		const text = bytes.toString('utf8', start, end).replace(/\r$/, '');
		yield {text, number, offset: base + start, end: base + end};
		start = end + 1;
	}
}

const PROMPT = /^####(?: (.*))?$/;
const OUTPUT = /^>(?: (.*))?$/;
const FENCE = /^\s{0,3}(?:```|~~~)/;
/** Aider ends each of its own lines with two blanks; lines inside of code seldom do. */
const OWN_END = '  ';

type Kind = Block['kind'];

/** What a line is by itself, and its text without the prefix. */
const classify = (text: string): readonly [Kind, string] => {
	const prompt = PROMPT.exec(text);
	if (prompt !== null) return ['user', (prompt[1] ?? '').trimEnd()];
	const output = OUTPUT.exec(text);
	return output === null ? ['assistant', text] : ['tool', (output[1] ?? '').trimEnd()];
};

interface Open {
	readonly kind: Kind;
	readonly first: Line;
	last: Line;
	readonly lines: string[];
}

const close = ({kind, first, last, lines}: Open): Block => ({
	kind,
	lines,
	line: first.number,
	offset: first.offset,
	length: last.end - first.offset,
});

/** Blank lines go on with what was before, but two prompts may follow each other with nothing between. */
export function* blocksOf(bytes: Buffer, base: number): Generator<Block> {
	let open: Open | undefined;
	let isFenced = false;
	let blanks = 0;
	for (const line of linesOf(bytes, base)) {
		if (line.number === 1) continue; // the header
		if (line.text.trim() === '') {
			blanks += 1;
			continue;
		}
		const isOwn = !isFenced || (blanks > 0 && line.text.endsWith(OWN_END));
		const [kind, text]: readonly [Kind, string] = isOwn
			? classify(line.text)
			: ['assistant', line.text];
		if (kind !== 'assistant') isFenced = false;
		else if (FENCE.test(text)) isFenced = !isFenced;
		if (open?.kind === kind && !(kind === 'user' && blanks > 0)) {
			open.lines.push(...Array.from({length: blanks}, () => ''), text);
			open.last = line;
		} else {
			if (open !== undefined) yield close(open);
			open = {kind, first: line, last: line, lines: [text]};
		}
		blanks = 0;
	}
	if (open !== undefined) yield close(open);
}
