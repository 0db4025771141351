/**
 * Forms of one conversation, poorest first (`Source.rank`): the same id can stand in several stores. Transcripts have no results and
 * hardly any times, chat stores are complete, the editor's database is what the editor itself shows.
 */
export const RANKS = {text: 0, transcript: 1, chat: 2, tab: 3, composer: 4} as const;
