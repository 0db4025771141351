/** What the fixture home cannot show: roots, what is mirrored beside a transcript, resume. */
import {relative} from 'node:path';
import {expect, test} from 'vitest';
import {antigravity} from '../../adapters/antigravity/index.js';
import type {ResumeRequest} from '../../adapters/types.js';
import {copyFixture, discoverAll, surroundingsOf} from '../helpers/fixtures.js';

test('roots: the program, the editor, its old folder, those of the config', () => {
	const around = {...surroundingsOf('/home/me'), extraRoots: [{path: '/copy', label: 'old'}]};
	expect(antigravity.roots(around).map(({path}) => path)).toEqual([
		'/home/me/.gemini/antigravity-cli',
		'/home/me/.gemini/antigravity-ide',
		'/home/me/.gemini/antigravity',
		'/copy',
	]);
});

test('of a transcript and a database the one with prompts ranks higher', () => {
	const fixture = copyFixture('antigravity');
	const {sources, problems} = discoverAll(antigravity, fixture.around);
	const ranks = (end: string) =>
		sources.filter(({sessionId}) => sessionId?.endsWith(end)).map(({mode, rank}) => [mode, rank]);
	expect(ranks('3')).toEqual([
		['append', 1],
		['replace', 2],
	]);
	expect(ranks('4')).toEqual([
		['append', 1],
		['replace', 0],
	]);
	expect(problems.map(({detail}) => detail)).toEqual(['encrypted by the agent: 1 conversation']);
	fixture.dispose();
});

test('plans beside a transcript are mirrored with it', () => {
	const fixture = copyFixture('antigravity');
	const [source] = discoverAll(antigravity, fixture.around).sources;
	if (source === undefined) throw new Error('no source');
	const names = antigravity.companions?.(source).map(path => relative(fixture.home, path));
	expect(names?.map(name => name.split('/').at(-1))).toEqual(['plan.md', 'plan.md.metadata.json']);
	fixture.dispose();
});

test('resume: in its directory; the editor and options are refused', () => {
	const request: ResumeRequest = {
		id: '6c5d0001-1111-4aaa-8bbb-000000000001',
		cwd: '/home/ada/buoy',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/home/me/.gemini/antigravity-cli/brain/x/transcript.jsonl',
		resumeEnv: {},
		hint: {},
	};
	expect(antigravity.resume(request)).toEqual({
		argv: ['agy', '--conversation', request.id],
		cwd: '/home/ada/buoy',
		env: {},
	});
	const location = '/home/me/.gemini/antigravity-ide/brain/x/transcript.jsonl';
	expect(antigravity.resume({...request, location})).toHaveProperty('reason');
	expect(antigravity.resume({...request, id: '--continue'})).toHaveProperty('reason');
});
