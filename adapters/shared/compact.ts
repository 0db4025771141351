type Optional<T> = {
	[K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};
type Required<T> = {[K in keyof T as undefined extends T[K] ? never : K]: T[K]};

/** The object without its undefined fields, as `exactOptionalPropertyTypes` wants optional ones. */
export const compact = <T extends object>(fields: T): Required<T> & Optional<T> => {
	const result: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(fields)) if (value !== undefined) result[name] = value;
	return result as Required<T> & Optional<T>;
};
