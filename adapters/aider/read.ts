/** Reads one run. */

import {dirname} from 'node:path';
import type {AdapterEvent, PromptInput, SessionFacts, Usage} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {capText, sizeLabel} from '../shared/content.js';
import {numberOf, recordOf, textOf} from '../shared/narrow.js';
import {openFile} from '../shared/open-file.js';
import {searchReplacePatch} from '../shared/search-replace.js';
import {localTimeMs} from '../shared/time.js';
import {type Batch, type Source, SourceUnreadable} from '../types.js';
import {type Block, blocksOf} from './blocks.js';
import type {Run} from './runs.js';

/** A run is loaded whole; a larger one is no chat. */
const RUN_BYTES = 64 * 1024 * 1024;

const runOf = (source: Source): Run => {
	const {start, end, startedAt} = recordOf(source.extra);
	return {
		id: source.sessionId ?? '',
		start: numberOf(start) ?? 0,
		end: numberOf(end) ?? 0,
		startedAt: textOf(startedAt) ?? '',
	};
};

const bytesOf = (path: string, {start, end}: Run): Buffer => {
	if (end - start > RUN_BYTES) {
		throw new SourceUnreadable('limit', `${path}: run of ${sizeLabel(end - start)}`);
	}
	const file = openFile(path);
	try {
		const bytes = Buffer.alloc(Math.max(0, end - start));
		let filled = 0;
		for (let read = -1; read !== 0 && filled < bytes.length; filled += read) {
			read = file.read(bytes.subarray(filled), start + filled);
		}
		return bytes.subarray(0, filled);
	} finally {
		file.close();
	}
};

type Form = Pick<AdapterEvent, 'kind' | 'text'> & Partial<AdapterEvent>;

/** Commands that make a request to the model, or whose output goes to it. The others only steer aider. */
const ASKING: ReadonlySet<string> = new Set([
	'architect',
	'ask',
	'code',
	'context',
	'help',
	'lint',
	'run',
	'test',
	'web',
]);

const inputOf = (text: string): PromptInput | undefined => {
	if (text.startsWith('!')) return 'command';
	const name = /^\/([a-z][\w-]*)(?:\s|$)/i.exec(text)?.[1];
	if (name === undefined) return undefined;
	return ASKING.has(name) ? 'command' : 'local';
};

const promptForms = (lines: readonly string[]): readonly Form[] => {
	const text = lines.join('\n').trim();
	const isEmpty = text === '' || text === '<blank>';
	return isEmpty ? [] : [{kind: 'message', role: 'user', text, ...compact({input: inputOf(text)})}];
};

const THOUGHT = /^(?:-{3,}\n)?► \*\*THINKING\*\*\n([\s\S]*?)\n(?:-{3,}\n)?► \*\*ANSWER\*\*\n?/;

const replyForms = (lines: readonly string[], key: string): readonly Form[] => {
	const text = lines.join('\n');
	const thought = THOUGHT.exec(text);
	const answer = thought === null ? text : text.slice(thought[0].length);
	const message = {kind: 'message', role: 'assistant', messageId: key} as const;
	const reasoning: readonly Form[] =
		thought === null ? [] : [{kind: 'reasoning', text: (thought[1] ?? '').trim()}];
	return [...reasoning, {...message, text: answer.trim(), key: thought ? `${key}.1` : key}];
};

const EDIT = /^(Applied edit to|Creating empty file) (.+)$/;

/** The part of a reply below the line that names a file. */
const editIn = (reply: string, path: string): string => {
	const parts = reply.split(/^(?=[^\n]+\n(?:```|~~~)[^\n]*\n<{5,} SEARCH)/m);
	return parts.filter(part => part.split('\n', 1)[0]?.trim() === path).join('\n');
};

/** The blocks that are applied stand in the reply before. */
const editForms = ({lines, line}: Block, reply: string): readonly Form[] =>
	lines.flatMap((text, index) => {
		const [, what, path] = EDIT.exec(text) ?? [];
		if (path === undefined) return [];
		const change = what === 'Applied edit to' ? 'edit' : 'create';
		const patch = change === 'edit' ? searchReplacePatch(path, editIn(reply, path)) : undefined;
		const tool = {
			name: 'edit',
			subject: path,
			files: [{path, change}],
			...compact({patch}),
		} as const;
		return [{kind: 'tool_use', text, tool, key: `L${line + index}.1`}];
	});

/** What aider prints before the first prompt is its banner. */
const outputForms = (block: Block, reply: string, isBanner: boolean): readonly Form[] => {
	const text = block.lines.join('\n');
	if (isBanner) return [{kind: 'meta', text}];
	return [...editForms(block, reply), {kind: 'tool_result', text, tool: {name: 'aider'}}];
};

const UNITS: Readonly<Record<string, number>> = {'': 1, k: 1000, M: 1_000_000};

const amount = (text: string, what: string): number => {
	const [, digits, unit = ''] = new RegExp(`([\\d.,]+)([kM]?) ${what}`).exec(text) ?? [];
	const value = Number(digits?.replaceAll(',', '') ?? 0) * (UNITS[unit] ?? 1);
	return Number.isFinite(value) ? Math.round(value) : 0;
};

/** `Tokens: 12k sent, 5k cache hit, 1.2k received. Cost: $0.04 message, $0.10 session.` What was sent includes the hits. */
const usageOf = ({lines, line}: Block): readonly Usage[] =>
	lines.flatMap((text, index) => {
		if (!/^Tokens: .* sent/.test(text)) return [];
		const cacheRead = amount(text, 'cache hit');
		const cost = Number(/Cost: \$([\d.]+) message/.exec(text)?.[1]);
		return [
			compact({
				key: `L${line + index}`,
				input: Math.max(0, amount(text, 'sent') - cacheRead),
				output: amount(text, 'received'),
				cacheRead,
				cacheWrite: amount(text, 'cache write'),
				costUsd: Number.isFinite(cost) ? cost : undefined,
			}),
		];
	});

const bannerFacts = ({lines}: Block): SessionFacts => {
	const text = lines.join('\n');
	return compact({
		agentVersion: /^Aider v(\S+)/m.exec(text)?.[1],
		model: /^(?:Main model|Model): (\S+)/m.exec(text)?.[1],
	});
};

interface Progress {
	hasPrompt: boolean;
	reply: string;
}

const formsOf = (block: Block, key: string, progress: Progress): readonly Form[] => {
	if (block.kind === 'user') {
		progress.hasPrompt = true;
		return promptForms(block.lines);
	}
	if (block.kind === 'tool') return outputForms(block, progress.reply, !progress.hasPrompt);
	progress.reply = block.lines.join('\n');
	return replyForms(block.lines, key);
};

export function* read(source: Source): Generator<Batch> {
	const run = runOf(source);
	const batch = createBatch(run.id);
	const startMs = localTimeMs(run.startedAt);
	batch.patch(compact({cwd: dirname(source.path), createdAtMs: startMs, updatedAtMs: startMs}));
	const progress: Progress = {hasPrompt: false, reply: ''};
	let count = 0;
	for (const block of blocksOf(bytesOf(source.path, run), run.start)) {
		if (batch.isFull()) yield batch.take(END);
		const key = `L${block.line}`;
		const locator = {offset: block.offset, length: block.length};
		if (block.kind === 'tool') {
			batch.patch(bannerFacts(block));
			for (const usage of usageOf(block)) batch.usage(usage);
		}
		for (const form of formsOf(block, key, progress)) {
			if (form.text === '' && form.tool === undefined) continue;
			// Nothing but the start has a time: what follows keeps its order.
			const atMs = startMs === undefined ? undefined : startMs + count++;
			batch.event({key, ...form, ...capText(form.text), locator, ...compact({atMs})});
		}
	}
	yield batch.take(END);
}
