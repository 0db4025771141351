import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {
	chordOf,
	createDecoder,
	type KeyEvent,
	type Timers,
} from '../../../source/terminal/input.js';

/** Timers that fire when told to. */
function handTimers() {
	let waiting: {readonly callback: () => void; readonly ms: number} | undefined;
	const timers: Timers = {
		set: (callback, ms) => {
			waiting = {callback, ms};
			return waiting;
		},
		clear: handle => {
			if (handle === waiting) waiting = undefined;
		},
	};
	return {
		timers,
		waitMs: () => waiting?.ms,
		fire: () => {
			const {callback} = waiting ?? expect.fail('nothing waits');
			waiting = undefined;
			callback();
		},
	};
}

function eventsOf(chunks: readonly (string | Uint8Array)[]): readonly KeyEvent[] {
	const events: KeyEvent[] = [];
	const decoder = createDecoder(event => events.push(event), handTimers().timers);
	for (const chunk of chunks) decoder.write(chunk);
	decoder.end();
	return events;
}

const shownAs = (event: KeyEvent) => (event.kind === 'paste' ? `«${event.text}»` : chordOf(event));
const read = (...chunks: (string | Uint8Array)[]) => eventsOf(chunks).map(shownAs).join(' ');

describe('keys', () => {
	it.each([
		['letters as typed', 'aG?é日', 'a G ? é 日'],
		['emoji', '😀x', '😀 x'],
		['space, enter, tab', ' \r\t', 'space enter tab'],
		['both kinds of backspace, and delete', '\x7f\b\x1b[3~', 'backspace backspace delete'],
		[
			'control bytes',
			'\x01\x12\n\x1a\0\x1f\x1c',
			'ctrl+a ctrl+r ctrl+j ctrl+z ctrl+space ctrl+_ ctrl+\\',
		],
		['arrows of both modes', '\x1b[A\x1b[B\x1bOC\x1bOD', 'up down right left'],
		[
			'home and end of all kinds',
			'\x1b[H\x1b[F\x1bOH\x1bOF\x1b[1~\x1b[4~\x1b[7~\x1b[8~',
			'home end home end home end home end',
		],
		['paging', '\x1b[5~\x1b[6~\x1b[2~', 'pageup pagedown insert'],
		['function keys', '\x1bOP\x1b[11~\x1b[[A\x1b[15~\x1b[24~', 'f1 f1 f1 f5 f12'],
		[
			'modifiers',
			'\x1b[1;5C\x1b[1;2A\x1b[1;3B\x1b[1;6D\x1b[3;5~',
			'ctrl+right shift+up alt+down ctrl+shift+left ctrl+delete',
		],
		['Ctrl with a function key', '\x1b[1;5P\x1b[15;5~', 'ctrl+f1 ctrl+f5'],
		[
			'rxvt',
			'\x1b[a\x1bOa\x1b[3$\x1b[3^\x1b[3@',
			'shift+up ctrl+up shift+delete ctrl+delete ctrl+shift+delete',
		],
		['Shift-Tab', '\x1b[Z', 'shift+tab'],
		[
			'Alt',
			'\x1bx\x1bG\x1bé\x1b\x7f\x1b\r\x1b\x01\x1b ',
			'alt+x alt+G alt+é alt+backspace alt+enter ctrl+alt+a alt+space',
		],
		[
			'kitty',
			'\x1b[27u\x1b[13;2u\x1b[114;5u\x1b[97;2u\x1b[97:65;2u\x1b[32u\x1b[233u',
			'escape shift+enter ctrl+r A A space é',
		],
		['kitty, modifiers and locks', '\x1b[114;6u\x1b[97;65u\x1b[57419u', 'ctrl+shift+r a up'],
		[
			'modifyOtherKeys',
			'\x1b[27;5;13~\x1b[27;5;105~\x1b[27;2;82~\x1b[27;6;82~',
			'ctrl+enter ctrl+i R ctrl+shift+r',
		],
		['several Escapes', '\x1b\x1b\x1b[A', 'escape escape up'],
		['a burst', 'jj\x1b[Bk', 'j j down k'],
	])('%s', (_, bytes, keys) => {
		expect(read(bytes)).toBe(keys);
		expect(read(Buffer.from(bytes))).toBe(keys);
	});

	it.each([
		['mouse reports', '\x1b[<0;10;5M\x1b[<0;10;5m\x1b[M !!\x1b[32;10;5M'],
		['focus reports', '\x1b[I\x1b[O'],
		[
			'answers of the terminal',
			'\x1b[?62;4c\x1b[?2026;2$y\x1b[?1u\x1b]11;rgb:0/0/0\x1b\\\x1b]10;x\x07\x1bP>|xterm\x1b\\\x1b_Gi=1;OK\x1b\\',
		],
		['unknown keys', '\x1b[99~\x1b[1;5y\x1b[57358u\x1b[E'],
		['keys that are let go, and those of the desktop', '\x1b[97;1:3u\x1b[97;9u\x1b[1;1:3A'],
		['what no key writes', '\x9b\u202e\u2028\ufffd\ud83d'],
		['broken sequences', '\x1b[1;\x1b[;;;~\x1b[999999999999u\x1b[27;5;~'],
	])('ignores %s', (_, bytes) => {
		expect(read(`a${bytes}b`)).toBe('a b');
	});

	it('says what a text field inserts', () => {
		const texts = eventsOf(['aG é日\x1bx\x12\r\x1b[A\x1b[97;2u']).map(event => event.text);
		expect(texts.join('|')).toBe('a|G| |é|日|||||A');
	});

	it('goes on after a sequence that was interrupted', () => {
		expect(read('\x1b[1;\x03x')).toBe('ctrl+c x');
	});
});

describe('a lone Escape', () => {
	it('is a key when nothing follows for a moment', () => {
		const hand = handTimers();
		const events: KeyEvent[] = [];
		const decoder = createDecoder(event => events.push(event), hand.timers);
		decoder.write('\x1b');
		expect(events).toEqual([]);
		expect(hand.waitMs()).toBeGreaterThanOrEqual(30);
		expect(hand.waitMs()).toBeLessThanOrEqual(50);
		hand.fire();
		decoder.write('[A');
		expect(events.map(shownAs)).toEqual(['escape', '[', 'A']);
		expect(hand.waitMs()).toBeUndefined();
	});

	it('is the beginning of what follows in time', () => {
		const hand = handTimers();
		const events: KeyEvent[] = [];
		const decoder = createDecoder(event => events.push(event), hand.timers);
		for (const chunk of ['\x1b', '[', '1;', '5', 'C']) decoder.write(chunk);
		expect(events.map(shownAs)).toEqual(['ctrl+right']);
		expect(hand.waitMs()).toBeUndefined();
	});

	it('with a bracket is Alt; a longer sequence that stops is dropped', () => {
		const hand = handTimers();
		const events: KeyEvent[] = [];
		const decoder = createDecoder(event => events.push(event), hand.timers);
		decoder.write('\x1b[');
		hand.fire();
		decoder.write('\x1b[1;5');
		hand.fire();
		decoder.write('C');
		expect(events.map(shownAs)).toEqual(['alt+[', 'C']);
	});
});

describe('a paste', () => {
	it('is one event, with whatever it holds', () => {
		expect(read('a\x1b[200~one\r\ntwo\rthree\n\x1b[201~b')).toBe('a «one\ntwo\nthree\n» b');
		expect(read('\x1b[200~\x1b[31mred\x1b[0m \x1b[A \x03\x1b[201~')).toBe('«red  »');
		expect(read('\x1b[200~\x1b[201~')).toBe('«»');
	});

	it('comes in pieces, its end mark as well', () => {
		expect(read('\x1b[20', '0~on', 'e\x1b[2', '01', '~x')).toBe('«one» x');
	});

	it('is cut at one MiB, and the keys behind it are none of it', () => {
		const [paste, key] = eventsOf([
			'\x1b[200~',
			...Array(40).fill('x'.repeat(40_000)),
			'\x1b[201~k',
		]);
		expect(paste?.text.length).toBe(1_048_576);
		expect(key).toMatchObject({name: 'k'});
	});

	it('whose end got lost does not swallow the keyboard', () => {
		const hand = handTimers();
		const events: KeyEvent[] = [];
		const decoder = createDecoder(event => events.push(event), hand.timers);
		decoder.write('\x1b[200~text');
		hand.fire();
		decoder.write('q');
		expect(events.map(shownAs)).toEqual(['«text»', 'q']);
	});
});

describe('any chunking gives the same events', () => {
	const pieces = fc.oneof(
		fc.constantFrom(
			'\x1b',
			'\x1b[',
			'\x1bO',
			'\x1b[A',
			'\x1b[1;5C',
			'\x1b[3~',
			'\x1b[3$',
			'\x1b[M',
			'\x1b[<0;1;1M',
			'\x1b[[A',
			'\x1b[200~',
			'\x1b[201~',
			'\x1b]11;rgb',
			'\x07',
			'\x1b\\',
			'\x1bP>',
			'\x1b_G',
			'\x1b[97:65;2:3u',
			'\x1b[27;5;13~',
			'\r\n',
			'\t',
			'\x7f',
			'\0',
			'😀',
			'é',
			'日',
			'[',
			'O',
			';',
			'5',
			'$',
			'~',
			'u',
			'a',
			'👨‍👩‍👧',
		),
		fc.string({unit: 'binary', maxLength: 3}),
	);
	const input = fc.array(pieces, {maxLength: 25}).map(parts => parts.join(''));
	const cuts = fc.array(fc.nat(1000), {maxLength: 12});

	const chunked = <T extends string | Uint8Array>(whole: T, at: readonly number[]) => {
		const ends = [...at.map(cut => cut % (whole.length + 1)).sort((a, b) => a - b), whole.length];
		return ends.map((end, index) => whole.slice(ends[index - 1] ?? 0, end) as T);
	};

	it('as text', () => {
		fc.assert(
			fc.property(input, cuts, (text, at) => {
				expect(eventsOf(chunked(text, at))).toEqual(eventsOf([text]));
			}),
			{numRuns: 2000},
		);
	});

	it('as bytes, even those that are no UTF-8', () => {
		const bytes = fc.oneof(
			input.map(text => new Uint8Array(Buffer.from(text))),
			fc.uint8Array({maxLength: 40}),
		);
		fc.assert(
			fc.property(bytes, cuts, (whole, at) => {
				expect(eventsOf(chunked(whole, at))).toEqual(eventsOf([whole]));
			}),
			{numRuns: 2000},
		);
	});
});
