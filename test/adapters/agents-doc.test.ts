import {readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {adapters} from '../../adapters/registry.js';
import type {Adapter} from '../../adapters/types.js';
import {commandsOf, withTable, yesOr} from '../helpers/agent-facts.js';

/**
 * `docs/agents.md`: the table comes from the registry and the fixtures, a section of each agent is written by hand.
 * `UPDATE_README=1 npx vitest run test/adapters/agents-doc.test.ts` writes the table anew.
 */
const path = fileURLToPath(new URL('../../docs/agents.md', import.meta.url));
const read = (): string => readFileSync(path, 'utf8');

/** As the headings are linked to: lower case, words joined. */
const anchorOf = (label: string): string => label.toLowerCase().replaceAll(' ', '-');

const row = (adapter: Adapter): string => {
	const {resume, fork} = commandsOf(adapter);
	return `| ${[
		`[${adapter.label}](#${anchorOf(adapter.label)})`,
		`\`${adapter.id}\``,
		adapter.checked.join(', '),
		resume,
		fork,
		yesOr(adapter.start !== undefined),
		yesOr(adapter.retention !== undefined),
	].join(' | ')} |`;
};

test('the table of agents is that of the registry', () => {
	const text = read();
	const wanted = withTable(text, [
		'| agent | id | checked | goes on by | fork | hand-over | cleans up |',
		'| --- | --- | --- | --- | --- | --- | --- |',
		...adapters.map(row),
	]);
	expect(wanted).toContain('[Claude Code](#claude-code)');
	if (process.env['UPDATE_README'] === '1') writeFileSync(path, wanted);
	else expect(text).toBe(wanted);
});

interface Section {
	readonly title: string;
	readonly points: readonly string[];
}

const sections = (): readonly Section[] =>
	read()
		.split(/^## /m)
		.slice(1)
		.map(section => ({
			title: section.slice(0, section.indexOf('\n')),
			points: [...section.matchAll(/^- \*\*(.+):\*\* \S/gm)].map(([, name = '']) => name),
		}));

test('every agent has a section that says what is read, what is not, and what is missing', () => {
	const [agents, rest] = [sections().slice(0, adapters.length), sections().slice(adapters.length)];
	expect(agents.map(({title}) => title)).toEqual(adapters.map(({label}) => label));
	for (const {title, points} of agents)
		expect(points.slice(0, 4), title).toEqual(['Known from', 'Read', 'Not read', 'Gaps']);
	expect(rest.map(({title}) => title)).toEqual(['Checked against public samples']);
});
