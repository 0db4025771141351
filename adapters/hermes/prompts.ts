/** Records in the user's role that nobody typed, by how they begin. */

const SKILL = /^\[SYSTEM: The user has invoked the /;
/** Stands behind the text of a skill that was called with an instruction. */
const SKILL_INSTRUCTION =
	/\nThe user has provided the following instruction alongside the skill \w+:\s*(\S[\s\S]*)$/;
const REVIEW =
	/^Review the conversation above and (?:update the skill library|[^.\n]*consider saving to memory)/;
const COMPACTION = /^\[CONTEXT (?:COMPACTION|SUMMARY)/;

export type Origin =
	| {readonly kind: 'typed' | 'review' | 'summary'}
	/** The text of a skill; the instruction is what the user typed behind its name. */
	| {readonly kind: 'skill'; readonly instruction: string | undefined};

export const isCompaction = (text: string): boolean => COMPACTION.test(text.trimStart());

export const originOf = (text: string): Origin => {
	const start = text.trimStart();
	if (SKILL.test(start)) {
		return {kind: 'skill', instruction: SKILL_INSTRUCTION.exec(start)?.[1]?.trim()};
	}
	if (REVIEW.test(start)) return {kind: 'review'};
	return {kind: isCompaction(start) ? 'summary' : 'typed'};
};
