/** Who said the texts of user messages: a person, in one of several wrappers, or the extension. */

/** Tags that the extension puts around what a person typed. */
const SPOKEN = /<(task|feedback|answer|user_message|user_input)(?:\s[^>]*)?>([\s\S]*?)<\/\1>/g;
const ENVIRONMENT = /\s*<environment_details>[\s\S]*?<\/environment_details>\s*$/;
const INJECTED =
	/^\s*(?:<(?:environment_details|mode_notice|system-reminder)\b|\[TASK RESUMPTION\]|\[ERROR\])/;
const SUMMARY = /^\s*<SYSTEM_NOTICE\b/;
/** Before tool calls were blocks of their own, their results were texts: `[read_file for 'a.ts'] Result:`. */
const RESULT = /^\s*\[([a-z][\w-]*)(?: for [^\n]*?)?\] Result:/;

/** What a person said inside of a text, out of its wrappers; undefined if there is no wrapper. */
export const spokenIn = (text: string): string | undefined => {
	const parts = [...text.matchAll(SPOKEN)].map(([, , inner = '']) => inner.trim());
	return parts.length === 0 ? undefined : parts.filter(part => part !== '').join('\n');
};

export type UserText =
	| {readonly kind: 'typed' | 'meta' | 'summary'; readonly text: string}
	| {readonly kind: 'tool_result'; readonly text: string; readonly name: string};

/** A text of a user message. `resultOf`: the tool whose result an earlier text of the same message began. */
export const userText = (text: string, resultOf: string | undefined): UserText => {
	const name = RESULT.exec(text)?.[1];
	if (name !== undefined) return {kind: 'tool_result', text, name};
	if (SUMMARY.test(text)) return {kind: 'summary', text};
	if (INJECTED.test(text)) return {kind: 'meta', text};
	const spoken = spokenIn(text);
	if (spoken !== undefined) return {kind: 'typed', text: spoken};
	if (resultOf !== undefined) return {kind: 'tool_result', text, name: resultOf};
	return {kind: 'typed', text: text.replace(ENVIRONMENT, '')};
};

const folded = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Whether a title is no more than the beginning of the first prompt. */
export const isPromptStart = (title: string, prompt: string | undefined): boolean =>
	prompt !== undefined && folded(prompt).startsWith(folded(title).replace(/(?:…|\.\.\.)$/, ''));
