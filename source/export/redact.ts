/** Masks what has the shape of a secret, and says what and how much that was. */
import {MASK, secretPatterns} from './secrets.js';

/** A PEM block longer than this has lost its end. */
const PEM_MAX_CHARS = 65_536;

/** A stretch of a text, and what stands there instead. */
interface Place {
	readonly kind: string;
	readonly start: number;
	readonly end: number;
	readonly shown: string;
	/** Its end is marked: nothing that overlaps makes it longer. */
	readonly isBlock?: true;
}

const pemBegin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

/** End of the lines of base64 that follow, where a block was cut off. Newlines may be escaped, lines may be quoted. */
const bodyEnd = (text: string, from: number): number => {
	const line = /(?:\r?\n|(?:\\r)?\\n)[\t >+|]{0,8}[A-Za-z0-9+/=]{8,4096}(?![^\s\\])/y;
	let end = from;
	line.lastIndex = from;
	while (line.test(text)) end = line.lastIndex;
	return end;
};

/** PEM blocks, by hand: a pattern that looks for the end from each beginning would be quadratic. */
const pemPlaces = (text: string): readonly Place[] => {
	const places: Place[] = [];
	let done = 0;
	let nextEnd = -1;
	for (const match of text.matchAll(pemBegin)) {
		const start = match.index + match[0].length;
		if (match.index < done) continue;
		if (nextEnd < start && nextEnd !== Infinity) {
			const end = text.indexOf('-----END ', start);
			nextEnd = end === -1 ? Infinity : end;
		}
		const end = nextEnd - start <= PEM_MAX_CHARS ? nextEnd : bodyEnd(text, start);
		const body = text.slice(start, end).trim();
		if (body === '' || body === MASK) continue;
		places.push({kind: 'private key', start, end, shown: `\n${MASK}\n`, isBlock: true});
		done = end;
	}
	return places;
};

const patternPlaces = (text: string): readonly Place[] => {
	const places: Place[] = [];
	for (const {kind, find, isToken, isSecret} of secretPatterns)
		for (const match of text.matchAll(find)) {
			const [, kept = '', found = ''] = match;
			if (isSecret && !isSecret(found, kept)) continue;
			// A dot that ends a sentence is no part of a token.
			const secret = isToken ? found.replace(/\.{1,3}$/, '') : found;
			const end = match.index + kept.length + secret.length;
			places.push(
				isToken
					? {kind, start: match.index, end, shown: `${kept}…${MASK}`}
					: {kind, start: end - secret.length, end, shown: MASK},
			);
		}
	return places;
};

/** In order and apart: of those that overlap the first one stands for all. */
const placesIn = (text: string): readonly Place[] => {
	const all = [...pemPlaces(text), ...patternPlaces(text)];
	if (all.length < 2) return all;
	const apart: Place[] = [];
	for (const place of all.toSorted((a, b) => a.start - b.start)) {
		const last = apart.at(-1);
		if (!last || place.start >= last.end) apart.push(place);
		else if (place.end > last.end && !last.isBlock)
			apart[apart.length - 1] = {...last, end: place.end};
	}
	return apart;
};

/** A masked place, as the masked text shows it. */
interface MaskedPlace extends Place {
	/** Position in the masked text. */
	readonly at: number;
}

const maskText = (
	text: string,
): {readonly text: string; readonly places: readonly MaskedPlace[]} => {
	const places: MaskedPlace[] = [];
	let masked = '';
	let done = 0;
	for (const place of placesIn(text)) {
		masked += text.slice(done, place.start);
		places.push({...place, at: masked.length});
		masked += place.shown;
		done = place.end;
	}
	return {text: masked + text.slice(done), places};
};

/** The text with its secrets masked, and how many places that were. */
export const redact = (text: string): {readonly text: string; readonly count: number} => {
	const {text: masked, places} = maskText(text);
	return {text: masked, count: places.length};
};

/** A secret that was masked, for a person to judge. */
export interface MaskedSecret {
	readonly kind: string;
	/** What stands around its first place, masked as it is. */
	readonly context: string;
	readonly places: number;
}

const CONTEXT_CHARS = 40;

/** The line around a place. Cut out of the masked text: what is half inside of it is masked as well. */
const contextOf = (masked: string, {at, shown}: MaskedPlace): string => {
	const before = masked.slice(Math.max(0, at - CONTEXT_CHARS), at).replace(/^[\uDC00-\uDFFF]/, '');
	const end = at + shown.length;
	const behind = masked.slice(end, end + CONTEXT_CHARS).replace(/[\uD800-\uDBFF]$/, '');
	return (before.split('\n').at(-1) ?? '') + shown.trim() + (behind.split('\n')[0] ?? '');
};

export interface Redactor {
	mask(text: string): string;
	/** Different secrets so far: one that stands in five places counts once. */
	count(): number;
	/** The same, one by one. */
	found(): readonly MaskedSecret[];
}

/** Masks many texts of one export and counts over all of them. */
export const createRedactor = (): Redactor => {
	const secrets = new Map<string, MaskedSecret>();
	return {
		mask(text) {
			const {text: masked, places} = maskText(text);
			for (const place of places) {
				const secret = text.slice(place.start, place.end);
				const known = secrets.get(secret);
				secrets.set(
					secret,
					known
						? {...known, places: known.places + 1}
						: {kind: place.kind, context: contextOf(masked, place), places: 1},
				);
			}
			return masked;
		},
		count: () => secrets.size,
		found: () => [...secrets.values()],
	};
};
