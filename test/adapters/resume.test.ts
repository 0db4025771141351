import {describe, expect, test} from 'vitest';
import {adapters} from '../../adapters/registry.js';
import type {Adapter, ResumeRequest} from '../../adapters/types.js';

const request = (part: Partial<ResumeRequest>): ResumeRequest => ({
	id: 'x',
	cwd: '/w/app',
	isSubagent: false,
	parentId: null,
	archived: false,
	location: '/w/store/file',
	resumeEnv: {},
	hint: {},
	...part,
});

/** None of them is a session id, for any agent; each would do harm as an option, in a shell, or as a path. */
const hostileIds = [
	'',
	'--dangerously-skip-permissions',
	'-p',
	'a; touch pwned',
	'$(touch pwned)',
	"it's",
	'a b',
	'../../etc/passwd',
	'a\nb',
	'\x1b[2J',
];

describe.each(adapters.map(adapter => [adapter.id, adapter] as const))('%s', (_, adapter) => {
	test('refuses what is no id of its own', () => {
		for (const id of hostileIds) {
			const plan = adapter.resume(request({id}));
			expect(plan, JSON.stringify(id)).toHaveProperty('reason');
		}
	});
});

const takers = adapters.filter(
	(adapter): adapter is Adapter & Required<Pick<Adapter, 'start'>> => adapter.start !== undefined,
);

describe.each(takers.map(adapter => [adapter.id, adapter] as const))('%s', (_, {start}) => {
	test('takes a first prompt as one word, or a file', () => {
		const prompt = 'first line\nsecond "line"';
		const byWord = start({cwd: '/w/app', prompt});
		expect(byWord).toMatchObject({cwd: '/w/app', env: {}});
		expect('argv' in byWord && byWord.argv.includes(prompt)).toBe(true);
		const byFile = start({cwd: '/w/app', prompt, promptFile: '/d/my data/record.md'});
		expect('argv' in byFile && byFile.argv.join(' ')).toContain('/d/my data/record.md');
		expect('argv' in byFile && byFile.argv.join(' ')).not.toContain('second');
	});
});

test('the agents that take a conversation over, as their own help spells it', () => {
	const commands = takers.map(({start}) => {
		const plan = start({cwd: null, prompt: 'P'});
		return 'argv' in plan ? plan.argv.join(' ') : plan.reason;
	});
	expect(commands).toEqual(['claude P', 'codex P', 'gemini -i P', 'opencode --prompt P']);
});
