/** Keys of the user's config: which of them mean something, and a line for each that does not. Pure. */
import type {Mode} from './binding.js';
import {bindings, type KnownBinding} from './bindings.js';

export interface OwnKeys {
	readonly bindings: readonly KnownBinding[];
	/** One line for each entry that was ignored. */
	readonly problems: readonly string[];
}

const named =
	/^(?:enter|tab|backspace|delete|escape|space|up|down|left|right|home|end|pageup|pagedown|insert|f(?:[1-9]|1[0-2]))$/;

/** `ctrl+r`, `alt+x`, `G`, `g g`: as `chordOf` writes what is pressed. */
const isKey = (key: string): boolean => {
	const name = key.replace(/^(?:ctrl\+)?(?:alt\+)?(?:shift\+)?(?=.)/, '');
	return named.test(name) || [...name].length === 1;
};

const isChord = (chord: string): boolean => chord !== '' && chord.split(' ').every(isKey);

/** On the sessions screen letters are typed into the query. */
const isTyped = (chord: string, modes: readonly Mode[]): boolean =>
	!modes.includes('reader') && [...(chord.split(' ')[0] ?? '')].length === 1;

const distance = (a: string, b: string): number => {
	let row = Array.from({length: b.length + 1}, (_, at) => at);
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++)
			next.push(
				Math.min(
					(next[j - 1] ?? 0) + 1,
					(row[j] ?? 0) + 1,
					(row[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1]),
				),
			);
		row = next;
	}
	return row.at(-1) ?? 0;
};

const nearest = (id: string): string | undefined => {
	const [best] = bindings
		.map(binding => ({id: binding.id, away: distance(id, binding.id)}))
		.sort((a, b) => a.away - b.away);
	return best && best.away <= 4 ? best.id : undefined;
};

const unknown = (id: string): string => {
	const near = nearest(id);
	const hint = near === undefined ? '' : `; ${near} is one`;
	return `keys.${id} is ignored: no such action${hint}`;
};

/** Another binding that the same chord would reach in the same place. */
const clash = (
	table: readonly KnownBinding[],
	{id, modes}: KnownBinding,
	chord: string,
): KnownBinding | undefined =>
	table.find(
		other =>
			other.id !== id &&
			other.when === undefined &&
			other.keys.includes(chord) &&
			other.modes.some(mode => modes.includes(mode)),
	);

/** The table with the user's keys instead of its own. */
export const readOwnKeys = (own: Readonly<Record<string, readonly string[]>>): OwnKeys => {
	const problems: string[] = Object.keys(own)
		.filter(id => !bindings.some(binding => binding.id === id))
		.map(unknown);
	const table = bindings.map(binding => {
		const keys = own[binding.id];
		if (!keys) return binding;
		const kept = keys.filter(key => {
			const why = !isChord(key)
				? 'no key has that name (such as ctrl+r, alt+x, f5, G, or "g g")'
				: isTyped(key, binding.modes)
					? 'on the sessions screen letters are typed into the query'
					: undefined;
			if (why !== undefined)
				problems.push(`keys.${binding.id} ${JSON.stringify(key)} is ignored: ${why}`);
			return why === undefined;
		});
		return {...binding, keys: kept};
	});
	for (const binding of table)
		for (const key of own[binding.id] ?? []) {
			const other = clash(table, binding, key);
			if (other) problems.push(`keys.${binding.id}: ${key} is the key of ${other.id} as well`);
		}
	return {bindings: table, problems};
};
