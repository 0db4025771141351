/**
 * `opencode run two "or more words"` puts every argument that has a blank into double quotes, and a backslash before quotes within
 * (1.18.33). Given as one argument, as is usual, a prompt is shown without them.
 */
export const withoutQuotes = (text: string): string => {
	if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
	const inner = text.slice(1, -1);
	const isOneArgument = inner.includes(' ') && !/(?<!\\)"|\\$/.test(inner);
	return isOneArgument ? inner.replaceAll('\\"', '"') : text;
};
