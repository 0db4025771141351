/** Paths out of `file://` addresses. */

import {textOf} from './narrow.js';

/** The path that a `file://` address names; `file:///c%3A/x` is `C:\x`. Undefined for anything else. */
export const fileUriPath = (value: unknown): string | undefined => {
	const uri = textOf(value);
	if (uri?.startsWith('file://') !== true) return undefined;
	let path: string;
	try {
		path = decodeURIComponent(uri.slice('file://'.length).replace(/^[^/]*/, ''));
	} catch {
		return undefined; // a bad escape: no path that could be trusted
	}
	const [, drive, rest = ''] = /^\/([A-Za-z]):(.*)$/s.exec(path) ?? [];
	if (drive !== undefined) return `${drive.toUpperCase()}:${rest.replaceAll('/', '\\')}`;
	return path === '' ? undefined : path;
};
