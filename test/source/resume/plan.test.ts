import {spawnSync} from 'node:child_process';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Adapter, ResumePlan, ResumeRequest} from '../../../adapters/types.js';
import {
	isRefusal,
	planResume,
	planStart,
	shellCommand,
	shellOf,
} from '../../../source/resume/plan.js';
import {sessionView} from '../../helpers/views.js';

const id = '5e6b8d69-83cf-4226-8736-e7cf98789b04';

const adapterWith = (resume: (request: ResumeRequest) => ResumePlan): Adapter => ({
	id: 'claude-code',
	label: 'Claude Code',
	shortLabel: 'Claude',
	parserVersion: 1,
	checked: [],
	hasGlobalKeys: true,
	roots: () => [],
	discover: () => [],
	read: () => [],
	resume,
});

const adapter = adapterWith(({id, cwd, resumeEnv}) => ({
	argv: ['claude', '--resume', id],
	cwd,
	env: resumeEnv,
	forkArgv: ['claude', '--resume', id, '--fork-session'],
}));

describe('the plan', () => {
	test('is what the agent says', () => {
		expect(planResume(sessionView({resumeEnv: {CLAUDE_CONFIG_DIR: '/x'}}), adapter)).toEqual({
			argv: ['claude', '--resume', id],
			cwd: '/w/api-server',
			env: {CLAUDE_CONFIG_DIR: '/x'},
			forkArgv: ['claude', '--resume', id, '--fork-session'],
		});
	});

	test('flags of the config and further arguments stand at the end, in sight', () => {
		expect(
			planResume(sessionView(), adapter, {flags: ['--verbose'], extraArgs: ['go on']}),
		).toMatchObject({argv: ['claude', '--resume', id, '--verbose', 'go on']});
	});

	test('acting without asking is added only when a person asks, once, in sight', () => {
		const bold = {...adapter, unattendedFlags: ['--yolo']};
		expect(planResume(sessionView(), bold)).toMatchObject({argv: ['claude', '--resume', id]});
		expect(
			planResume(sessionView(), bold, {isUnattended: true, extraArgs: ['go on']}),
		).toMatchObject({argv: ['claude', '--resume', id, '--yolo', 'go on']});
		expect(planResume(sessionView(), bold, {isUnattended: true, flags: ['--yolo']})).toMatchObject({
			argv: ['claude', '--resume', id, '--yolo'],
		});
		expect(planResume(sessionView(), adapter, {isUnattended: true})).toEqual({
			reason: 'No flag is known that lets Claude Code act without asking.',
		});
	});

	test('a fork uses the command for forks, and is refused where there is none', () => {
		expect(planResume(sessionView(), adapter, {fork: true, flags: ['-v']})).toMatchObject({
			argv: ['claude', '--resume', id, '--fork-session', '-v'],
		});
		const plain = adapterWith(({id}) => ({argv: ['x', id], cwd: null, env: {}}));
		expect(planResume(sessionView(), plain, {fork: true})).toEqual({
			reason: 'Claude Code cannot fork a session.',
		});
	});

	test('another directory goes to the agent and into the plan', () => {
		const workspace = adapterWith(({cwd}) => ({
			argv: ['x', '--workspace', cwd ?? ''],
			cwd: null,
			env: {},
		}));
		expect(planResume(sessionView(), workspace, {directory: '/w/other'})).toMatchObject({
			argv: ['x', '--workspace', '/w/other'],
			cwd: '/w/other',
		});
	});

	test('a missing directory, or one of another system, changes nothing here', () => {
		expect(planResume(sessionView({cwd: 'C:\\Users\\dev\\my app'}), adapter)).toMatchObject({
			argv: ['claude', '--resume', id],
			cwd: 'C:\\Users\\dev\\my app',
		});
	});
});

describe('reasons', () => {
	test('a deleted transcript has to be restored first', () => {
		const decision = planResume(sessionView({sourceState: 'deleted'}), adapter);
		expect(decision).toEqual({
			reason: expect.stringMatching(/Claude Code deleted .* `backscroll restore claude-code:5e6b/),
			hint: `backscroll restore claude-code:${id}`,
			remedy: 'restore',
		});
	});

	test('what an agent archived, its own command brings back, in the same root', () => {
		const codex = adapterWith(({archived, id}) =>
			archived
				? {reason: 'archived', first: ['codex', 'unarchive', id]}
				: {argv: ['codex'], cwd: null, env: {}},
		);
		const archived = sessionView({sourceState: 'archived', resumeEnv: {CODEX_HOME: '/x y'}});
		expect(planResume(archived, codex)).toEqual({
			reason: 'archived',
			hint: `CODEX_HOME='/x y' codex unarchive ${id}`,
			remedy: 'unarchive',
		});
		expect(planResume(sessionView({sourceState: 'archived'}), adapter)).toMatchObject({
			argv: ['claude', '--resume', id],
		});
	});

	test('a sub-agent leads to the session that started it', () => {
		const session = sessionView({
			kind: 'subagent',
			parent: {
				ref: 'claude-code:p',
				relation: 'subagent',
				certainty: 'exact',
				event: null,
				isKnown: true,
			},
		});
		expect(planResume(session, adapter)).toEqual({
			reason: expect.stringContaining('claude-code:p'),
			hint: 'backscroll resume claude-code:p',
			remedy: 'parent',
		});
	});

	test('an imported session, and one that its agent cannot resume, can be handed over', () => {
		expect(planResume(sessionView({kind: 'imported'}), adapter)).toMatchObject({
			remedy: 'hand-over',
		});
		const editor = adapterWith(() => ({reason: 'only in its editor'}));
		expect(planResume(sessionView(), editor)).toEqual({
			reason: 'only in its editor',
			remedy: 'hand-over',
		});
	});

	test('control characters are named without being printed', () => {
		const decision = planResume(sessionView({cwd: '/w/al\x1b[2Jpha'}), adapter);
		expect(decision).toEqual({
			reason: 'The name of the directory holds control characters: /w/alpha',
		});
		expect(
			planResume(sessionView({cwd: '/w/al\x1b[2Jpha'}), adapter, {directory: '/w'}),
		).toMatchObject({cwd: '/w'});
		expect(isRefusal(planResume(sessionView(), adapter, {extraArgs: ['a\0b']}))).toBe(true);
	});
});

describe('a new session with a first prompt', () => {
	const taker: Adapter = {
		...adapter,
		start: ({cwd, prompt, promptFile}) => ({argv: ['x', promptFile ?? prompt], cwd, env: {}}),
	};

	test('begins in the place of the old one', () => {
		expect(planStart(sessionView(), taker, {prompt: 'hello', flags: ['-v']})).toEqual({
			argv: ['x', 'hello', '-v'],
			cwd: '/w/api-server',
			env: {},
		});
		expect(
			planStart(sessionView(), taker, {prompt: 'hello', promptFile: '/d/f', directory: '/w'}),
		).toMatchObject({argv: ['x', '/d/f'], cwd: '/w'});
	});

	test('is refused by an agent that takes none, and for what a terminal would obey', () => {
		expect(planStart(sessionView(), adapter, {prompt: 'hello'})).toEqual({
			reason: 'Claude Code takes no first prompt from the command line.',
		});
		expect(isRefusal(planStart(sessionView(), taker, {prompt: 'a\x1b[2J'}))).toBe(true);
	});
});

describe('the command to copy', () => {
	const plan = {argv: ['claude', '--resume', id], cwd: '/w/api-server', env: {}};

	test('reads as a person would type it', () => {
		expect(shellCommand(plan)).toBe(`cd /w/api-server && claude --resume ${id}`);
		expect(shellCommand({...plan, cwd: null})).toBe(`claude --resume ${id}`);
		expect(shellCommand({...plan, cwd: "/w/my app's", env: {CODEX_HOME: '/x y'}})).toBe(
			`cd '/w/my app'\\''s' && CODEX_HOME='/x y' claude --resume ${id}`,
		);
	});

	test('is for the shell that the person has', () => {
		expect(['/usr/bin/fish', 'fish', '/bin/zsh', '/opt/catfish', undefined].map(shellOf)).toEqual([
			'fish',
			'fish',
			'sh',
			'sh',
			'sh',
		]);
	});

	test('in fish too', () => {
		expect(shellCommand({...plan, cwd: "/w/a\\b'c", env: {CODEX_HOME: '/x'}}, 'fish')).toBe(
			`cd '/w/a\\\\b\\'c' && env CODEX_HOME=/x claude --resume ${id}`,
		);
	});

	const isInstalled = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;
	// bash and sh are on every machine; what else there is, is asked too.
	const shells = ['sh', 'bash', ...['zsh', 'fish'].filter(isInstalled)];

	test.each(shells)('%s reads back every word and value as it was', shell => {
		const word = fc.string({
			unit: fc.constantFrom(
				'a',
				' ',
				"'",
				'"',
				';',
				'\n',
				'$',
				'`',
				'\\',
				'*',
				'~',
				'!',
				'#',
				'=',
				'-',
				'&',
				'é',
				'日',
				'(',
				'%',
			),
			maxLength: 8,
		});
		fc.assert(
			fc.property(fc.array(word, {minLength: 1, maxLength: 30}), word, (words, value) => {
				const script = shellCommand(
					{
						argv: ['sh', '-c', 'printf "%s\\0" "$PWD" "$VALUE" "$@"', 'x', ...words],
						cwd: '/tmp',
						env: {VALUE: value},
					},
					shellOf(shell),
				);
				const {stdout} = spawnSync(shell, ['-c', script], {encoding: 'utf8'});
				expect(stdout.split('\0').slice(0, -1)).toEqual(['/tmp', value, ...words]);
			}),
			{numRuns: 25},
		);
	});
});
