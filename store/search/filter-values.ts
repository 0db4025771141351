/** Values of filters that do not depend on what is in the history. */
export const IS_VALUES = [
	'starred',
	'deleted',
	'archived',
	'subagent',
	'automated',
	'imported',
	'live',
	'missing-dir',
] as const;
export type IsValue = (typeof IS_VALUES)[number];

export const HAS_VALUES = ['error', 'image', 'code'] as const;
export type HasValue = (typeof HAS_VALUES)[number];

/** Examples of what `after:`, `before:` and `date:` take. */
export const DATE_VALUES = ['today', 'yesterday', '2d', '1w', '4w'] as const;
