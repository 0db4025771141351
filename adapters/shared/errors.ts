/** What can be said of a caught value. */

/** The code of a system or database error: `ENOENT`, `SQLITE_BUSY`. */
export const errorCode = (error: unknown): string | undefined =>
	error instanceof Error && 'code' in error && typeof error.code === 'string'
		? error.code
		: undefined;

export const errorText = (error: unknown): string =>
	error instanceof Error ? error.message : String(error);

/** There is no such file. Agents clean up while we look: that is no error. */
export const isAbsent = (error: unknown): boolean =>
	['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');
