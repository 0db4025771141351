/** Tool parts: call and result in one record, filled in while the tool runs. */

import {type AdapterEvent, eventKey, type FileTouch, type ToolFacts} from '../../model.js';
import {argumentLines, subjectOf} from '../calls/arguments.js';
import type {Changes} from '../calls/changes.js';
import {compact} from '../compact.js';
import {oneLine} from '../content.js';
import {at, entryOf, listOf, numberOf, recordOf, stringOf, textOf} from '../narrow.js';
import {capPatch, replacementPatch} from '../text-patch.js';
import {timeMs} from '../time.js';
import {fileText} from './files.js';
import type {Json, StoredPart} from './records.js';

/** Arguments that say what a call is about, in the order in which they are looked for. */
const SUBJECTS = [
	'command',
	'filePath',
	'file_path',
	'pattern',
	'query',
	'url',
	'path',
	'description',
	'name',
	'prompt',
] as const;

/** Tools of OpenCode, and of ZCode in lower case. */
const CHANGES: Changes = {
	edit: 'edit',
	multiedit: 'edit',
	read: 'read',
	write: 'write',
};

const PATCH_CHANGES: Changes = {
	add: 'create',
	delete: 'delete',
	move: 'move',
	update: 'edit',
};

const SHELLS: ReadonlySet<string> = new Set(['bash', 'shell']);

interface ToolPart {
	readonly name: string;
	readonly callId: string;
	readonly status: string;
	readonly input: Json;
	readonly state: Json;
	readonly metadata: Json;
}

const toolPart = ({id, data}: StoredPart): ToolPart => {
	const state = recordOf(data['state']);
	return {
		name: stringOf(data['tool']) ?? '',
		callId: textOf(data['callID']) ?? id,
		status: stringOf(state['status']) ?? '',
		input: recordOf(state['input']),
		state,
		metadata: recordOf(state['metadata'] ?? state['structured']),
	};
};

/** `*** Update File: src/a.ts` in the text of a patch. */
const PATCH_FILE = /^\*\*\* (Add|Delete|Update) File: (.+?)\s*$/gm;

/** Files of `apply_patch`: listed when it is done (with whole paths), until then those that the patch names. */
const patchedFiles = ({input, metadata}: ToolPart): readonly FileTouch[] => {
	const patch = stringOf(input['patchText']) ?? '';
	const stated = Array.isArray(metadata['files'])
		? metadata['files'].map(file => [at(file, 'type'), at(file, 'filePath')])
		: [...patch.matchAll(PATCH_FILE)].map(([, action = '', path]) => [action.toLowerCase(), path]);
	return stated.flatMap(([type, file]) => {
		const path = textOf(file);
		const change = entryOf(PATCH_CHANGES, stringOf(type));
		return path === undefined || change === undefined ? [] : [{path, change}];
	});
};

const pathOf = ({input}: ToolPart): string | undefined =>
	textOf(input['filePath']) ?? textOf(input['file_path']);

const filesOf = (tool: ToolPart): readonly FileTouch[] => {
	const path = pathOf(tool);
	const change = entryOf(CHANGES, tool.name.toLowerCase());
	if (path === undefined || change === undefined) return patchedFiles(tool);
	// `write` says whether it replaced something.
	const isNew = change === 'write' && tool.metadata['exists'] === false;
	return [{path, change: isNew ? 'create' : change}];
};

/** Old and new text of an edit, in the spelling of OpenCode and of ZCode; `write` has only a new one. */
const replacedTexts = ({input}: ToolPart): readonly (readonly [string, string])[] => {
	const edits = Array.isArray(input['edits']) ? input['edits'].map(recordOf) : [input];
	return edits.flatMap(edit => {
		const before = stringOf(edit['oldString']) ?? stringOf(edit['old_string']) ?? '';
		const after = ['newString', 'new_string', 'content'].map(name => stringOf(edit[name]));
		const text = after.find(value => value !== undefined);
		return text === undefined ? [] : [[before, text] as const];
	});
};

const CHANGING: ReadonlySet<string> = new Set(['edit', 'multiedit', 'write']);

/** `metadata.diff` of what was done, without the `Index:` lines above; else what the call asks for. */
const patchOf = (tool: ToolPart): string | undefined => {
	const diff = textOf(tool.metadata['diff']);
	const start = diff?.search(/^--- /m) ?? -1;
	if (diff !== undefined && start !== -1) return capPatch(diff.slice(start));
	const path = pathOf(tool);
	const isChange = CHANGING.has(tool.name.toLowerCase());
	return path !== undefined && isChange ? replacementPatch(path, replacedTexts(tool)) : undefined;
};

/** A command as it is; other arguments line by line. */
const callText = ({name, input, state}: ToolPart): string => {
	const command = SHELLS.has(name.toLowerCase()) ? textOf(input['command']) : undefined;
	// While the model still writes the arguments, there is only their text.
	return command ?? (argumentLines(input) || (stringOf(state['input'] ?? state['raw']) ?? ''));
};

const subjectOfTool = (tool: ToolPart): string | undefined => {
	const files = patchedFiles(tool).map(({path}) => path);
	return files.length > 0 ? oneLine(files.join(', ')) : subjectOf(tool.input, SUBJECTS);
};

const callEvent = (part: StoredPart, tool: ToolPart): AdapterEvent => {
	const files = filesOf(tool);
	return compact({
		key: eventKey(part.id),
		kind: 'tool_use' as const,
		text: callText(tool),
		atMs: timeMs(at(tool.state, 'time', 'start')),
		tool: compact({
			name: tool.name,
			callId: tool.callId,
			subject: subjectOfTool(tool),
			files: files.length === 0 ? undefined : files,
			patch: patchOf(tool),
			agentId: textOf(tool.metadata['sessionId']),
		}),
		locator: part.locator,
	});
};

/** A text, or content blocks as in `session_message`. */
const outputText = (value: unknown): string =>
	listOf(value)
		.flatMap(block => textOf(at(block, 'text')) ?? [])
		.join('\n') ||
	(stringOf(value) ?? '');

const errorText = (error: unknown): string | undefined =>
	textOf(error) ?? textOf(at(error, 'message')) ?? textOf(at(error, 'data', 'message'));

const resultText = ({state, status}: ToolPart): string => {
	const output = outputText(state['output'] ?? state['content']);
	const error = status === 'error' ? errorText(state['error']) : undefined;
	const attachments = listOf(state['attachments']).map(file => fileText(recordOf(file)));
	return [output, error, ...attachments].filter(Boolean).join('\n');
};

const durationOf = ({state}: ToolPart): number | undefined => {
	const [start, end] = ['start', 'end'].map(name => timeMs(at(state, 'time', name)));
	if (start === undefined || end === undefined || end < start) return undefined;
	return end - start;
};

const outcomeOf = ({status, metadata}: ToolPart): Pick<ToolFacts, 'isError' | 'exitCode'> => {
	const exitCode = numberOf(metadata['exit']);
	const isError = status === 'error' || (exitCode !== undefined && exitCode !== 0);
	return compact({isError: isError || undefined, exitCode});
};

const resultEvent = (part: StoredPart, tool: ToolPart): AdapterEvent =>
	compact({
		key: eventKey(part.id, 1),
		kind: 'tool_result' as const,
		text: resultText(tool),
		atMs: timeMs(at(tool.state, 'time', 'end')),
		tool: compact({
			name: tool.name,
			callId: tool.callId,
			...outcomeOf(tool),
			durationMs: durationOf(tool),
			agentId: textOf(tool.metadata['sessionId']),
		}),
		locator: part.locator,
	});

const FINISHED: ReadonlySet<string> = new Set(['completed', 'error']);

/** The call, and its result once there is one. */
export const toolEvents = (part: StoredPart): readonly AdapterEvent[] => {
	const tool = toolPart(part);
	const call = callEvent(part, tool);
	return FINISHED.has(tool.status) ? [call, resultEvent(part, tool)] : [call];
};
