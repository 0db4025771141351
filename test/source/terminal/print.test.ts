import {spawnSync} from 'node:child_process';
import {afterAll, describe, expect, it} from 'vitest';
import {buildProgram} from '../../e2e/build.js';
import {createHome} from '../../helpers/home.js';

const home = createHome([]);
const command = buildProgram('print-program.ts', home.path).join(' ');
const run = (script: string) =>
	spawnSync('sh', ['-c', script], {env: home.env, encoding: 'utf8', maxBuffer: 2 ** 26});

afterAll(home.remove);

describe('printOut', () => {
	it('loses nothing in a slow pipe, even when the process exits at once', () => {
		const {stdout} = run(`${command} | (sleep 0.2; wc -c)`);
		expect(stdout.trim()).toBe('3000000');
	});

	it('takes a closed pipe as the end, not as an error', () => {
		const {stdout, stderr} = run(`(${command}; echo "code $?" >&2) | head -c 3`);
		expect(stdout).toBe('xxx');
		expect(stderr).toBe('printed: false\ncode 0\n');
	});
});
