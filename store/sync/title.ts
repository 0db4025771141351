import type {TitleFrom} from '../types.js';

const TITLE_CHARS = 300;

interface TitleCandidates {
	readonly own: string | null | undefined;
	readonly custom: string | null | undefined;
	readonly generated: string | null | undefined;
	readonly description: string | null | undefined;
}
export interface FirstText {
	readonly text: string;
	readonly input: string | null;
}

/**
 * The title of a session by the order of trust (DESIGN section 2). `prompts` and `replies` are the first own messages in order.
 * A command without arguments is a title only if no real prompt follows.
 */
export const titleOf = (
	candidates: TitleCandidates,
	prompts: readonly FirstText[],
	replies: readonly FirstText[],
): {readonly text: string; readonly from: TitleFrom} => {
	const given = (['own', 'custom', 'generated', 'description'] as const).find(from =>
		titleLine(candidates[from] ?? ''),
	);
	if (given) return {text: titleLine(candidates[given] ?? ''), from: given};
	const spoken = prompts.filter(({text}) => spokenLine(text) !== '');
	const prompt = spoken.find(isRealPrompt) ?? spoken[0];
	if (prompt) return {text: spokenLine(prompt.text), from: 'prompt'};
	const reply = replies.map(({text}) => firstSentence(spokenLine(text))).find(text => text !== '');
	if (reply) return {text: reply, from: 'reply'};
	return {text: '(no prompt)', from: 'none'};
};

const isRealPrompt = ({text, input}: FirstText): boolean =>
	input !== 'local' && (input !== 'command' || /^\/\S+\s+\S/.test(text.trim()));

/** A line that only stands for something attached, such as `[image png, 150 KB]`. */
const ATTACHMENT_LINE = /^[ \t]*(?:\[(?:image|document|audio|file)(?:[ ,][^\]\n]*)?\][ \t]*)+$/gm;

/** What somebody said, without what came along with it. */
const spokenLine = (text: string): string => titleLine(text.replace(ATTACHMENT_LINE, ''));

/** One line, white space folded, control bytes dropped. */
const titleLine = (text: string): string => {
	const line = text
		.slice(0, 4 * TITLE_CHARS)
		.replace(/\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?/g, '')
		.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
		.replace(/[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g, '')
		.trim();
	return line.length <= TITLE_CHARS
		? line
		: `${[...line]
				.slice(0, TITLE_CHARS - 1)
				.join('')
				.trimEnd()}…`;
};

const firstSentence = (text: string): string => /^.*?[.!?。！？](?=\s|$)/u.exec(text)?.[0] ?? text;
