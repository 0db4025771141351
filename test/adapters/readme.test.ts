import {readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import type {SessionFacts, Usage} from '../../adapters/model.js';
import {adapters} from '../../adapters/registry.js';
import type {Adapter} from '../../adapters/types.js';
import {expectedPath} from '../helpers/fixtures.js';

/**
 * The table of agents in the README: names, places, versions and resume from the registry, tokens and sub-agents from what the
 * fixtures prove. `UPDATE_README=1 npx vitest run test/adapters/readme.test.ts` writes it anew.
 */
const readme = fileURLToPath(new URL('../../README.md', import.meta.url));
const between = /(<!-- agents:start -->\n)[\s\S]*(<!-- agents:end -->)/;

interface Proved {
	readonly key: string;
	readonly sessionId: string;
	readonly facts: SessionFacts;
	readonly usage: readonly Usage[];
}

const provedBy = ({id}: Adapter): readonly Proved[] =>
	(JSON.parse(readFileSync(expectedPath(id), 'utf8')) as {sources: readonly Proved[]}).sources;

const placesOf = (adapter: Adapter): string => {
	const around = {
		home: '~',
		platform: 'linux',
		env: {},
		extraRoots: [],
		projectDirs: ['<project>'],
	} as const;
	const paths = [...new Set(adapter.roots(around).map(({path}) => path))];
	return `${paths
		.slice(0, 2)
		.map(path => `\`${path}\``)
		.join(', ')}${paths.length > 2 ? ', …' : ''}`;
};

/** The command up to the id; what follows is about the place of a store. */
const resumeOf = (adapter: Adapter, sessions: readonly Proved[]): string => {
	for (const {key, sessionId, facts} of sessions) {
		const plan = adapter.resume({
			id: sessionId,
			cwd: facts.cwd ?? null,
			isSubagent: facts.isSubagent === true,
			parentId: facts.parent?.id ?? null,
			archived: facts.archived === true,
			location: `/home/${key}`,
			resumeEnv: {},
			hint: facts.resumeHint ?? {},
		});
		if (!('argv' in plan)) continue;
		const words = plan.argv.map(word => word.replace(sessionId, 'ID').replace(UUID, 'ID'));
		const last = words.findIndex(word => /(?:^|=)ID$/.test(word));
		return `\`${words.slice(0, last < 0 ? 2 : last + 1).join(' ')}\``;
	}
	return '–';
};

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/;

const row = (adapter: Adapter): string => {
	const sessions = provedBy(adapter);
	const hasTokens = sessions.some(({facts, usage}) => usage.length > 0 || facts.tokens);
	const hasChildren = sessions.some(({facts}) => facts.isSubagent === true);
	return `| ${[
		adapter.label,
		placesOf(adapter),
		adapter.checked.join(', ') || '–',
		resumeOf(adapter, sessions),
		hasTokens ? 'yes' : '–',
		hasChildren ? 'yes' : '–',
	].join(' | ')} |`;
};

test('the agents of the README are those of the registry', () => {
	const table = [
		'| agent | reads | checked against | resumed by | tokens | sub-agents |',
		'| --- | --- | --- | --- | --- | --- |',
		...adapters.map(row),
	].join('\n');
	const text = readFileSync(readme, 'utf8');
	const wanted = text.replace(
		between,
		(_, start: string, end: string) => `${start}\n${table}\n\n${end}`,
	);
	expect(wanted).toContain('| Claude Code |');
	if (process.env['UPDATE_README'] === '1') writeFileSync(readme, wanted);
	else expect(text).toBe(wanted);
});
