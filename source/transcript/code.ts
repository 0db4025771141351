import type {createLowlight} from 'lowlight';
import type {Line, Span, StyleName} from '../terminal/spans.js';

/** 1,000 lines took 0.4 s; and some grammars are quadratic on a single line: 100,000 `$` took PHP 9 s, 30,000 0.8 s. */
const MAX_LINES = 500;
const MAX_CHARS = 30_000;

/** highlight.js scopes by what they mean to a reader; a scope that is not named stays plain code. */
const styles: Readonly<Record<string, StyleName>> = {
	keyword: 'codeKeyword',
	operator: 'codeKeyword',
	'selector-tag': 'codeKeyword',
	string: 'codeString',
	regexp: 'codeString',
	char: 'codeString',
	link: 'codeString',
	comment: 'codeComment',
	quote: 'codeComment',
	doctag: 'codeComment',
	meta: 'codeComment',
	number: 'codeNumber',
	literal: 'codeNumber',
	symbol: 'codeNumber',
	bullet: 'codeNumber',
	title: 'codeName',
	name: 'codeName',
	section: 'codeName',
	attr: 'codeName',
	attribute: 'codeName',
	property: 'codeName',
	variable: 'codeName',
	'template-variable': 'codeName',
	'selector-class': 'codeName',
	'selector-id': 'codeName',
	type: 'codeType',
	class: 'codeType',
	built_in: 'codeType',
	tag: 'codeType',
	addition: 'diffAdd',
	deletion: 'diffRemove',
};

type Highlighter = ReturnType<typeof createLowlight>;
type Node = ReturnType<Highlighter['highlight']>['children'][number];

let highlighter: Highlighter | undefined;

/** 37 grammars, a seventh of all code: loaded behind the first frame. Without them code has one style. */
export const loadHighlighter = async (): Promise<void> => {
	const {common, createLowlight} = await import('lowlight');
	highlighter ??= createLowlight(common);
};

/** The language of an info string such as `ts`, `ts title="a"`, `{.python}`. */
export const languageOf = (info: string | undefined): string =>
	/[\w+#-]+/.exec(info ?? '')?.[0].toLowerCase() ?? '';

const styleOf = (classNames: unknown): StyleName | undefined => {
	const scope = Array.isArray(classNames) ? String(classNames[0]) : '';
	return styles[scope.replace('hljs-', '')];
};

const spansOf = (nodes: readonly Node[], style: StyleName): readonly Span[] =>
	nodes.flatMap(node => {
		if (node.type === 'text') return [{text: node.value, style}];
		return node.type === 'element'
			? spansOf(node.children as readonly Node[], styleOf(node.properties['className']) ?? style)
			: [];
	});

const splitAtNewlines = (spans: readonly Span[]): readonly Line[] => {
	const lines: Span[][] = [[]];
	for (const span of spans) {
		for (const [index, text] of span.text.split('\n').entries()) {
			if (index > 0) lines.push([]);
			if (text !== '') lines.at(-1)?.push({...span, text});
		}
	}
	return lines;
};

const plain = (code: string): readonly Line[] => splitAtNewlines([{text: code, style: 'code'}]);

/** One line of spans for each line of code, not yet wrapped. What is too long or of no known language stays in one style. */
export const codeLines = (code: string, info?: string): readonly Line[] => {
	const language = languageOf(info);
	if (language === '' || code.length > MAX_CHARS || code.split('\n').length > MAX_LINES)
		return plain(code);
	if (!highlighter?.registered(language)) return plain(code);
	try {
		return splitAtNewlines(spansOf(highlighter.highlight(language, code).children, 'code'));
	} catch {
		// A grammar that gives up on odd input costs the colours, not the code.
		return plain(code);
	}
};
