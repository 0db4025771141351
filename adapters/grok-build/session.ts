/** What lies beside a transcript: the summary, the task of a sub-agent, the directory. */

import {readFileSync} from 'node:fs';
import {basename, dirname} from 'node:path';
import type {Problem, SessionFacts} from '../model.js';
import {compact} from '../shared/compact.js';
import {errorText} from '../shared/errors.js';
import {readJsonFile} from '../shared/json-file.js';
import {at, recordOf, textOf} from '../shared/narrow.js';
import {timeMs} from '../shared/time.js';
import type {Source} from '../types.js';
import type {Place} from './discover.js';

const SIDECAR_BYTES = 16 * 1024 * 1024;

export interface Session {
	readonly id: string;
	readonly isSubagent: boolean;
	/** The whole session was run by a script. */
	readonly isHeadless: boolean;
	/** What the summary's files say; the transcript fills in what is missing. */
	readonly facts: SessionFacts;
	readonly problems: readonly Problem[];
}

interface Sidecars {
	read(name: string): Record<string, unknown>;
	readonly problems: readonly Problem[];
}

const sidecarsOf = (source: Source): Sidecars => {
	const problems: Problem[] = [];
	return {
		problems,
		read(name) {
			const path = source.files.find(file => basename(file.path) === name)?.path;
			const document = path === undefined ? undefined : readJsonFile(path, SIDECAR_BYTES);
			if (document?.problem !== undefined) problems.push(document.problem);
			return recordOf(document?.value);
		},
	};
};

const isPath = (text: string): boolean => text.startsWith('/') || /^[A-Za-z]:/.test(text);

/** The folder is named for the directory, percent-encoded; a name that would be too long is a hash, and `.cwd` holds the path. */
const directoryOf = (source: Source): {readonly cwd?: string; readonly problem?: Problem} => {
	const name = basename(dirname(dirname(source.path)));
	try {
		const decoded = decodeURIComponent(name);
		if (isPath(decoded)) return {cwd: decoded};
	} catch {
		// not an encoded path: a name with a hash
	}
	const path = source.files.find(file => basename(file.path) === '.cwd')?.path;
	if (path === undefined) return {};
	try {
		const text = readFileSync(path, 'utf8').trim();
		return isPath(text) ? {cwd: text} : {};
	} catch (error) {
		return {problem: {code: 'unreadable', where: path, detail: errorText(error)}};
	}
};

const titles = (summary: Record<string, unknown>): SessionFacts => {
	const stated = textOf(summary['generated_title']);
	const isManual = summary['title_is_manual'] === true;
	return compact({
		customTitle: isManual ? stated : undefined,
		generatedTitle: (isManual ? undefined : stated) ?? textOf(summary['session_summary']),
	});
};

const parentOf = (
	summary: Record<string, unknown>,
	task: Record<string, unknown>,
	place: Place,
): SessionFacts['parent'] => {
	const ofTask = textOf(task['parent_session_id']) ?? place.parentId;
	const certainty = 'exact' as const;
	if (ofTask !== undefined) return {id: ofTask, relation: 'subagent', certainty};
	const id = textOf(summary['parent_session_id']);
	if (id === undefined) return undefined;
	return {id, relation: summary['session_kind'] === 'subagent' ? 'subagent' : 'fork', certainty};
};

export const readSession = (source: Source): Session => {
	const place = recordOf(source.extra) as Place;
	const sidecars = sidecarsOf(source);
	const summary = sidecars.read('summary.json');
	const task = place.meta === undefined ? {} : sidecars.read(basename(place.meta));
	const context = sidecars.read('prompt_context.json');
	const {cwd, problem} = directoryOf(source);
	const isSubagent = place.meta !== undefined || summary['session_kind'] === 'subagent';
	return {
		// The folder's name, which the summary repeats.
		id: source.sessionId ?? '',
		isSubagent,
		isHeadless: context['is_non_interactive'] === true,
		problems: problem === undefined ? sidecars.problems : [...sidecars.problems, problem],
		facts: compact({
			...titles(summary),
			description: textOf(task['description']),
			cwd: textOf(at(summary, 'info', 'cwd')) ?? cwd,
			checkout: textOf(summary['git_root_dir']),
			branch: textOf(summary['head_branch']),
			model: textOf(summary['current_model_id']) ?? textOf(task['effective_model_id']),
			isSubagent: isSubagent ? true : undefined,
			parent: parentOf(summary, task, place),
			createdAtMs: timeMs(summary['created_at']),
			updatedAtMs: timeMs(summary['last_active_at']) ?? timeMs(summary['updated_at']),
		}),
	};
};
