/**
 * Masks what has the shape of a secret. Each pattern begins with fixed text and has no nested repetition, so that the time grows
 * with the length of the text and nothing else. Hashes, UUIDs and test vectors stay: they have no shape of their own and are
 * what a transcript is read for.
 */

const MASK = '[masked]';

/** A PEM block longer than this has lost its end. */
const PEM_MAX_CHARS = 65_536;

interface Found {
	/** What was recognised, for counting; undefined = a false alarm, left as it is. */
	readonly secret: string;
	readonly masked: string;
}

/** Two groups: what stays, and what is a secret if `judge` agrees. */
interface Pattern {
	readonly find: RegExp;
	readonly judge: (kept: string, secret: string) => Found | undefined;
}

/** A token that keeps its telling beginning: `ghp_…[masked]`. */
const token = (prefix: string, body: string): Pattern => ({
	find: new RegExp(`(?<![A-Za-z0-9_-])(${prefix})(${body})`, 'g'),
	judge: (kept, secret) => {
		// A dot that ends a sentence is no part of the token.
		const bare = secret.replace(/\.{1,3}$/, '');
		return {secret: kept + bare, masked: `${kept}…${MASK}${secret.slice(bare.length)}`};
	},
});

/** Such a word has digits and letters, unlike `sk-learn-compatible-estimators`. */
const mixed = (pattern: Pattern): Pattern => ({
	...pattern,
	judge: (kept, secret) => (/\d/.test(secret) ? pattern.judge(kept, secret) : undefined),
});

const tokens: readonly Pattern[] = [
	mixed(token('sk-ant-', '[A-Za-z0-9_-]{16,}')),
	mixed(token('sk-(?:proj|or|svcacct|admin)-', '[A-Za-z0-9_.-]{16,}')),
	mixed(token('sk-', '[A-Za-z0-9_.-]{16,}')),
	mixed(token('[rs]k_(?:live|test)_', '[A-Za-z0-9]{16,}')),
	token('gh[opusr]_', '[A-Za-z0-9]{30,}'),
	token('github_pat_', '[A-Za-z0-9_]{22,}'),
	token('glpat-', '[A-Za-z0-9_.-]{20,}'),
	token('xox[abeoprs]-', '[A-Za-z0-9-]{10,}'),
	token('xapp-', '[A-Za-z0-9-]{20,}'),
	token('A(?:KIA|SIA)', '[A-Z0-9]{16}(?![A-Za-z0-9])'),
	token('AIza', '[A-Za-z0-9_-]{35}'),
	token('npm_', '[A-Za-z0-9]{36}'),
	token('hf_', '[A-Za-z0-9]{30,}'),
	token('pypi-', '[A-Za-z0-9_-]{50,}'),
	token('eyJ', '[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}'),
];

const authorization: Pattern = {
	find: /(\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:bearer|basic|token)\s{1,3})([A-Za-z0-9._~+/=-]{8,})/gi,
	judge: (kept, secret) => ({secret, masked: kept + MASK}),
};

/** `scheme://user:password@host`; a placeholder such as `$PASSWORD` or `<password>` is none. */
const addressWithPassword: Pattern = {
	find: /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>]{0,100}:)([^\s/@"'<>]{1,200})(?=@)/gi,
	judge: (kept, secret) =>
		/^(?:\$|\{|%|\*+$|x+$|\.+$)/i.test(secret) ? undefined : {secret, masked: kept + MASK},
};

const hash =
	/^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Shannon entropy in bits per character. */
const entropy = (text: string): number => {
	const counts = new Map<string, number>();
	for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
	return [...counts.values()].reduce(
		(sum, count) => sum - (count / text.length) * Math.log2(count / text.length),
		0,
	);
};

/** Written by a generator, not by a person: digits and letters mixed, hardly a character twice. */
const looksRandom = (value: string): boolean =>
	!hash.test(value) &&
	!uuid.test(value) &&
	/\d/.test(value) &&
	/[A-Za-z]/.test(value) &&
	!/^[a-z]+:\/\//i.test(value) &&
	entropy(value.slice(0, 200)) >= 3;

/** `api_key = "…"`, `"clientSecret": "…"`, `DB_PASSWORD=…`. */
const namedValue: Pattern = {
	find: /((?:api[_-]?key|access[_-]?key|private[_-]?key|secret|token|passw(?:or)?d|passphrase|credential)[A-Za-z0-9_-]{0,30}\\?["']?\s{0,3}(?:=>|:=|[:=])\s{0,3}\\?["']?)([A-Za-z0-9_+/=.~-]{16,})/gi,
	judge: (kept, secret) => (looksRandom(secret) ? {secret, masked: kept + MASK} : undefined),
};

const pemBegin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

/** End of the lines of base64 that follow, where a block was cut off. Newlines may be escaped, lines may be quoted. */
const bodyEnd = (text: string, from: number): number => {
	const line = /(?:\r?\n|(?:\\r)?\\n)[\t >+|]{0,8}[A-Za-z0-9+/=]{8,4096}(?![^\s\\])/y;
	let end = from;
	line.lastIndex = from;
	while (line.test(text)) end = line.lastIndex;
	return end;
};

/** PEM blocks, by hand: a pattern that looks for the end from each beginning would be quadratic. */
const maskPem = (text: string, seen: (secret: string) => void): string => {
	let masked = '';
	let done = 0;
	let nextEnd = -1;
	for (const match of text.matchAll(pemBegin)) {
		const from = match.index + match[0].length;
		if (match.index < done) continue;
		if (nextEnd < from && nextEnd !== Infinity) {
			const end = text.indexOf('-----END ', from);
			nextEnd = end === -1 ? Infinity : end;
		}
		const until = nextEnd - from <= PEM_MAX_CHARS ? nextEnd : bodyEnd(text, from);
		if (text.slice(from, until).trim() === '') continue;
		seen(text.slice(from, until));
		masked += `${text.slice(done, from)}\n${MASK}\n`;
		done = until;
	}
	return masked + text.slice(done);
};

const patterns: readonly Pattern[] = [...tokens, authorization, addressWithPassword, namedValue];

const maskText = (text: string, seen: (secret: string) => void): string =>
	patterns.reduce(
		(masked, {find, judge}) =>
			masked.replace(find, (whole: string, kept: string, secret: string) => {
				const found = judge(kept, secret);
				if (!found) return whole;
				seen(found.secret);
				return found.masked;
			}),
		maskPem(text, seen),
	);

/** The text with its secrets masked, and how many places that were. */
export const redact = (text: string): {readonly text: string; readonly count: number} => {
	let count = 0;
	const masked = maskText(text, () => {
		count += 1;
	});
	return {text: masked, count};
};

export interface Redactor {
	mask(text: string): string;
	/** Different secrets so far: one that stands in five places counts once. */
	count(): number;
}

/** Masks many texts of one export and counts over all of them. */
export const createRedactor = (): Redactor => {
	const secrets = new Set<string>();
	return {
		mask: text => maskText(text, secret => secrets.add(secret)),
		count: () => secrets.size,
	};
};
