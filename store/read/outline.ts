/** The prompts of a session with what came of each. */
import type {OutlineEntry} from '../library.js';
import type {Database} from '../open.js';
import {prepared} from '../statements.js';

interface StepRow {
	readonly position: number;
	readonly at: number | null;
	/** Only of prompts. */
	readonly text: string | null;
	readonly is_call: number;
	readonly is_error: number;
	readonly files: string | null;
}

interface OpenEntry {
	readonly index: number;
	readonly atMs: number | null;
	readonly text: string;
	toolCalls: number;
	errors: number;
	readonly files: Set<string>;
}

export const outlineOf = (database: Database, session: number): readonly OutlineEntry[] => {
	const steps = prepared(database)(
		`SELECT position, at, kind = 'tool_use' AS is_call, coalesce(is_error, 0) AS is_error,
		iif(kind = 'message' AND role = 'user' AND input IS NOT 'local', text, NULL) AS text,
		iif(kind IN ('tool_use', 'tool_result'), (SELECT json_group_array(path) FROM event_file
			WHERE session_id = event.session_id AND event_id = event.id), NULL) AS files
		FROM event WHERE session_id = ? AND state IN ('live', 'gone') ORDER BY position`,
	).all(session) as StepRow[];
	const entries: OpenEntry[] = [];
	for (const step of steps) {
		if (step.text !== null) entries.push(openEntry(step, step.text));
		const entry = entries.at(-1);
		if (entry === undefined) continue;
		entry.toolCalls += step.is_call;
		entry.errors += step.is_error;
		for (const path of JSON.parse(step.files ?? '[]') as string[]) entry.files.add(path);
	}
	const endMs = steps.findLast(step => step.at !== null)?.at ?? null;
	return entries.map((entry, index) => {
		const untilMs = index + 1 < entries.length ? (entries[index + 1]?.atMs ?? null) : endMs;
		const isTimed = entry.atMs !== null && untilMs !== null && untilMs >= entry.atMs;
		return {
			...entry,
			files: entry.files.size,
			durationMs: isTimed ? (untilMs as number) - (entry.atMs as number) : null,
		};
	});
};

const openEntry = ({position, at}: StepRow, text: string): OpenEntry => ({
	index: position,
	atMs: at,
	text,
	toolCalls: 0,
	errors: 0,
	files: new Set(),
});
