const COMPRESSED = /\.zstd?$/;

export const isCompressed = (path: string): boolean => COMPRESSED.test(path);

/** Where the plain form of a compressed transcript lies: that is what is kept of it, and what comes back. */
export const plainPath = (path: string): string => path.replace(COMPRESSED, '');
