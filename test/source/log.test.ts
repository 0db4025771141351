import {mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {openLog} from '../../source/log.js';

let folder = '';
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'backscroll-log-'));
});
afterEach(() => rmSync(folder, {recursive: true, force: true}));

describe('the log', () => {
	it('keeps message and stack in a file that nobody else reads', () => {
		const file = join(folder, 'log', 'backscroll.log');
		openLog(file).error({err: new Error('the reason')}, 'unexpected failure');
		const entry = JSON.parse(readFileSync(file, 'utf8'));
		expect(entry).toMatchObject({msg: 'unexpected failure', err: {message: 'the reason'}});
		expect(entry.err.stack).toContain('log.test');
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(statSync(join(folder, 'log')).mode & 0o777).toBe(0o700);
	});

	it('grows by what is said, and is set aside when it is large', () => {
		const file = join(folder, 'backscroll.log');
		openLog(file).error('first');
		openLog(file).error('second');
		expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(2);
		writeFileSync(file, 'x'.repeat(1_000_001));
		openLog(file).error('third');
		expect(readFileSync(file, 'utf8')).toContain('third');
		expect(statSync(`${file}.1`).size).toBe(1_000_001);
	});
});
