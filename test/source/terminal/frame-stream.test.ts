import type {WriteStream} from 'node:tty';
import {expect, test} from 'vitest';
import {frameStream} from '../../../source/terminal/frame-stream.js';

const through = (chunk: string, isOurs = true): string => {
	let written = '';
	const stdout = {
		write: (text: string) => {
			written += text;
			return true;
		},
	} as unknown as WriteStream;
	frameStream(stdout, () => isOurs).write(chunk);
	return written;
};

test('an update begins in the first row, wherever Ink believes the frame to be', () => {
	expect(through('\x1b[27Aab')).toBe('\x1b[Hab');
});

test('nothing is drawn on the screen of the shell', () => {
	expect(through('\x1b[27Aab', false)).toBe('');
});

test('a row is erased before it is written, so that a full one keeps its last character', () => {
	expect(through('\x1b[1Gone\x1b[K\n\x1b[1G\x1b[1mtwo\x1b[22m\x1b[K\n')).toBe(
		'\x1b[1G\x1b[Kone\n\x1b[1G\x1b[K\x1b[1mtwo\x1b[22m\n',
	);
});
