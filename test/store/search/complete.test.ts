import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {completeFilter, type FilterValues} from '../../../store/search/complete.js';
import {FILTER_NAMES, parseQuery} from '../../../store/search/query.js';

const value = (value: string, count = 1, label = value) => ({value, label, count});

const values: FilterValues = {
	agent: [value('claude-code', 40), value('codex', 12), value('copilot-cli', 3)],
	project: [
		value('/w/shop', 9, 'shop'),
		value('/w/shop-admin', 4, 'shop-admin'),
		value('/w/my notes', 2, 'my notes'),
		value('/a/api', 2, 'api'),
		value('/b/api', 1, 'api'),
	],
};

/** The query with the bar as its cursor, and what stands in place of the half-typed text for each candidate. */
const completed = (query: string): readonly string[] => {
	const cursor = query.indexOf('|');
	const text = query.replace('|', '');
	const {start, end, candidates} = completeFilter(text, cursor, values);
	return candidates.map(candidate => `${text.slice(0, start)}${candidate.text}${text.slice(end)}`);
};

describe('completeFilter', () => {
	it.each([
		['ag|', ['agent:']],
		['fix AF|', ['fix after:']],
		['-b|', ['-branch:', '-before:']],
		['pro|ject', ['project:']],
		['i| word', ['in: word', 'is: word', 'id: word']],
		['|', []],
		['word |', []],
		['wor|', []],
		['"ag|', []],
		['src/ag|', []],
	])('filter words: %s', (query, expected) => {
		expect(completed(query)).toEqual(expected);
	});

	it.each([
		['agent:|', ['agent:claude-code', 'agent:codex', 'agent:copilot-cli']],
		['agent:cod|', ['agent:codex', 'agent:claude-code']],
		['-agent:CL|', ['-agent:claude-code', '-agent:copilot-cli']],
		['agent:cli|', ['agent:copilot-cli']],
		['agent:codex,cl|', ['agent:codex,claude-code', 'agent:codex,copilot-cli']],
		['agent:c|,codex word', ['agent:claude-code,codex word', 'agent:copilot-cli,codex word']],
		['project:my|', ['project:"my notes"']],
		['project:"my n|', ['project:"my notes"']],
		['project:ap|', ['project:/a/api', 'project:/b/api']],
		['project:admin|', ['project:shop-admin']],
		['is:st|', ['is:starred']],
		['has:|', ['has:error', 'has:image', 'has:code']],
		['in:re|', ['in:replies', 'in:reasoning']],
		['after:ye|', ['after:yesterday']],
		['branch:x|', []],
	])('values: %s', (query, expected) => {
		expect(completed(query)).toEqual(expected);
	});

	it('says whose values are wanted, and how many sessions have each', () => {
		const {name, candidates} = completeFilter('agent:co', 8, values);
		expect(name).toBe('agent');
		expect(candidates).toEqual([
			{text: 'codex', label: 'codex', count: 12},
			{text: 'copilot-cli', label: 'copilot-cli', count: 3},
			{text: 'claude-code', label: 'claude-code', count: 40},
		]);
		expect(completeFilter('branch:', 7).name).toBe('branch');
	});

	it('a name that is part of another one stands for both: the directory is meant', () => {
		expect(completed('project:shop|')).toEqual(['project:/w/shop', 'project:shop-admin']);
	});

	it('whatever is typed: stays inside of the text, and a candidate reads as the filter that it names', () => {
		const piece = fc.oneof(
			fc.constantFrom(...FILTER_NAMES.map(name => `${name}:`), '"', ',', ' ', '-', 'OR', 'a', 'co'),
			fc.string({maxLength: 4}),
		);
		fc.assert(
			fc.property(fc.array(piece, {maxLength: 8}), fc.nat(40), (pieces, at) => {
				const text = pieces.join('');
				const cursor = Math.min(at, text.length);
				const {start, end, name, candidates} = completeFilter(text, cursor, values);
				expect(start).toBeLessThanOrEqual(cursor);
				expect(end).toBeGreaterThanOrEqual(start);
				expect(end).toBeLessThanOrEqual(text.length);
				for (const candidate of candidates) {
					const next = `${text.slice(0, start)}${candidate.text}${text.slice(end)}`;
					if (name === null) continue;
					const wanted = candidate.text.replaceAll('"', '');
					const filters = parseQuery(next, 0).parts.flatMap(part =>
						part.kind === 'filter' && part.name === name ? part.values : [],
					);
					expect(filters).toContain(wanted);
				}
			}),
			{numRuns: 300},
		);
	});
});
