import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';

test('the first frame waits for no adapter, grammar or argument parser', () => {
	const folder = fileURLToPath(new URL('../../dist', import.meta.url));
	const seen = new Set<string>();
	const load = (name: string): void => {
		if (seen.has(name)) return;
		seen.add(name);
		const code = readFileSync(join(folder, name), 'utf8');
		for (const [, next] of code.matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g))
			if (next !== undefined) load(next);
	};
	load('cli.js');
	load(readdirSync(folder).find(name => name.startsWith('open-app')) ?? 'open-app.js');
	const code = [...seen].map(name => readFileSync(join(folder, name), 'utf8')).join('\n');
	const late = ['parserVersion:', 'registerLanguage', 'walkTokens', 'unnormalizedFlags'];
	expect(late.filter(word => code.includes(word))).toEqual([]);
	const bytes = [...seen].reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
	expect(bytes).toBeLessThan(1_100_000);
});
