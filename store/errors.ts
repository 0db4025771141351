/** Why the store cannot be used. Each is one clear line for a person; nothing is ever deleted because of one. */
export type StoreErrorCode =
	| 'locked' // another process syncs
	| 'newer-version' // made by a later backscroll
	| 'damaged' // not a database, or the integrity check failed
	| 'full' // no space left
	| 'read-only' // folder or file cannot be written
	| 'io';

export class StoreError extends Error {
	override readonly name = 'StoreError';
	readonly code: StoreErrorCode;
	constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
		super(message, options);
		this.code = code;
	}
}

/** SQLite's error code → ours; undefined for what is our own bug. */
export const storeErrorCode = (error: unknown): StoreErrorCode | undefined => {
	const code = error instanceof Error && 'code' in error ? String(error.code) : '';
	if (code === 'SQLITE_FULL' || code === 'ENOSPC') return 'full';
	if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return 'locked';
	if (code.startsWith('SQLITE_READONLY') || code === 'EROFS' || code === 'EACCES')
		return 'read-only';
	if (code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB') return 'damaged';
	if (code.startsWith('SQLITE_IOERR') || code.startsWith('SQLITE_CANTOPEN') || code === 'EIO')
		return 'io';
	return undefined;
};
