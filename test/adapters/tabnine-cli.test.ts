/** Where Tabnine CLI differs from Gemini CLI. */
import {expect, test} from 'vitest';
import {tabnineCli} from '../../adapters/tabnine-cli.js';
import {surroundingsOf} from '../helpers/fixtures.js';

test('its folder lies below the home folder of Gemini CLI', () => {
	expect(tabnineCli.roots(surroundingsOf('/home/someone'))).toEqual([
		{path: '/home/someone/.tabnine/agent', from: 'default', resumeEnv: {}},
	]);
	expect(tabnineCli.roots(surroundingsOf('/home/someone', {GEMINI_CLI_HOME: '/data'}))).toEqual([
		{
			path: '/data/.tabnine/agent',
			from: 'environment',
			resumeEnv: {GEMINI_CLI_HOME: '/data'},
		},
	]);
});

test('resumes with its own program', () => {
	const id = '10000001-0001-4000-8000-000000000001';
	const plan = tabnineCli.resume({
		id,
		cwd: '/home/ada/loom',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/x',
		resumeEnv: {},
		hint: {},
	});
	expect(plan).toEqual({argv: ['tabnine', '--resume', id], cwd: '/home/ada/loom', env: {}});
});
