/** Narrowing of unknown JSON: every value from a store goes through one of these before it is used. */

export const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export const stringOf = (value: unknown): string | undefined =>
	typeof value === 'string' ? value : undefined;

/** A text with something in it, unchanged. */
export const textOf = (value: unknown): string | undefined =>
	typeof value === 'string' && value.trim() !== '' ? value : undefined;

export const numberOf = (value: unknown): number | undefined =>
	typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** A count as stated; 0 for anything that is none. */
export const countOf = (value: unknown): number => Math.max(0, numberOf(value) ?? 0);

export const booleanOf = (value: unknown): boolean | undefined =>
	typeof value === 'boolean' ? value : undefined;

/** The array itself, or an empty one. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The object itself, or an empty one. */
export const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

/** Follows own keys and indexes; anything missing on the way gives undefined. */
export const at = (value: unknown, ...path: readonly (string | number)[]): unknown => {
	let current = value;
	for (const step of path) {
		if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) {
			return undefined;
		}
		current = (current as Record<string | number, unknown>)[step];
	}
	return current;
};

/** What a table holds under a name; nothing that every object inherits. */
export const entryOf = <T>(
	table: Readonly<Record<string, T>>,
	name: string | undefined,
): T | undefined => (name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined);

/** The first of some fields that holds a text with something in it. */
export const firstText = (value: unknown, names: readonly string[]): string | undefined =>
	names.map(name => textOf(at(value, name))).find(text => text !== undefined);

/** The first of some fields that holds a text, also an empty one. */
export const firstString = (value: unknown, names: readonly string[]): string | undefined =>
	names.map(name => stringOf(at(value, name))).find(text => text !== undefined);

/** Walkers of JSON values stop at this depth: `JSON.parse` takes any, the stack does not. */
export const JSON_DEPTH_LIMIT = 200;

/** True if objects and arrays are nested in more than `limit` levels. */
export const isDeeper = (value: unknown, limit: number): boolean => {
	if (typeof value !== 'object' || value === null) return false;
	return limit === 0 || Object.values(value).some(inner => isDeeper(inner, limit - 1));
};
