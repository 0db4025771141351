/** The chat as a document, from either form that it is kept in. */

import {basename} from 'node:path';
import type {Locator, Problem} from '../model.js';
import {jsonText, oneLine} from '../shared/content.js';
import {readJsonFile} from '../shared/json-file.js';
import {readJsonLines} from '../shared/jsonl.js';
import {at, isRecord} from '../shared/narrow.js';
import {SourceUnreadable} from '../types.js';
import {createMutationLog} from './mutation-log.js';

/** A log that was compacted is one line, with all images in it. */
const LINE_BYTES = 64 * 1024 * 1024;

export interface Chat {
	readonly session: Record<string, unknown>;
	readonly problems: readonly Problem[];
}

const fold = (path: string): {readonly state: unknown; readonly problems: readonly Problem[]} => {
	const log = createMutationLog();
	const problems: Problem[] = [];
	const start = {offset: 0, lineNumber: 0};
	for (const line of readJsonLines(path, start, {limitBytes: LINE_BYTES})) {
		if (line.problem !== undefined) problems.push(line.problem);
		else if (!log.apply(line.record)) {
			const detail = `no change of the chat: ${oneLine(jsonText(line.record), 200)}`;
			problems.push({code: 'bad-record', where: `line ${line.number}`, detail});
		}
	}
	return {state: log.state(), problems};
};

/**
 * Undefined for an empty file.
 *
 * @throws SourceUnreadable for a document that is damaged or half written: what was read before stays.
 */
export const loadChat = (path: string): Chat | undefined => {
	if (path.endsWith('.jsonl')) {
		const {state, problems} = fold(path);
		if (isRecord(state)) return {session: state, problems};
		const [first] = problems;
		if (first === undefined) return undefined;
		throw new SourceUnreadable(first.code, first.detail);
	}
	const document = readJsonFile(path);
	if (document === undefined) throw new SourceUnreadable('unreadable', `${basename(path)} is gone`);
	if (document.problem !== undefined) {
		throw new SourceUnreadable(document.problem.code, document.problem.detail);
	}
	if (isRecord(document.value)) return {session: document.value, problems: []};
	throw new SourceUnreadable('bad-record', `${basename(path)} holds no chat`);
};

const steps = (pointer: string): readonly string[] => pointer.split('/').slice(1);

/** The part of a chat that an event was made of, as the log leaves it. Undefined for other locators. */
export const rawInLog = (locator: Locator): string | undefined => {
	if (!('pointer' in locator) || !locator.path.endsWith('.jsonl')) return undefined;
	try {
		const part = at(fold(locator.path).state, ...steps(locator.pointer));
		return part === undefined ? undefined : jsonText(part);
	} catch (error) {
		if (error instanceof SourceUnreadable) return undefined;
		throw error;
	}
};
