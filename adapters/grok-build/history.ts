/** `chat_history.jsonl`: what the model saw last. No times; after a compaction only what was left. */

import type {AdapterEvent} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {callFacts, callText} from '../shared/calls/facts.js';
import {compact} from '../shared/compact.js';
import {base64Bytes, capText, placeholder} from '../shared/content.js';
import {readJsonLines} from '../shared/jsonl.js';
import {at, entryOf, listOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {parseRecord} from '../shared/records.js';
import type {Batch, Source} from '../types.js';
import {promptForm} from './prompts.js';
import {readSession, type Session} from './session.js';

type Form = Pick<AdapterEvent, 'kind' | 'text'> & Partial<AdapterEvent>;
type Row = Record<string, unknown>;

interface Context {
	readonly session: Session;
	/** Call id → tool name. */
	readonly names: Map<string, string>;
	model: string | undefined;
	/** From the preamble. */
	cwd: string | undefined;
}

const blockText = (block: unknown): string => {
	if (typeof block === 'string') return block;
	const {type, text, data} = recordOf(block);
	if (type !== 'image') return stringOf(text) ?? '';
	const image = textOf(data);
	return placeholder('image', {
		mediaType: textOf(at(block, 'mimeType')),
		sizeBytes: image === undefined ? undefined : base64Bytes(image),
	});
};

const contentText = (content: unknown): string =>
	typeof content === 'string'
		? content
		: listOf(content)
				.map(blockText)
				.filter(text => text !== '')
				.join('\n');

/** An interjection was typed while the agent worked. */
const isSynthetic = (reason: unknown): boolean =>
	textOf(reason) !== undefined && reason !== 'interjection';

const userForms = (row: Row, context: Context): readonly Form[] => {
	const text = contentText(row['content']);
	if (text.startsWith('<user_info>')) {
		context.cwd ??= textOf(/^Workspace Path: (.+)$/m.exec(text.slice(0, 4096))?.[1]?.trim());
	}
	const form = promptForm(text, isSynthetic(row['synthetic_reason']), context.session);
	return [row['synthetic_reason'] === 'compaction_meta' ? {...form, kind: 'summary'} : form];
};

const callForm = (call: unknown, context: Context): Form => {
	const name = textOf(at(call, 'name')) ?? 'unknown';
	const callId = textOf(at(call, 'id'));
	if (callId !== undefined) context.names.set(callId, name);
	const stated = at(call, 'arguments');
	const args = parseRecord(stringOf(stated) ?? '') ?? recordOf(stated);
	return {
		kind: 'tool_use',
		text: callText(args),
		tool: {...compact({name, callId}), ...callFacts(args, undefined)},
	};
};

const assistantForms = (row: Row, context: Context): readonly Form[] => {
	const model = textOf(row['model_id']);
	if (model !== undefined) context.model = model;
	const text = contentText(row['content']);
	const reply = compact({kind: 'message' as const, role: 'assistant' as const, text, model});
	return [reply, ...listOf(row['tool_calls']).map(call => callForm(call, context))];
};

const FORMS: Readonly<Record<string, (row: Row, context: Context) => readonly Form[]>> = {
	system: () => [],
	user: userForms,
	assistant: assistantForms,
	reasoning: row => [{kind: 'reasoning', text: contentText(row['summary'])}],
	tool_result: (row, {names}) => {
		const callId = textOf(row['tool_call_id']);
		const name = callId === undefined ? undefined : names.get(callId);
		const text = contentText(row['content']);
		return [{kind: 'tool_result', text, tool: compact({name, callId})}];
	},
	backend_tool_call: row => {
		const call = recordOf(row['kind']);
		const name = textOf(call['tool_type']) ?? 'unknown';
		const args = recordOf(call['action']);
		const facts = callFacts(args, undefined);
		const tool = {...compact({name, callId: textOf(call['id'])}), ...facts};
		return [{kind: 'tool_use', text: callText(args), tool}];
	},
};

export function* readHistory(source: Source): Generator<Batch> {
	const session = readSession(source);
	const batch = createBatch(session.id);
	for (const problem of session.problems) batch.problem(problem);
	const context: Context = {session, names: new Map(), model: undefined, cwd: undefined};
	const isTranscript = source.path.endsWith('.jsonl');
	const start = {offset: 0, lineNumber: 0};
	for (const line of isTranscript ? readJsonLines(source.path, start) : []) {
		const {record, problem, number, offset, length} = line;
		if (batch.isFull()) yield batch.take({offset, lineNumber: number - 1, state: null});
		if (problem !== undefined) {
			batch.problem(problem);
			continue;
		}
		const type = stringOf(record['type']) ?? 'none';
		const forms = entryOf(FORMS, type);
		if (forms === undefined) batch.unknown(type.slice(0, 80));
		for (const [block, form] of (forms?.(record, context) ?? []).entries()) {
			if (form.text.trim() === '' && form.tool === undefined) continue;
			const key = block === 0 ? `L${number}` : `L${number}.${block}`;
			batch.event({...form, ...capText(form.text), key, locator: {offset, length}});
		}
	}
	const {model, cwd} = context;
	batch.patch({...compact({model, cwd}), ...session.facts});
	yield batch.take(END);
}
