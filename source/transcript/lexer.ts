import type {marked, Token} from 'marked';

/** Longer texts are shown as they are; so are texts with a line like this: 200,000 `*a` in one took the lexer 6 s. */
const MAX_CHARS = 200_000;
const longLine = /[^\n]{20000}/;

let lexer: typeof marked.lexer | undefined;

/** The parser puts its expressions together when it is loaded (8 ms): behind the first frame. */
export const loadMarkdown = async (): Promise<void> => {
	const {marked} = await import('marked');
	lexer = marked.lexer;
};

/** Undefined for what cannot be read as Markdown: it is shown as it was written. */
export const lexMarkdown = (text: string): readonly Token[] | undefined => {
	if (text.length > MAX_CHARS || longLine.test(text)) return undefined;
	try {
		return lexer?.(text);
	} catch {
		return undefined; // thousands of nested quotes overflow the stack
	}
};
