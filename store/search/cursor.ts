/**
 * Where a page ended: by value and id of its last row, not by offset, so that rows which a sync brings meanwhile shift nothing.
 * The clock of the first page goes along: recency and relative dates stay what they were.
 */
export interface Cursor {
	readonly value: number;
	readonly session: number;
	readonly nowMs: number;
}

export const writeCursor = ({value, session, nowMs}: Cursor): string =>
	Buffer.from(JSON.stringify([value, session, nowMs])).toString('base64url');

/** Undefined for anything that we did not write. */
export const readCursor = (text: string | undefined): Cursor | undefined => {
	if (text === undefined) return undefined;
	try {
		const fields: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
		if (!Array.isArray(fields) || fields.length !== 3 || !fields.every(Number.isFinite))
			return undefined;
		const [value, session, nowMs] = fields as [number, number, number];
		return {value, session, nowMs};
	} catch {
		return undefined; // not JSON, so not ours
	}
};
