import type {CommandId, KeyContext, KnownBinding, Mode} from './bindings.js';

export type Matched =
	| {readonly kind: 'command'; readonly id: CommandId}
	/** The beginning of a sequence: the next key decides. */
	| {readonly kind: 'pending'; readonly chord: string}
	| {readonly kind: 'none'};

export interface KeyQuestion {
	readonly modes: readonly Mode[];
	readonly chord: string;
	/** Keys typed before, when they begin a sequence. */
	readonly pending: string | null;
	readonly context: KeyContext;
}

/** Looks a chord up in the modes, the first mode first. A sequence that does not go on is dropped and the key counts alone. */
export const matchKey = (
	bindings: readonly KnownBinding[],
	{modes, chord, pending, context}: KeyQuestion,
): Matched => {
	const typed = pending === null ? chord : `${pending} ${chord}`;
	for (const mode of modes) {
		const active = bindings.filter(
			binding => binding.modes.includes(mode) && (binding.when?.(context) ?? true),
		);
		const exact = active.find(({keys}) => keys.includes(typed));
		if (exact) return {kind: 'command', id: exact.id};
		if (active.some(({keys}) => keys.some(key => key.startsWith(`${typed} `))))
			return {kind: 'pending', chord: typed};
	}
	return pending === null
		? {kind: 'none'}
		: matchKey(bindings, {modes, chord, pending: null, context});
};
