import {describe, expect, test} from 'vitest';
import {hasTerm, markTerms, queryTerms} from '../../../source/app/query-marks.js';
import type {Line} from '../../../source/terminal/spans.js';
import {textIn} from '../../helpers/rows.js';

const marked = (text: string, query: string, style?: 'matchCurrent') =>
	textIn([markTerms([{text}], queryTerms(query), style)], style ?? 'match').split('\n');

describe('marks of a query', () => {
	test.each([
		['case and accents do not matter', 'Café CAFÉ cafe', 'cafe ', ['Café', 'CAFÉ', 'cafe']],
		['parts of names are found', 'getUserById', 'userby', ['UserBy']],
		[
			'phrases are marked as a whole',
			'the auth middleware',
			'"auth middleware"',
			['auth middleware'],
		],
		[
			'filters and excluded words are no marks',
			'agent auth token',
			'agent:codex -token auth',
			['auth'],
		],
		['any character of CJK', '中文搜索', '搜', ['搜']],
	] as const)('%s', (_, text, query, expected) => {
		expect(marked(text, query)).toEqual(expected);
	});

	test('the current match has a style of its own', () => {
		expect(marked('auth', 'auth', 'matchCurrent')).toEqual(['auth']);
	});

	test('a query of filters marks nothing', () => {
		const line: Line = [{text: 'id'}];
		expect(queryTerms('id:5e6b8d69')).toEqual([]);
		expect(markTerms(line, queryTerms('id:5e6b8d69'))).toBe(line);
		expect(hasTerm(line, [])).toBe(false);
	});
});
