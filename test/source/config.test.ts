import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {defaultConfig, loadConfig, parseConfig} from '../../source/config.js';

const context = {home: '/home/ada', agents: ['claude-code', 'codex']};
const parse = (value: unknown) => parseConfig(JSON.stringify(value), context);

describe('settings', () => {
	it('takes what is right', () => {
		const {config, problems} = parse({
			roots: [{agent: 'codex', path: '~/laptop/.codex', label: 'laptop'}],
			hiddenAgents: ['claude-code'],
			enter: 'resume',
			flags: {codex: ['--search']},
			mirror: false,
			theme: 'high-contrast',
			reducedMotion: true,
			keys: {'list.open': ['enter']},
		});
		expect(problems).toEqual([]);
		expect(config).toEqual({
			roots: [{agent: 'codex', path: '/home/ada/laptop/.codex', label: 'laptop'}],
			hiddenAgents: ['claude-code'],
			enter: 'resume',
			flags: {codex: ['--search']},
			mirror: false,
			theme: 'high-contrast',
			reducedMotion: true,
			keys: {'list.open': ['enter']},
		});
	});

	it('names a wrong entry, ignores it alone and keeps its neighbours', () => {
		const {config, problems} = parse({
			roots: [
				{agent: 'codex', path: '/a'},
				{agent: 'codex', path: 'relative'},
				{agent: 'nobody', path: '/b'},
				'text',
			],
			hiddenAgents: ['codex', 'cdoex'],
			enter: 'fly',
			mirror: 'yes',
			theme: 'neon',
			flags: {codex: ['-x'], 'claude-code': 'x'},
			keys: [],
			colour: true,
		});
		expect(config).toEqual({
			...defaultConfig,
			roots: [{agent: 'codex', path: '/a'}],
			hiddenAgents: ['codex'],
			flags: {codex: ['-x']},
		});
		const named = [
			'roots[1].path',
			'roots[2].agent',
			'roots[3]',
			'hiddenAgents[1]',
			'enter',
			'mirror',
			'theme',
			'flags.claude-code',
			'keys',
			'colour',
		];
		expect(problems.map(problem => problem.split(' is ignored')[0]).sort()).toEqual(named.sort());
		expect(problems.join('\n')).toContain('no agent is called "cdoex"');
	});

	it.each(['', '{', '[]', 'null', '3'])('falls back to the defaults for %j', text => {
		expect(parseConfig(text, context)).toEqual({
			config: defaultConfig,
			problems: ['not a JSON object, defaults are used'],
		});
	});
});

describe('settings file', () => {
	let folder = '';
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'backscroll-config-'));
	});
	afterEach(() => rmSync(folder, {recursive: true, force: true}));

	it('absent is no problem', () => {
		expect(loadConfig(join(folder, 'config.json'), context)).toEqual({
			config: defaultConfig,
			problems: [],
		});
	});

	it('names the file that it complains of', () => {
		const file = join(folder, 'config.json');
		writeFileSync(file, '{"enter": 1}');
		expect(loadConfig(file, context).problems).toEqual([
			`${file}: enter is ignored: expected "read" or "resume"`,
		]);
	});

	it('that cannot be read is one problem', () => {
		const file = join(folder, 'config.json');
		mkdirSync(file);
		const {config, problems} = loadConfig(file, context);
		expect(config).toEqual(defaultConfig);
		expect(problems).toHaveLength(1);
		expect(problems[0]).toContain('cannot be read');
	});
});
