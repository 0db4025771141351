/**
 * What secrets look like. Each pattern begins with fixed text and has no nested repetition, so that the time grows with the length
 * of the text and nothing else. Hashes, UUIDs and test vectors have no shape of their own: they are what a transcript is read for.
 */

export const MASK = '[masked]';

/** Two groups: what stays, and what is a secret unless `isSecret` says no. */
export interface SecretPattern {
	/** For a person. */
	readonly kind: string;
	readonly find: RegExp;
	/** The first group tells what it was, as `ghp_` does, and goes into the mask. */
	readonly isToken: boolean;
	readonly isSecret?: (secret: string, kept: string) => boolean;
}

/** Also behind an escaped newline, as in JSON: its `n` is no letter of a longer word. */
const wordStart = String.raw`(?:^|[^A-Za-z0-9_-]|\\[nrt])`;

const token = (
	kind: string,
	[prefix, body]: readonly [string, string],
	isSecret?: SecretPattern['isSecret'],
): SecretPattern => ({
	kind,
	// Looked back upon behind the fixed text: before it, every place of a text would be tried.
	find: new RegExp(`(${prefix})(?<=${wordStart}${prefix})(${body})`, 'g'),
	isToken: true,
	...(isSecret ? {isSecret} : {}),
});

const hasDigit = (secret: string): boolean => /\d/.test(secret);
/** Unlike `sk-learn-compatible-estimators2`. */
const hasDigits = (secret: string): boolean => /\d\D*\d/.test(secret);

const tokens: readonly SecretPattern[] = [
	token('Anthropic key', ['sk-ant-', '[A-Za-z0-9_-]{16,}'], hasDigit),
	token('API key', ['sk-(?:proj|or|svcacct|admin)-', '[A-Za-z0-9_.-]{16,}'], hasDigit),
	token('API key', ['sk-', '[A-Za-z0-9_.-]{16,}'], hasDigits),
	token('API key', ['(?:gsk_|xai-|pplx-|r8_)', '[A-Za-z0-9]{30,}'], hasDigit),
	token('Stripe key', ['[rs]k_(?:live|test)_', '[A-Za-z0-9]{16,}'], hasDigit),
	token('webhook secret', ['whsec_', '[A-Za-z0-9+/=]{24,}'], hasDigit),
	token('GitHub token', ['gh[opusr]_', '[A-Za-z0-9]{30,}']),
	token('GitHub token', ['github_pat_', '[A-Za-z0-9_]{22,}']),
	token('GitLab token', ['gl(?:pat|rt|dt|cbt|ptt|soat)-', '[A-Za-z0-9_.-]{20,}']),
	token('Slack token', ['xox[abeoprs]-', '[A-Za-z0-9-]{10,}']),
	token('Slack token', ['xapp-', '[A-Za-z0-9-]{20,}']),
	token('AWS key id', ['A(?:KIA|SIA)', '[A-Z0-9]{16}(?![A-Za-z0-9])']),
	token('Google key', ['AIza', '[A-Za-z0-9_-]{35}']),
	token('Google token', ['(?:ya29\\.|GOCSPX-)', '[A-Za-z0-9_-]{20,}']),
	token('npm token', ['npm_', '[A-Za-z0-9]{36}']),
	token('PyPI token', ['pypi-', '[A-Za-z0-9_-]{50,}']),
	token('Hugging Face token', ['hf_', '[A-Za-z0-9]{30,}']),
	token('DigitalOcean token', ['do[opr]_v1_', '[0-9a-f]{64}']),
	token('Docker token', ['dckr_(?:pat|oat)_', '[A-Za-z0-9_-]{20,}']),
	token('Databricks token', ['dapi', '[0-9a-f]{32}(?![A-Za-z0-9])']),
	token('SendGrid key', ['SG\\.', '[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{30,64}']),
	token('Shopify token', ['shp(?:at|ca|pa|ss)_', '[0-9a-fA-F]{32}']),
	token('Linear key', ['lin_api_', '[A-Za-z0-9]{30,}']),
	token('Notion token', ['ntn_', '[A-Za-z0-9]{40,}']),
	token('Vault token', ['hv[sb]\\.', '[A-Za-z0-9_-]{24,}']),
	token('Grafana token', ['gl(?:sa|c)_', '[A-Za-z0-9_+/=]{30,}']),
	token('age key', ['AGE-SECRET-KEY-1', '[A-Z0-9]{50,}']),
	token('JSON web token', ['eyJ', '[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}']),
];

const authorization: SecretPattern = {
	kind: 'authorization',
	find: /(\bauthorization\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?(?:bearer|basic|token)\s{1,3})([A-Za-z0-9][A-Za-z0-9._~+/=-]{7,})/gi,
	isToken: false,
};

const isMasked = (secret: string): boolean => secret.endsWith(MASK);

/** `scheme://user:password@host`; a placeholder such as `$PASSWORD` or `<password>` is none. */
const addressWithPassword: SecretPattern = {
	kind: 'password in an address',
	find: /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>]{0,100}:)([^\s/@"'<>]{1,200})(?=@)/gi,
	isToken: false,
	isSecret: secret => !/^(?:\$|\{|%|\*+$|x+$|\.+$)/i.test(secret) && !isMasked(secret),
};

/** The last part is the whole secret: who has it can post. */
const webhookAddress: SecretPattern = {
	kind: 'webhook address',
	find: /(\bhooks\.slack\.com\/(?:services|workflows)\/[A-Z0-9]{6,16}\/[A-Z0-9]{6,16}\/)([A-Za-z0-9]{16,40})/g,
	isToken: false,
};

const hash =
	/^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** Names that a hash beside them is rather a key for. */
const keyName =
	/(?:api|access|secret|private|account|signing|encryption|master)[_-]?key|client[_-]?secret|passw/i;
const hashName = /hash|sha-?\d|md5|digest|checksum|fingerprint|public/i;

/** Shannon entropy in bits per character. */
const entropy = (text: string): number => {
	const counts = new Map<string, number>();
	for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
	return [...counts.values()].reduce(
		(sum, count) => sum - (count / text.length) * Math.log2(count / text.length),
		0,
	);
};

/** Changes between letters and digits, and to a capital that begins no word: seldom in names, in every third place of a token. */
const changes = /[A-Za-z](?=\d)|\d(?=[A-Za-z])|[a-z](?=[A-Z](?![a-z]{2}))/g;
const MIN_CHANGES_PER_CHARACTER = 0.14;

/** Written by a generator, not by a person: digits and letters mixed, hardly a character twice, and no words. */
const looksRandom = (value: string): boolean => {
	const start = value.slice(0, 200);
	return (
		/\d/.test(start) &&
		/[A-Za-z]/.test(start) &&
		!/^[a-z]+:\/\//i.test(start) &&
		entropy(start) >= 3 &&
		(start.match(changes)?.length ?? 0) >= start.length * MIN_CHANGES_PER_CHARACTER
	);
};

const isNamedSecret = (value: string, name: string): boolean => {
	if (uuid.test(value)) return false;
	if (hash.test(value)) return keyName.test(name) && !hashName.test(name);
	return looksRandom(value);
};

/** `api_key = "…"`, `"clientSecret": "…"`, `DB_PASSWORD=…`. */
const namedValue: SecretPattern = {
	kind: 'random value beside a key-like name',
	find: /((?:(?:api|access|private|account|signing|encryption|master)[_-]?key|secret|token|passw(?:or)?d|passphrase|credential|_auth)[A-Za-z0-9_-]{0,30}\\?["']?\s{0,3}(?:=>|:=|[:=])\s{0,3}\\?["']?)([A-Za-z0-9_+/=.~-]{16,})/gi,
	isToken: false,
	isSecret: isNamedSecret,
};

/** The first one that fits a place names it. */
export const secretPatterns: readonly SecretPattern[] = [
	...tokens,
	authorization,
	addressWithPassword,
	webhookAddress,
	namedValue,
];
