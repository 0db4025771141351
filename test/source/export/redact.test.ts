import {readFileSync} from 'node:fs';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createRedactor, redact} from '../../../source/export/redact.js';
import {harmless, secrets} from './secrets-set.js';

/** Written in pieces: no file of ours holds a whole token-shaped string. */
const glue = (...parts: readonly string[]) => parts.join('');
const body = (length: number) => 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY2zA4bC6dE8'.slice(0, length);
const upperBody = 'QRSTUVWX23456789';
const dashes = '-'.repeat(5);
const pem = (kind: string, lines: string) =>
	glue(dashes, `BEGIN ${kind}`, dashes, `\n${lines}\n`, dashes, `END ${kind}`, dashes);

describe('tokens keep their telling beginning only', () => {
	test.each([
		['sk-ant-', glue('sk-ant', '-api03-', body(40))],
		['sk-proj-', glue('sk-', 'proj-', body(40))],
		['sk-', glue('sk-', body(32))],
		['sk-', glue('sk-', 'sp-AAAA1111', '.bbbb2222_CCCC')],
		['sk_live_', glue('sk_', 'live_', body(24))],
		['ghp_', glue('ghp', '_', body(36))],
		['gho_', glue('gho', '_', body(36))],
		['github_pat_', glue('github_', 'pat_', body(22))],
		['glpat-', glue('glpat', '-', body(20))],
		['xoxb-', glue('xoxb', '-1234567890-', body(24))],
		['AKIA', glue('AKIA', upperBody)],
		['AIza', glue('AIza', body(35))],
		['npm_', glue('npm', '_', body(36))],
		['hf_', glue('hf', '_', body(34))],
		['eyJ', glue('eyJ', body(20), '.eyJ', body(20), '.', body(30))],
	])('%s', (prefix, secret) => {
		expect(redact(`use ${secret} here`)).toEqual({text: `use ${prefix}…[masked] here`, count: 1});
		expect(redact(`KEY="${secret}",`).text).not.toContain(secret.slice(-12));
	});

	test('a full stop after a token is a full stop', () => {
		expect(redact(`It is ${glue('sk-', body(32))}. Next`).text).toBe('It is sk-…[masked]. Next');
	});
});

describe('other secrets', () => {
	test('private keys go as a block, whole or cut off', () => {
		const lines = `${body(40)}\n${body(40)}+/==`;
		const whole = redact(`a\n${pem('RSA PRIVATE KEY', lines)}\nb`);
		expect(whole).toEqual({text: `a\n${pem('RSA PRIVATE KEY', '[masked]')}\nb`, count: 1});
		const cut = redact(`a\n${pem('PRIVATE KEY', lines).split(`\n${dashes}END`)[0]}\n\nthen words`);
		expect(cut.count).toBe(1);
		expect(cut.text).not.toContain(body(12));
		expect(cut.text).toContain('then words');
	});

	test('public keys and certificates stay', () => {
		const text = pem('CERTIFICATE', body(40));
		expect(redact(text)).toEqual({text, count: 0});
	});

	test('passwords in addresses', () => {
		expect(redact('db postgres://u:pw@h/db').text).toBe('db postgres://u:[masked]@h/db');
		expect(redact('https://me:a%40b:c@host/x').text).toBe('https://me:[masked]@host/x');
	});

	test('authorization headers', () => {
		expect(redact(`curl -H "Authorization: Bearer ${body(12)}"`).text).toBe(
			'curl -H "Authorization: Bearer [masked]"',
		);
	});

	test.each([
		['API_KEY=', ''],
		['api-key: ', ''],
		['"clientSecret": "', '"'],
		["password => '", "'"],
		['export DB_PASSWORD="', '"'],
		['{\\"access_token\\":\\"', '\\"'],
	])('a random value after %s', (before, after) => {
		expect(redact(`${before}${body(24)}${after}`).text).toBe(`${before}[masked]${after}`);
	});
});

describe('what a transcript is read for stays', () => {
	test.each([
		'commit 9f2c4e8a1b3d5f7092a4c6e8b0d2f4a6c8e0b1d3',
		'id d3b07384-d9a0-4c1f-8b2e-6a5f4e3d2c1b',
		'token: d3b07384-d9a0-4c1f-8b2e-6a5f4e3d2c1b',
		'secret_sha256 = e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
		'vector Zm9vYmFyYmF6cXV4MDEyMzQ1Njc4OWFiY2RlZg==',
		'token = readTokenFromEnvironment(request)',
		'password: process.env.DATABASE_PASSWORD',
		'secret: your-secret-goes-right-here',
		'sk-learn-compatible-estimators and task-oriented-things-to-do',
		'http://localhost:3000/@scope/pkg and git@github.com:a/b.git',
		'postgres://user:$PASSWORD@host and postgres://user:{password}@host',
		'max_tokens: 1000000000000000000',
	])('%s', text => {
		expect(redact(text)).toEqual({text, count: 0});
	});
});

describe('measured by a set of texts', () => {
	const missed = secrets.filter(({text, secret}) => redact(text).text.includes(secret));
	const alarms = harmless.filter(text => redact(text).count > 0);
	const figures = [
		`${secrets.length - missed.length} of ${secrets.length} secrets are found`,
		`${alarms.length} of ${harmless.length} harmless texts are changed`,
	];

	test(figures.join(', '), () => {
		expect(secrets.length).toBeGreaterThanOrEqual(40);
		expect(harmless.length).toBeGreaterThanOrEqual(60);
		expect(missed.map(({name}) => name)).toEqual([
			'short password',
			'password of curl',
			'session cookie',
			'key that is a UUID',
			'recovery phrase',
		]);
		expect(alarms).toEqual([]);
	});

	test.each(secrets.filter(each => !missed.includes(each)))(
		'no part of $name is left',
		({text, secret}) => {
			const {text: masked} = redact(text);
			for (let from = 0; from + 8 <= secret.length; from += 4)
				expect(masked).not.toContain(secret.slice(from, from + 8));
		},
	);

	test('the documentation has the same figures', () => {
		const docs = readFileSync('docs/masking.md', 'utf8');
		for (const figure of figures) expect(docs).toContain(figure);
	});
});

describe('the list to review', () => {
	test('names what was found, with the line around it, and how often', () => {
		const redactor = createRedactor();
		const token = glue('ghp', '_', body(36));
		redactor.mask(`first line\nset GH=${token} and push\nlast line`);
		redactor.mask(`again ${token}`);
		redactor.mask(`postgres://app:hunter2@host, ${token.slice(0, 3)}`);
		expect(redactor.found()).toEqual([
			{kind: 'GitHub token', context: 'set GH=ghp_…[masked] and push', places: 2},
			{
				kind: 'password in an address',
				context: 'postgres://app:[masked]@host, ghp',
				places: 1,
			},
		]);
	});

	test('shows nothing of another secret that stands beside', () => {
		const redactor = createRedactor();
		const [one, two] = [
			glue('ghp', '_', body(36)),
			glue('sk-', body(40).split('').reverse().join('')),
		];
		redactor.mask(`${one} ${two} ${one}`);
		for (const {context} of redactor.found()) {
			expect(context).not.toMatch(/[A-Za-z0-9]{8}/);
			expect(context).toContain('[masked]');
		}
	});
});

test('a secret behind an escaped newline is found', () => {
	expect(redact(`"a\\n${glue('ghp', '_', body(36))}\\n"`).text).toBe('"a\\nghp_…[masked]\\n"');
});

test('one secret in several texts counts once', () => {
	const {mask, count} = createRedactor();
	const token = glue('ghp', '_', body(36));
	mask(`a ${token} b ${token}`);
	mask(`title with ${token} and ${glue('AKIA', upperBody)}`);
	expect(count()).toBe(2);
	expect(redact(`a ${token} b ${token}`).count).toBe(2);
});

test('masking twice changes nothing more', () => {
	const pieces = fc.constantFrom(
		glue('ghp', '_', body(36)),
		glue('sk-', body(32)),
		'password=',
		body(24),
		'"',
		' ',
		'\n',
		':',
		'@',
		'://',
		'http',
		`${dashes}BEGIN PRIVATE KEY${dashes}`,
		`${dashes}END PRIVATE KEY${dashes}`,
		'Authorization: Bearer ',
		'words',
	);
	fc.assert(
		fc.property(fc.array(pieces, {maxLength: 30}), parts => {
			const once = redact(parts.join('')).text;
			expect(redact(once).text).toBe(once);
		}),
	);
});

test('a megabyte of anything is done before the test times out', () => {
	const beginnings = [
		'a',
		'sk-',
		'eyJ',
		'.eyJ',
		'token',
		'token=',
		'secret:',
		'a://',
		'a://b:',
		'authorization: bearer ',
		'=',
		' ',
		'\n',
		'-',
		'passwd"',
		`${dashes}BEGIN PRIVATE KEY${dashes}`,
		'http://a:b',
		'AKIA',
		'ghp_',
		'a1',
		'"',
	];
	for (const part of beginnings) {
		const text = part.repeat(Math.ceil(1_000_000 / part.length));
		expect(redact(text).text.length).toBeGreaterThan(0);
	}
});
