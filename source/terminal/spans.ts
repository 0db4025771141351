/**
 * Text for the screen: plain, sanitised, already cut to a width. A style is a name with a meaning; `theme.ts` turns it into
 * colours. One `Line` is one row of the terminal.
 */
export type StyleName =
	| 'text'
	| 'dim'
	| 'bold'
	| 'accent'
	| 'selected'
	| 'prompt'
	| 'promptMark'
	| 'gutter'
	| 'reasoning'
	| 'meta'
	| 'tool'
	| 'toolName'
	| 'error'
	| 'warning'
	| 'success'
	| 'heading'
	| 'strong'
	| 'emphasis'
	| 'strike'
	| 'link'
	| 'quote'
	| 'bullet'
	| 'rule'
	| 'code'
	| 'codeKeyword'
	| 'codeString'
	| 'codeComment'
	| 'codeNumber'
	| 'codeName'
	| 'codeType'
	| 'diffAdd'
	| 'diffRemove'
	| 'diffHunk'
	| 'lineNumber'
	| 'match'
	| 'matchCurrent'
	| 'filterWord'
	| 'badge'
	| 'key'
	/** Agents, told apart by a word first of all. */
	| 'agent1'
	| 'agent2'
	| 'agent3'
	| 'agent4';

export interface Span {
	readonly text: string;
	readonly style?: StyleName;
}

export type Line = readonly Span[];
