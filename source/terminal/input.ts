import {StringDecoder} from 'node:string_decoder';
import {isIncomplete, readKey} from './key-sequences.js';
import {sanitizeForFile} from './sanitize.js';

export interface KeyPress {
	readonly kind: 'key';
	/**
	 * What was typed (`a`, `G`, `é`), or `enter tab backspace delete escape space up down left right home end pageup pagedown insert
	 * f1 … f12`.
	 */
	readonly name: string;
	/** What a text field inserts; empty for keys that write nothing. */
	readonly text: string;
	readonly ctrl: boolean;
	readonly alt: boolean;
	/** Only where the name does not show it: `G` has none, Shift with Tab has. */
	readonly shift: boolean;
}

export interface Paste {
	readonly kind: 'paste';
	/** Sanitised; lines end in a newline. */
	readonly text: string;
}

export type KeyEvent = KeyPress | Paste;

/** Injected in tests, so that the wait after a lone Escape takes no time. */
export interface Timers {
	readonly set: (callback: () => void, ms: number) => unknown;
	readonly clear: (handle: unknown) => void;
}

export interface Decoder {
	readonly write: (chunk: string | Uint8Array) => void;
	/** Gives out what is still waiting: a lone Escape, an unfinished paste. */
	readonly end: () => void;
}

const pasteEnd = '\x1b[201~';
const pasteLimit = 1_048_576;

/** Escape is a key, and the first byte of most others: the rest follows at once, or not at all. */
const escapeWaitMs = 40;
/** A longer sequence that stops in the middle; a slow line may need this long for the rest. */
const sequenceWaitMs = 500;
/** A paste whose end got lost must not swallow every key that follows. */
const pasteWaitMs = 5000;

const realTimers: Timers = {
	set: setTimeout,
	clear: handle => clearTimeout(handle as NodeJS.Timeout),
};

/**
 * Bytes of the terminal to keys, however they are cut into chunks. What it does not know is ignored: mouse and focus reports,
 * answers of the terminal, broken sequences.
 */
export function createDecoder(
	emit: (event: KeyEvent) => void,
	timers: Timers = realTimers,
): Decoder {
	const bytes = new StringDecoder('utf8');
	let pending = '';
	let paste: string | undefined;
	let timer: unknown;

	/** Moves pasted text out of `pending`, except a tail that may be the beginning of the end mark. */
	const takePaste = (before: string, isFinal: boolean) => {
		const mark = pending.indexOf(pasteEnd);
		const textEnd = mark === -1 ? pending.length - (isFinal ? 0 : startedMark(pending)) : mark;
		paste = (before + pending.slice(0, textEnd)).slice(0, pasteLimit);
		pending = pending.slice(mark === -1 ? textEnd : mark + pasteEnd.length);
		if (mark === -1 && !isFinal) return;
		emit({kind: 'paste', text: sanitizeForFile(paste)});
		paste = undefined;
	};

	const takeKeys = (isFinal: boolean) => {
		let at = 0;
		while (at < pending.length && paste === undefined) {
			if (!isFinal && isIncomplete(pending, at)) break;
			const {meaning, end} = readKey(pending, at);
			at = end;
			if (meaning === 'paste') paste = '';
			else if (meaning) emit(meaning);
		}
		pending = pending.slice(at);
	};

	const take = (isFinal: boolean) => {
		timers.clear(timer);
		do {
			if (paste !== undefined) takePaste(paste, isFinal);
			if (paste === undefined) takeKeys(isFinal);
		} while (paste !== undefined && (isFinal || pending.includes(pasteEnd)));
		const waitMs = paste === undefined ? keyWaitMs(pending) : pasteWaitMs;
		if (waitMs > 0) timer = timers.set(() => take(true), waitMs);
	};

	return {
		write(chunk) {
			pending += typeof chunk === 'string' ? chunk : bytes.write(Buffer.from(chunk));
			take(false);
		},
		end() {
			pending += bytes.end();
			take(true);
		},
	};
}

/** `ctrl+r`, `shift+tab`, `alt+x`, `G`, `enter`, `space`; a paste has none. */
export function chordOf(event: KeyEvent): string {
	if (event.kind === 'paste') return '';
	const {ctrl, alt, shift, name} = event;
	return `${ctrl ? 'ctrl+' : ''}${alt ? 'alt+' : ''}${shift ? 'shift+' : ''}${name}`;
}

function keyWaitMs(pending: string): number {
	if (pending === '') return 0;
	return pending.length > 2 ? sequenceWaitMs : escapeWaitMs;
}

/** Length of the longest end of the text that is a beginning of the mark. */
function startedMark(text: string): number {
	for (let length = Math.min(pasteEnd.length - 1, text.length); length > 0; length--)
		if (text.endsWith(pasteEnd.slice(0, length))) return length;
	return 0;
}
