/** Blocks of text in a Markdown document that nothing can break out of, by the rules of CommonMark. */

const longestRun = (text: string, character: '`' | '~'): number =>
	(text.match(character === '`' ? /`+/g : /~+/g) ?? []).reduce(
		(longest, run) => Math.max(longest, run.length),
		0,
	);

/** A code block that gives back exactly `text`: its fence is one longer than any run inside, of the kind that is shorter. */
export const fenced = (text: string, info = ''): string => {
	const ticks = longestRun(text, '`');
	const tildes = longestRun(text, '~');
	const fence =
		ticks >= 3 && tildes < ticks
			? '~'.repeat(Math.max(3, tildes + 1))
			: '`'.repeat(Math.max(3, ticks + 1));
	return `${fence}${info}\n${text}\n${fence}`;
};

/** Inline code of any text on one line. */
export const codeSpan = (text: string): string => {
	const ticks = '`'.repeat(longestRun(text, '`') + 1);
	const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
	return `${ticks}${pad}${text}${pad}${ticks}`;
};

export const quoted = (text: string): string =>
	text
		.split('\n')
		.map(line => (line === '' ? '>' : `> ${line}`))
		.join('\n');

const fenceStart = /^( {0,3})(`{3,}|~{3,})(.*)$/;

/** HTML that ends only at its own mark, and would take what follows with it. */
const htmlBlocks: readonly {
	readonly start: RegExp;
	readonly end: RegExp;
	readonly close: string;
}[] = [
	{start: /^ {0,3}<!--/, end: /-->/, close: '-->'},
	{
		start: /^ {0,3}<script(?=[\s>]|$)/i,
		end: /<\/(?:script|pre|style|textarea)>/i,
		close: '</script>',
	},
	{start: /^ {0,3}<pre(?=[\s>]|$)/i, end: /<\/(?:script|pre|style|textarea)>/i, close: '</pre>'},
	{
		start: /^ {0,3}<style(?=[\s>]|$)/i,
		end: /<\/(?:script|pre|style|textarea)>/i,
		close: '</style>',
	},
	{
		start: /^ {0,3}<textarea(?=[\s>]|$)/i,
		end: /<\/(?:script|pre|style|textarea)>/i,
		close: '</textarea>',
	},
	{start: /^ {0,3}<\?/, end: /\?>/, close: '?>'},
	{start: /^ {0,3}<!\[CDATA\[/, end: /\]\]>/, close: ']]>'},
	{start: /^ {0,3}<![A-Za-z]/, end: />/, close: '>'},
];

interface Open {
	readonly end: RegExp;
	readonly close: string;
}

const opened = (line: string): Open | undefined => {
	const [, indent = '', fence = '', info = ''] = fenceStart.exec(line) ?? [];
	if (fence !== '' && !(fence.startsWith('`') && info.includes('`'))) {
		const character = fence.startsWith('`') ? '`' : '~';
		return {
			end: new RegExp(`^ {0,3}${character}{${fence.length},}[ \\t]*$`),
			close: indent + fence,
		};
	}
	const html = htmlBlocks.find(({start}) => start.test(line));
	return html && !html.end.test(line) ? html : undefined;
};

/** Markdown as it was written, with an end to what it left open: what follows stands outside. */
export const closed = (markdown: string): string => {
	let open: Open | undefined;
	for (const line of markdown.split('\n')) {
		if (!open) open = opened(line);
		else if (open.end.test(line)) open = undefined;
	}
	return open ? `${markdown}\n${open.close}` : markdown;
};
