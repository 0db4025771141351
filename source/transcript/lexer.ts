import type {marked, Token} from 'marked';

/** Longer texts are shown as they are; so are texts with a line like this: 200,000 `*a` in one took the lexer 6 s. */
const MAX_CHARS = 200_000;
const MAX_LINE_CHARS = 20_000;

let lexer: typeof marked.lexer | undefined;

const hasLongLine = (text: string): boolean => {
	if (text.length < MAX_LINE_CHARS) return false;
	for (let start = 0; start < text.length; ) {
		const newline = text.indexOf('\n', start);
		const end = newline < 0 ? text.length : newline;
		if (end - start >= MAX_LINE_CHARS) return true;
		start = end + 1;
	}
	return false;
};

/** The parser puts its expressions together when it is loaded (8 ms): behind the first frame. */
export const loadMarkdown = async (): Promise<void> => {
	const {marked} = await import('marked');
	lexer = marked.lexer;
};

/** Undefined for what cannot be read as Markdown: it is shown as it was written. */
export const lexMarkdown = (text: string): readonly Token[] | undefined => {
	if (text.length > MAX_CHARS || hasLongLine(text)) return undefined;
	try {
		return lexer?.(text);
	} catch {
		return undefined; // thousands of nested quotes overflow the stack
	}
};
