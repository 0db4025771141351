import {describe, expect, test} from 'vitest';
import {facetEntries} from '../../../source/app/dialog-items.js';
import type {AppState} from '../../../source/app/state.js';
import {beginning, given, listAction, press, row, session} from '../../helpers/app.js';

const projects = [
	{value: '/w/web', label: 'web', count: 4},
	{value: '/w/api-server', label: 'api-server', count: 3},
	{value: '/w/mill', label: 'mill', count: 1},
];

/** The picker of projects, opened on a query. */
const picking = (query = ''): AppState =>
	given(press(given(press(beginning(), ...query), listAction([row(session('a'))])), 'ctrl+f'), {
		type: 'facet',
		name: 'project',
		values: projects,
	});

const offered = ({dialog}: AppState): readonly (string | undefined)[] =>
	dialog?.kind === 'facet' ? facetEntries(dialog).map(value => value?.label) : [];

describe('the picker of filters', () => {
	test('finds by letters that stand apart, behind what holds them together', () => {
		expect(offered(press(picking(), ...'api'))).toEqual(['api-server']);
		expect(offered(press(picking(), ...'wb'))).toEqual(['web']);
		expect(offered(press(picking(), ...'asr'))).toEqual(['api-server']);
		expect(offered(press(picking(), ...'mi'))[0]).toBe('mill');
	});

	test('Enter takes the row instead of what the query had chosen', () => {
		const state = press(picking('project:web fix '), ...'mill', 'enter');
		expect(state.query.text).toBe('fix project:mill ');
		expect(state.dialog).toBeNull();
	});

	test('Enter on the first row takes the filter away', () => {
		expect(press(picking('fix project:web '), 'enter').query.text).toBe('fix');
	});

	test('several: those of the query and those that were chosen, whatever is typed meanwhile', () => {
		const state = press(picking('project:web '), ...'mill', 'tab', ...'zzz', 'enter');
		expect(state.query.text).toBe('project:web,mill ');
	});

	test('what was chosen is kept on the way to the next filter, whose counts follow it', () => {
		const state = press(picking(), 'down', 'tab', 'ctrl+f');
		expect(state.query.text).toBe('project:web ');
		expect(state.dialog).toMatchObject({kind: 'facet', name: 'agent', values: null});
		expect(state.outbox).toEqual([{type: 'facet', name: 'agent'}]);
	});

	test('an agent that is picked takes the place of the one that Tab had chosen', () => {
		const agents = [
			{value: 'claude-code', label: 'claude-code', count: 2},
			{value: 'codex', label: 'codex', count: 1},
		];
		const tabbed = press(
			given(beginning(), {
				type: 'overview',
				counts: {sessions: 3, agents: 2, lastSyncMs: null},
				agents,
				roots: [],
			}),
			'tab',
		);
		expect(tabbed.agent).toBe('claude-code');
		const picker = given(press(tabbed, 'ctrl+f', 'ctrl+f'), {
			type: 'facet',
			name: 'agent',
			values: agents,
		});
		const picked = press(picker, 'down', 'down', 'enter');
		expect(picked).toMatchObject({agent: null, query: {text: 'agent:codex '}});
	});
});
