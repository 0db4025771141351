/** The package has no types of its own. */
declare module 'write-file-atomic' {
	interface WriteFileAtomic {
		(path: string, data: string | Uint8Array, options?: {readonly mode?: number}): Promise<void>;
		sync(path: string, data: string | Uint8Array, options?: {readonly mode?: number}): void;
	}
	const writeFileAtomic: WriteFileAtomic;
	export = writeFileAtomic;
}
