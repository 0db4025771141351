import type {EventView, SessionView} from '../../store/types.js';
import {sanitizeForFile, sanitizeLine} from '../terminal/sanitize.js';
import {formatClock, formatDuration, isoDay} from '../transcript/time.js';
import {closed, codeSpan, fenced, quoted} from './fences.js';

export interface ExportDocument {
	readonly session: SessionView;
	/** Name of the agent for people; absent: its id. */
	readonly agentLabel?: string | undefined;
	readonly events: Iterable<EventView>;
	/** What the session continues; absent: as the session says; null: the events hold the whole line already. */
	readonly parentRef?: string | null | undefined;
	/** Whole text of an event, which may have to be read from the source or the mirror; absent: what the store holds. */
	readonly textOf?: ((event: EventView) => string) | undefined;
	/** Masks secrets in every text; absent: everything as it is. */
	readonly mask?: ((text: string) => string) | undefined;
}

export interface MarkdownOptions {
	readonly tools: 'none' | 'short' | 'full';
	readonly hasReasoning: boolean;
	/** Version of backscroll, for the last line of the head. */
	readonly version?: string | undefined;
}

interface Writer {
	readonly document: ExportDocument;
	readonly options: MarkdownOptions;
	readonly masked: (text: string) => string;
	/** The text of an event: whole, sanitised, masked. */
	readonly text: (event: EventView) => string;
	/** A label on one line: sanitised, masked. */
	readonly line: (text: string) => string;
}

const writerFor = (document: ExportDocument, options: MarkdownOptions): Writer => {
	const {textOf, mask} = document;
	const masked = (text: string) => (mask ? mask(text) : text);
	return {
		document,
		options,
		masked,
		text: event => masked(sanitizeForFile(textOf ? textOf(event) : event.text)),
		line: text => masked(sanitizeLine(text)),
	};
};

const moment = (atMs: number): string => `${isoDay(atMs)} ${formatClock(atMs)}`;

const relationNames = {
	fork: 'Continues',
	continuation: 'Continues',
	subagent: 'Sub-agent of',
} as const;

const parentRow = ({document, line}: Writer): readonly string[] => {
	const {parent} = document.session;
	if (document.parentRef === null) return [];
	const ref = document.parentRef ?? parent?.ref;
	if (ref === undefined) return [];
	return [`- ${relationNames[parent?.relation ?? 'continuation']}: ${codeSpan(line(ref))}`];
};

const dates = ({createdAtMs, updatedAtMs}: SessionView): readonly string[] => {
	if (createdAtMs === null) return [];
	const end =
		updatedAtMs === null || updatedAtMs === createdAtMs ? '' : ` – ${moment(updatedAtMs)}`;
	return [`- Time: ${moment(createdAtMs)}${end}`];
};

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

const head = (writer: Writer, undone: number): string => {
	const {session, agentLabel} = writer.document;
	const {line} = writer;
	const row = (name: string, value: string | null) =>
		value === null || value === '' ? [] : [`- ${name}: ${line(value)}`];
	const place = session.projectDir ?? session.cwd;
	const project = session.project === null ? [] : [line(session.project)];
	return [
		`# ${line(session.title) || '(no title)'}`,
		'',
		...row('Agent', [agentLabel ?? session.agent, session.agentVersion ?? ''].join(' ').trim()),
		...(place === null ? [] : [`- Project: ${[...project, codeSpan(line(place))].join(' · ')}`]),
		...row('Branch', session.branch),
		...row('Model', session.model),
		...dates(session),
		`- Messages: ${session.messages} (${plural(session.prompts, 'prompt')}, ${session.replies} ${session.replies === 1 ? 'reply' : 'replies'}), ${plural(session.toolCalls, 'tool call')}`,
		`- Session: ${codeSpan(line(session.ref))}`,
		...parentRow(writer),
		...(undone === 0 ? [] : [`- Left out: ${plural(undone, 'step')} that had been undone`]),
		...row('Exported by', writer.options.version ? `backscroll ${writer.options.version}` : null),
	].join('\n');
};

const facts = (event: EventView): string => {
	const {tool} = event;
	const said = [
		tool?.durationMs == null ? '' : formatDuration(tool.durationMs),
		tool?.exitCode == null || tool.exitCode === 0 ? '' : `exit ${tool.exitCode}`,
		tool?.isError && !tool.exitCode ? 'failed' : '',
	].filter(fact => fact !== '');
	return said.length === 0 ? '' : ` — ${said.join(', ')}`;
};

const toolTitle = (event: EventView, {line}: Writer): string => {
	const subject = line(event.tool?.subject ?? '');
	const name = line(event.tool?.name ?? '') || 'tool';
	return `${codeSpan(name)}${subject === '' ? '' : ` ${codeSpan(subject)}`}`;
};

const infoOf = (text: string): string => (/^\s*\{[\s\S]*\}\s*$/.test(text) ? 'json' : '');

const toolCall = (event: EventView, writer: Writer): string => {
	const title = `Tool ${toolTitle(event, writer)}${facts(event)}`;
	if (writer.options.tools === 'short') return `* ${title}`;
	const input = writer.text(event);
	const patch = writer.masked(sanitizeForFile(event.tool?.patch ?? ''));
	return [
		title,
		...(input.trim() === '' ? [] : [fenced(input, infoOf(input))]),
		...(patch.trim() === '' ? [] : [fenced(patch, 'diff')]),
	].join('\n\n');
};

const toolResult = (event: EventView, writer: Writer): string | undefined => {
	if (writer.options.tools === 'short') {
		const said = facts(event);
		return said === '' ? undefined : `* Output of ${toolTitle(event, writer)}${said}`;
	}
	const output = writer.text(event);
	const label = `Output${facts(event)}`;
	return output === '' ? `${label}: none` : `${label}\n\n${fenced(output)}`;
};

const titledQuote = (title: string, text: string): string => quoted(`**${title}**\n\n${text}`);

/** One event as Markdown; undefined for what the options leave out. */
const block = (event: EventView, writer: Writer): string | undefined => {
	const {tools, hasReasoning} = writer.options;
	switch (event.kind) {
		case 'message':
			return closed(writer.text(event));
		case 'reasoning':
			return hasReasoning ? titledQuote('Thinking', writer.text(event)) : undefined;
		case 'summary':
			return titledQuote('Compacted', writer.text(event));
		case 'tool_use':
			return tools === 'none' ? undefined : toolCall(event, writer);
		case 'tool_result':
			return tools === 'none' ? undefined : toolResult(event, writer);
		case 'meta':
			return isTask(event, writer) ? closed(writer.text(event)) : undefined;
	}
};

/** The task that a sub-agent was given; nobody typed it, but without it the transcript makes no sense. */
const isTask = (event: EventView, {document}: Writer): boolean =>
	event.kind === 'meta' && event.index === 0 && document.session.kind === 'subagent';

/** A heading says who speaks, once a turn. */
const speakerOf = (event: EventView, writer: Writer): 'Prompt' | 'Command' | 'Task' | 'Answer' => {
	if (isTask(event, writer)) return 'Task';
	if (event.kind !== 'message' || event.role !== 'user') return 'Answer';
	return event.input === 'local' ? 'Command' : 'Prompt';
};

const headingOf = (speaker: ReturnType<typeof speakerOf>, prompts: number): string => {
	if (speaker === 'Answer') return '### Answer';
	return speaker === 'Prompt' ? `## Prompt ${prompts}` : `## ${speaker}`;
};

/** One event under its heading, and whether it is an item of the list of tool calls. */
interface Part {
	readonly text: string;
	readonly isItem: boolean;
}

const joined = (parts: readonly Part[]): string =>
	parts
		.map(({text, isItem}, index) => {
			const isSameList = isItem && parts[index - 1]?.isItem === true;
			return index === 0 ? text : `${isSameList ? '\n' : '\n\n'}${text}`;
		})
		.join('');

const partsOf = (events: readonly EventView[], writer: Writer): readonly Part[] => {
	const parts: Part[] = [];
	let prompts = 0;
	let isAnswering = false;
	for (const event of events) {
		const text = block(event, writer);
		if (text === undefined || text.trim() === '') continue;
		const speaker = speakerOf(event, writer);
		if (speaker === 'Prompt') prompts += 1;
		if (speaker !== 'Answer' || !isAnswering) {
			const title = headingOf(speaker, prompts);
			const time = event.atMs === null ? '' : ` · ${moment(event.atMs)}`;
			parts.push({text: title + time, isItem: false});
		}
		isAnswering = speaker === 'Answer';
		const isItem = writer.options.tools === 'short' && event.kind.startsWith('tool_');
		parts.push({text, isItem});
	}
	return parts;
};

/**
 * A session as Markdown. The text of messages is left as it was written (what they leave open is closed after them), outputs
 * come back byte for byte from one block each, thoughts and summaries are quotations.
 */
export const exportMarkdown = (document: ExportDocument, options: MarkdownOptions): string => {
	const writer = writerFor(document, options);
	const events = [...document.events];
	const undone = events.filter(event => event.state === 'undone').length;
	const shown = events.filter(event => event.state === 'live' || event.state === 'gone');
	const parts = [{text: head(writer, undone), isItem: false}, ...partsOf(shown, writer)];
	return `${joined(parts)}\n`;
};
