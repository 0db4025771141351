import {describe, expect, it} from 'vitest';
import {screenProblem, sizeOf} from '../../../source/terminal/screen.js';

const tty = {isTTY: true, columns: 80, rows: 24};

describe('screenProblem', () => {
	it.each([
		['nothing', tty, tty, 'xterm', undefined],
		['an unknown size', tty, {isTTY: true, columns: 0, rows: 0}, 'xterm', undefined],
		['a pipe for stdin', {}, tty, 'xterm', /no terminal/],
		['a pipe for stdout', tty, {}, 'xterm', /no terminal/],
		['a dumb terminal', tty, tty, 'dumb', /TERM=dumb/],
		['a tiny one', tty, {isTTY: true, columns: 12, rows: 3}, 'xterm', /too small: 12×3/],
	])('%s', (_, stdin, stdout, term, expected) => {
		const problem = screenProblem(stdin, stdout, term);
		if (expected) expect(problem).toMatch(expected);
		else expect(problem).toBeUndefined();
		expect(problem ?? '').not.toContain('\n');
	});
});

describe('sizeOf', () => {
	it('falls back to 80×24', () => {
		expect(sizeOf({columns: 0})).toEqual({columns: 80, rows: 24});
		expect(sizeOf({columns: 40, rows: 10})).toEqual({columns: 40, rows: 10});
	});
});
