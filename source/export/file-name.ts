import type {SessionView} from '../../store/types.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import {isoDay} from '../transcript/time.js';

/** Fits every file system, with room for a number that somebody adds. */
const MAX_BYTES = 120;
const PROJECT_BYTES = 36;
const AGENT_BYTES = 24;
const ID_BYTES = 8;

const encoder = new TextEncoder();
const segmenter = new Intl.Segmenter();

const bytesOf = (text: string): number => encoder.encode(text).length;

/** Cut between characters as a person sees them, and without a dangling dash. */
const cutBytes = (text: string, max: number): string => {
	let kept = '';
	for (const {segment} of segmenter.segment(text.slice(0, max))) {
		if (bytesOf(kept) + bytesOf(segment) > max) break;
		kept += segment;
	}
	return kept.replace(/-+$/, '');
};

/** Letters and digits of every script; everything else becomes a dash. */
const slug = (text: string): string =>
	sanitizeLine(text.slice(0, 400))
		.normalize('NFC')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
		.replace(/^-+|-+$/g, '');

/** Beginning of the id as references take it: of a sub-agent that of its own id. */
const shortId = (id: string): string => cutBytes(slug(id.split('/').at(-1) ?? id), ID_BYTES);

/** `2026-11-01-claude-code-api-server-fix-token-refresh-5e6b8d69.md`: at most 120 bytes, safe on every file system. */
export const exportFileName = (session: SessionView, extension = 'md'): string => {
	const atMs = session.createdAtMs ?? session.updatedAtMs;
	const head = [
		atMs === null ? 'undated' : isoDay(atMs),
		cutBytes(slug(session.agent), AGENT_BYTES),
		cutBytes(slug(session.project ?? ''), PROJECT_BYTES),
	];
	const id = shortId(session.id);
	const taken = bytesOf([...head, id].join('-')) + bytesOf(extension) + 2;
	const title = cutBytes(slug(session.title), MAX_BYTES - taken);
	const name = [...head, title, id].filter(part => part !== '').join('-');
	return `${name}.${extension}`;
};
