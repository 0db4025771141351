/** What lies beside the log: the manifest, the token counts. */

import {basename} from 'node:path';
import type {Problem, SessionFacts} from '../model.js';
import {compact} from '../shared/compact.js';
import {readJsonFile} from '../shared/json-file.js';
import {at, isRecord, numberOf, recordOf, textOf} from '../shared/narrow.js';
import {timeMs} from '../shared/time.js';
import {type Source, SourceUnreadable} from '../types.js';

const MANIFEST_BYTES = 32 * 1024 * 1024;
const NEWEST_SCHEMA = 4;

export interface Session {
	readonly id: string;
	readonly manifest: Record<string, unknown>;
	readonly isSubagent: boolean;
	readonly usage: Record<string, unknown>;
	readonly problems: readonly Problem[];
}

export const pathOf = (source: Source, name: string): string | undefined =>
	source.files.find(({path}) => basename(path) === name)?.path;

/** @throws SourceUnreadable for a schema that is newer than known */
export const readSession = (source: Source): Session => {
	const problems: Problem[] = [];
	const document = (name: string): Record<string, unknown> => {
		const path = pathOf(source, name);
		const {value, problem} =
			(path === undefined ? undefined : readJsonFile(path, MANIFEST_BYTES)) ?? {};
		if (problem !== undefined) problems.push(problem);
		return recordOf(value);
	};
	const manifest = document('session.json');
	const schema = numberOf(manifest['schema_version']);
	// Version 3 has its own files beside the manifest, which only repeats them.
	const isMissing = schema === 3 && pathOf(source, 'authority.json') === undefined;
	if ((schema !== undefined && schema > NEWEST_SCHEMA) || isMissing) {
		throw new SourceUnreadable('unsupported-schema', `session.json of schema ${schema}`);
	}
	return {
		id: source.sessionId ?? '',
		manifest,
		isSubagent: manifest['subagent_child'] === true,
		usage: document('usage-v2.json'),
		problems,
	};
};

/** The model stands in the record itself or among its preferences. */
export const modelOf = (record: Record<string, unknown>): string | undefined =>
	textOf(record['model']) ?? textOf(at(record, 'preferences', 'model'));

const normalise = (text: string): string => text.slice(0, 1000).replaceAll(/\s+/g, ' ').trim();

/** Without a name of its own a session is called by the first 60 characters of its first prompt. */
const repeatsPrompt = (title: string, prompt: string | null): boolean =>
	prompt !== null &&
	normalise(prompt).startsWith(normalise(title.trim().replace(/(?:…|\.\.\.)$/, '')));

/** Facts of a record that says where and with what a session works. */
export const placeFacts = (record: Record<string, unknown>): SessionFacts => {
	const cwd = textOf(record['workspace_root']);
	const origin = textOf(record['origin_workspace_root']);
	return compact({
		cwd,
		directories: origin === undefined || origin === cwd ? undefined : [origin],
		model: modelOf(record),
		createdAtMs: timeMs(record['created_at_ms']),
		updatedAtMs: timeMs(record['updated_at_ms']),
	});
};

/** The title, by what it is: a task, a name, or (left out) the prompt once more. */
export const titleFacts = (
	{manifest, isSubagent}: Session,
	firstPrompt: string | null,
): SessionFacts => {
	const title = textOf(manifest['title']);
	if (title === undefined) return {};
	if (isSubagent) return {description: title};
	return {customTitle: repeatsPrompt(title, firstPrompt) ? null : title};
};

const count = (value: unknown): number => {
	const stated = numberOf(value) ?? 0;
	return Number.isSafeInteger(stated) ? Math.max(0, stated) : 0;
};

/** Totals of the whole session, never to be added up. */
export const totalFacts = (usage: Record<string, unknown>): SessionFacts => {
	const stated = isRecord(usage['usage']) ? usage['usage'] : usage;
	const [input, output] = [
		stated['input_tokens'] ?? stated['total_input_tokens'],
		stated['output_tokens'] ?? stated['total_output_tokens'],
	];
	if (numberOf(input) === undefined && numberOf(output) === undefined) return {};
	return compact({
		tokens: {
			input: count(input),
			output: count(output),
			cacheRead: count(stated['cache_read_tokens']),
			cacheWrite: count(stated['cache_write_tokens']),
		},
		costUsd: numberOf(stated['total_cost']),
	});
};
