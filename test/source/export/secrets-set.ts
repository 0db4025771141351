/**
 * Texts as they stand in transcripts, with secrets and without: what masking is measured by. The secrets are made up when the tests
 * run, so that no file of ours holds a string that only looks like one.
 */

const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const digits = '0123456789';
const hex = `${digits}abcdef`;
const base62 = lower + upper + digits;
const base64 = `${base62}+/`;
const urlSafe = `${base62}_-`;

/** The same letters in every run. */
let state = 20_261_201;
const next = (below: number): number => {
	state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
	return Math.floor((state / 2 ** 32) * below);
};
const random = (alphabet: string, length: number): string =>
	Array.from({length}, () => alphabet[next(alphabet.length)]).join('');

export interface TrueCase {
	readonly name: string;
	readonly text: string;
	/** Nothing of it may be left. */
	readonly secret: string;
}

/** `around` gives the text; `§` in it stands for the whole secret. */
const secret = (name: string, around: string, [prefix, body]: readonly [string, string]) => ({
	name,
	text: around.replace('§', () => prefix + body),
	secret: body,
});

const pemLines = [random(base64, 64), random(base64, 64), `${random(base64, 40)}==`];
const pem = (kind: string, newline: string): string => {
	const mark = (word: string) => ['-----', word, ' ', kind, '-----'].join('');
	return [mark('BEGIN'), ...pemLines, mark('END')].join(newline);
};
const pemCase = (name: string, text: string): TrueCase => ({
	name,
	text,
	secret: pemLines[1] as string,
});

export const secrets: readonly TrueCase[] = [
	secret('Anthropic', 'export ANTHROPIC_API_KEY=§', ['sk-ant-api03-', random(urlSafe, 93)]),
	secret('OpenAI, project', 'OPENAI_API_KEY="§"', ['sk-proj-', random(urlSafe, 120)]),
	secret('OpenAI, old', 'openai.api_key = "§"', ['sk-', random(base62, 48)]),
	secret('OpenRouter', '"key": "§"', ['sk-or-v1-', random(hex, 64)]),
	secret('Groq', 'I used § for that.', ['gsk_', random(base62, 52)]),
	secret('xAI', 'key §', ['xai-', random(base62, 80)]),
	secret('Perplexity', 'PPLX=§', ['pplx-', random(base62, 48)]),
	secret('Replicate', 'REPLICATE=§', ['r8_', random(base62, 37)]),
	secret('Hugging Face', 'huggingface-cli login --token §', ['hf_', random(base62, 34)]),
	secret('Stripe, live', 'stripe.Key = "§"', [['sk', '_live_'].join(''), random(base62, 24)]),
	secret('Stripe, restricted', 'STRIPE=§', [['rk', '_test_'].join(''), random(base62, 99)]),
	secret('Stripe webhook', 'whsec: §', ['whsec_', random(base62, 32)]),
	secret('GitHub, personal', 'git clone https://§@host/a.git', ['ghp_', random(base62, 36)]),
	secret('GitHub, app', '::add-mask::§', ['ghs_', random(base62, 36)]),
	secret('GitHub, fine-grained', 'GH_TOKEN=§', ['github_pat_', random(`${base62}_`, 82)]),
	secret('GitHub in JSON output', '{"stdout":"first\\n§\\n"}', ['ghp_', random(base62, 36)]),
	secret('GitLab', 'PRIVATE-TOKEN: §', ['glpat-', random(urlSafe, 20)]),
	secret('Slack bot', 'slack_token: §', ['xoxb-', `${random(digits, 12)}-${random(base62, 24)}`]),
	secret('Slack app', '§', ['xapp-', `1-A${random(digits, 9)}-${random(hex, 40)}`]),
	secret('Slack webhook', 'curl https://hooks.slack.com/services/T0AB12CD3/B0AB12CD4/§', [
		'',
		random(base62, 24),
	]),
	secret('AWS key id', 'aws_access_key_id = §', ['AKIA', random(upper + digits, 16)]),
	secret('AWS secret key', 'aws_secret_access_key = §', ['', random(base64, 40)]),
	secret('AWS session token', 'AWS_SESSION_TOKEN="§"', ['', random(base64, 180)]),
	secret('Google key', 'maps?key=§&x=1', ['AIza', random(urlSafe, 35)]),
	secret('Google OAuth', 'access: §', ['ya29.', random(urlSafe, 100)]),
	secret('npm', '//host/:_authToken=§', ['npm_', random(base62, 36)]),
	secret('PyPI', 'twine upload -p §', ['pypi-', random(urlSafe, 150)]),
	secret('DigitalOcean', 'doctl auth init -t §', ['dop_v1_', random(hex, 64)]),
	secret('Docker', 'docker login -p §', ['dckr_pat_', random(urlSafe, 27)]),
	secret('Databricks', 'DATABRICKS=§', ['dapi', random(hex, 32)]),
	secret('SendGrid', '§', ['SG.', `${random(urlSafe, 22)}.${random(urlSafe, 43)}`]),
	secret('Shopify', "'§'", ['shpat_', random(hex, 32)]),
	secret('Linear', '§', ['lin_api_', random(base62, 40)]),
	secret('Vault', 'VAULT=§', ['hvs.', random(urlSafe, 90)]),
	secret('Grafana', '§', ['glsa_', `${random(base62, 32)}_${random(hex, 8)}`]),
	secret('age', '# key\n§', ['AGE-SECRET-KEY-1', random(upper + digits, 58)]),
	secret('JSON web token', 'cookie: jwt=§', [
		'eyJ',
		`${random(base62, 30)}.eyJ${random(base62, 60)}.${random(urlSafe, 43)}`,
	]),
	secret('bearer header', `curl -H 'Authorization: Bearer §'`, ['', random(urlSafe, 40)]),
	secret('basic header', '"authorization": "Basic §"', ['', random(base64, 24)]),
	secret('database address', 'postgres://app:§@db.internal:5432/app', ['', random(base62, 12)]),
	secret('address, short password', 'redis://:§@localhost:6379', ['', 'hunter2']),
	pemCase('RSA key', pem('RSA PRIVATE KEY', '\n')),
	pemCase('OpenSSH key in JSON', JSON.stringify({key: pem('OPENSSH PRIVATE KEY', '\n')})),
	pemCase('key without its end', `${pem('PRIVATE KEY', '\n').split('\n-----END')[0]}\n`),
	secret('password in a file', "password: '§'", ['', random(base62, 20)]),
	secret('client secret', '"client_secret": "§"', ['', random(urlSafe, 40)]),
	secret('hex key', 'api_key=§', ['', random(hex, 32)]),
	secret('encryption key', 'ENCRYPTION_KEY=§', ['', random(hex, 64)]),
	secret('storage account', 'AccountName=a;AccountKey=§;', ['', `${random(base64, 86)}==`]),
	secret('token in PHP', "'refresh_token' => '§'", ['', random(lower + digits, 32)]),
	// What has no shape: these are expected to be missed, and stay in the figures for that.
	secret('short password', 'DB_PASSWORD=§', ['', 'hunter2']),
	secret('password of curl', 'curl -u ada:§ http://localhost', ['', random(base62, 12)]),
	secret('session cookie', 'Cookie: sid=§', ['', random(base62, 26)]),
	secret('key that is a UUID', 'HEROKU_API_KEY=§', ['', uuid()]),
	secret('recovery phrase', 'seed: §', ['', 'ripple otter lantern velvet harbor maple']),
];

function uuid(): string {
	return [8, 4, 4, 4, 12].map(length => random(hex, length)).join('-');
}

export const harmless: readonly string[] = [
	`commit ${random(hex, 40)}`,
	`Merge ${random(hex, 7)} into ${random(hex, 7)}`,
	`index ${random(hex, 7)}..${random(hex, 7)} 100644`,
	`sha256:${random(hex, 64)}`,
	`"integrity": "sha512-${random(base64, 86)}=="`,
	`secret_sha256 = ${random(hex, 64)}`,
	`password_hash_md5: ${random(hex, 32)}`,
	`"api_key_fingerprint": "${random(hex, 40)}"`,
	`token: ${uuid()}`,
	`sessionId=${uuid()} parentUuid=${uuid()}`,
	`ETag: "${random(hex, 32)}"`,
	`vector ${random(base64, 38)}==`,
	`expect(encode(bytes)).toBe('${random(base64, 40)}')`,
	`data:image/png;base64,iVBORw0KGgo${random(base64, 120)}`,
	`-----BEGIN CERTIFICATE-----\n${random(base64, 64)}\n-----END CERTIFICATE-----`,
	`-----BEGIN PUBLIC KEY-----\n${random(base64, 64)}\n-----END PUBLIC KEY-----`,
	`ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${random(base62, 43)} ada@laptop`,
	`SHA256:${random(base64, 43)}`,
	`const key = 'user:${random(digits, 12)}:profile'`,
	`trace_id=${random(hex, 32)} span_id=${random(hex, 16)}`,
	`docker pull app@sha256:${random(hex, 64)}`,
	`/nix/store/${random(lower + digits, 32)}-node-20.20.2`,
	`chunk-${random(upper + digits, 8)}.js and index-${random(base62, 8)}.css`,
	`build ${random(hex, 12)} of 2026-11-01T10:00:00.000Z`,
	'token = readTokenFromEnvironment2(request)',
	'const token = await getAccessToken({clientId: 42});',
	'password: process.env.DATABASE_PASSWORD_V2',
	'secret: your-secret-goes-right-here',
	'API_KEY=YOUR_API_KEY_GOES_HERE_123',
	'apiKey: "<paste your key from step 3 here>"',
	'OPENAI_API_KEY=sk-...',
	'export ANTHROPIC_API_KEY=sk-ant-xxxxxxxxxxxxxxxxxxxxxxxx',
	'token: $CI_JOB_TOKEN_2 and %GITHUB_TOKEN%',
	'PASSWORD=$(openssl rand -base64 24)',
	'postgres://user:$PASSWORD@host/db',
	'mysql://root:{password}@localhost/app',
	'https://user:****@host/path',
	'sk-learn-compatible-estimators2 and task-oriented-things-to-do',
	'the ghp_ prefix means a personal token, gho_ an OAuth one',
	'AKIA is what key ids begin with',
	'max_tokens: 1000000000000000000',
	'"tokens": {"input_tokens": 12345, "output_tokens": 678}',
	'tokenizer: Qwen2.5-Coder-32B-Instruct',
	'tokenizer_class = "PreTrainedTokenizerFast2Wrapper"',
	'secretName: my-app-prod-secret-v2-eu-west-1',
	'secretKeyRef: {name: database-credentials-2026, key: url}',
	'secrets_file=/etc/app/secrets/v2/production-1.json',
	'passwordField = document.getElementById("password2")',
	'passwordPolicy: minLength=12,minDigits=2,minSymbols=1',
	'credentials: "include-same-origin-2"',
	'token_type: application/x-www-form-urlencoded',
	'Authorization: Bearer $TOKEN',
	'Authorization: Bearer <token>',
	"headers.authorization = 'Bearer ' + token",
	'http://localhost:3000/@scope/pkg and git@github.com:a/b.git',
	'npm_config_user_agent and npm_package_version',
	'eyJ is how the base64 of {" begins',
	'class GitHubTokenProviderFactoryImplementation2 extends Base {}',
	'import {privateKeyFromSeed2048} from "./private-key-from-seed.js"',
	'"access_key_rotation": "every-90-days-or-sooner"',
	'csrf_token_header=x-csrf-token-version-1',
	'assert tokens == ["a1", "b2", "c3", "d4"]',
	'CACHE_KEY=npm-linux-x64-node20-lockfile-v3',
	'KEY_ID=projects/demo/locations/eu/keyRings/r1/cryptoKeys/k2',
	'revision 20261101_120000_add_token_to_users',
	'private_key_path: ~/.ssh/id_ed25519_work_2026',
	'masked already: ghp_…[masked] and postgres://u:[masked]@host',
];
