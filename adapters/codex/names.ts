/**
 * Names of sessions. Codex itself names a session after the first prompt typed in the terminal, in the same place where it
 * keeps a name given by `/rename` (seen in 0.171.0): a name that repeats a prompt is nobody's choice.
 */
const HEAD_LENGTH = 120;
const MAX_PROMPTS = 300;
/** A shorter name that begins a prompt may well be somebody's choice; a longer one was cut off. */
const CUT_NAME_LENGTH = 30;

const normalise = (text: string): string =>
	text
		.trimStart()
		.slice(0, HEAD_LENGTH * 4)
		.replaceAll(/\s+/g, ' ')
		.trim()
		.slice(0, HEAD_LENGTH);

/** Adds a typed prompt to what is remembered. */
export const addPrompt = (heads: readonly string[], prompt: string): readonly string[] => {
	const head = normalise(prompt);
	const isKnown = head === '' || heads.length >= MAX_PROMPTS || heads.includes(head);
	return isKnown ? heads : [...heads, head];
};

export const repeatsPrompt = (name: string, heads: readonly string[]): boolean => {
	const head = normalise(name.trim().replace(/(?:…|\.\.\.)$/, ''));
	return heads.some(
		prompt => prompt === head || (head.length >= CUT_NAME_LENGTH && prompt.startsWith(head)),
	);
};
