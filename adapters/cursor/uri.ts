/** Paths of `file:` URIs, of any system: `file:///c%3A/work` → `c:/work`. Undefined for everything else, such as a remote folder. */
export const pathOfUri = (uri: string): string | undefined => {
	const path = /^file:\/\/(\/[^?#]*)/.exec(uri)?.[1];
	if (path === undefined) return undefined;
	try {
		const decoded = decodeURIComponent(path);
		return /^\/[a-z]:/i.test(decoded) ? decoded.slice(1) : decoded;
	} catch {
		return undefined; // a per cent sign that encodes nothing: no URI of the agent's making
	}
};
