import {readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {adapters} from '../../adapters/registry.js';
import type {Adapter} from '../../adapters/types.js';
import {commandsOf, placesOf, provedBy, withTable, yesOr} from '../helpers/agent-facts.js';

/**
 * The table of agents in the README: names, places, versions and resume from the registry, tokens and sub-agents from what the
 * fixtures prove. `UPDATE_README=1 npx vitest run test/adapters/readme.test.ts` writes it anew.
 */
const readme = fileURLToPath(new URL('../../README.md', import.meta.url));

const somePlaces = (paths: readonly string[]): string => {
	const first = paths.slice(0, 2).map(path => `\`${path}\``);
	return [...first, ...(paths.length > 2 ? ['…'] : [])].join(', ');
};

const row = (adapter: Adapter): string => {
	const sessions = provedBy(adapter);
	return `| ${[
		adapter.label,
		somePlaces(placesOf(adapter)),
		adapter.checked.join(', ') || '–',
		commandsOf(adapter).resume,
		yesOr(sessions.some(({facts, usage}) => usage.length > 0 || Boolean(facts.tokens))),
		yesOr(sessions.some(({facts}) => facts.isSubagent === true)),
	].join(' | ')} |`;
};

test('the agents of the README are those of the registry', () => {
	const text = readFileSync(readme, 'utf8');
	const wanted = withTable(text, [
		'| agent | reads | checked against | resumed by | tokens | sub-agents |',
		'| --- | --- | --- | --- | --- | --- |',
		...adapters.map(row),
	]);
	expect(wanted).toContain('| Claude Code |');
	if (process.env['UPDATE_README'] === '1') writeFileSync(readme, wanted);
	else expect(text).toBe(wanted);
});
