import {describe, expect, test} from 'vitest';
import {eventJson, exportJson, sessionJson} from '../../../source/export/json.js';
import {eventView, sessionView, toolView} from '../../helpers/views.js';

const plan = {argv: ['claude', '--resume', 'x'], cwd: '/w/api-server', env: {}};

describe('the session object', () => {
	test('has the documented fields in their order', () => {
		expect(Object.keys(sessionJson(sessionView(), plan)).join(' ')).toBe(
			'ref agent id title titleFrom project projectDir cwd branch model agentVersion kind createdAt updatedAt prompts replies messages toolCalls events tokens costUsd parent children starred tags note sourceState location problems match resume',
		);
	});

	test('has ISO times, and the parent without what is internal', () => {
		const json = sessionJson(
			sessionView({
				updatedAtMs: null,
				parent: {
					ref: 'claude-code:p',
					relation: 'fork',
					certainty: 'exact',
					event: null,
					isKnown: true,
				},
			}),
			plan,
			{event: 'claude-code:s1:e1', snippet: 'a\nb'},
		);
		expect(json.createdAt).toBe('2026-11-01T10:00:00.000Z');
		expect(json.updatedAt).toBeNull();
		expect(json.parent).toEqual({ref: 'claude-code:p', relation: 'fork', certainty: 'exact'});
		expect(json.match).toEqual({event: 'claude-code:s1:e1', snippet: 'a b'});
		expect(json.resume).toEqual({argv: ['claude', '--resume', 'x'], cwd: '/w/api-server', env: {}});
	});

	test('has either a command or a reason', () => {
		expect(sessionJson(sessionView(), {reason: 'gone', hint: 'restore'}).resume).toEqual({
			reason: 'gone',
		});
	});

	test('holds no control bytes, but directories keep their blanks', () => {
		const json = sessionJson(
			sessionView({title: 'red \x1b[31mred\x1b]0;x\x07', cwd: '/w/a\x1b[2J  b', branch: 'm\x07'}),
			plan,
		);
		expect([json.title, json.cwd, json.branch]).toEqual(['red red', '/w/a  b', 'm']);
	});
});

describe('the event object', () => {
	test('has the documented fields in their order', () => {
		const json = eventJson(eventView({kind: 'tool_use', tool: toolView()}));
		expect(Object.keys(json).join(' ')).toBe(
			'ref session index kind role at state text truncated fullLength tool model',
		);
		expect(Object.keys(json.tool ?? {}).join(' ')).toBe(
			'name callId isError subject files exitCode durationMs patch',
		);
		expect(eventJson(eventView()).tool).toBeNull();
	});

	test('texts keep newlines and tabs', () => {
		expect(eventJson(eventView({text: 'a\r\n\tb\x1b[2J\0'})).text).toBe('a\n\tb');
	});
});

test('a JSON export is one document, masked where it is wanted', () => {
	const events = [
		eventView({kind: 'tool_result', text: 'secret', tool: toolView({subject: 'secret'})}),
	];
	const given = {session: sessionView(), resume: plan, events};
	const plainText = exportJson(given);
	expect(JSON.parse(plainText)).toMatchObject({
		schemaVersion: 1,
		session: {ref: 'claude-code:5e6b8d69-83cf-4226-8736-e7cf98789b04'},
		events: [{text: 'secret'}],
	});
	const masked = exportJson({...given, mask: text => text.replaceAll('secret', '*')});
	expect(masked).not.toContain('secret');
	expect(JSON.parse(masked)).toMatchObject({events: [{index: 0, text: '*', tool: {subject: '*'}}]});
});
