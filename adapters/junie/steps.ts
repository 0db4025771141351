/** Steps of the agent. Each is written many times, fuller every time: the last state is what counts. */

import type {AdapterEvent, FileTouch} from '../model.js';
import {compact} from '../shared/compact.js';
import {oneLine} from '../shared/content.js';
import {at, listOf, numberOf, stringOf, textOf} from '../shared/narrow.js';
import {eventOf, type Form, type Place, replyForm, resultForm} from '../shared/rows/events.js';
import {replacementPatch} from '../shared/text-patch.js';

export interface Step {
	/** `agentEvent` in its last state. */
	readonly state: unknown;
	readonly id: string;
	/** Of the first state. */
	readonly beganAtMs: number | undefined;
	/** Key, last line, last time. */
	readonly place: Place;
}

const FAILED: ReadonlySet<unknown> = new Set(['FAILED', 'ERROR', 'CANCELED', 'CANCELLED']);
const RUNNING: ReadonlySet<unknown> = new Set(['IN_PROGRESS', 'RUNNING', 'PENDING']);

const isRunning = (state: unknown): boolean => RUNNING.has(at(state, 'status'));

/** Anything but text is no output. */
const resultOf = ({state, id}: Step, name: string): Form | undefined => {
	const text = stringOf(at(state, 'details'));
	if (text === undefined || (text === '' && isRunning(state))) return undefined;
	const exitCode = numberOf(at(state, 'exitCode'));
	const isError = FAILED.has(at(state, 'status')) || (exitCode ?? 0) !== 0;
	return resultForm(text, {callId: id, name, isError, ...compact({exitCode})}, new Map());
};

interface Call {
	readonly name: string;
	readonly text: string;
	readonly subject?: string | undefined;
	readonly files?: readonly FileTouch[] | undefined;
	readonly patch?: string | undefined;
}

const callForm = ({id}: Step, {name, text, subject, ...facts}: Call): Form => ({
	kind: 'tool_use',
	text,
	tool: compact({name, callId: id, subject: oneLine(subject ?? text), ...facts}),
});

type Forms = readonly (Form | undefined)[];

const terminal = (step: Step): Forms => {
	const text = stringOf(at(step.state, 'command')) ?? '';
	return [callForm(step, {name: 'Bash', text}), resultOf(step, 'Bash')];
};

const tool = (step: Step): Forms => {
	const text = stringOf(at(step.state, 'text')) ?? '';
	return [callForm(step, {name: 'tool', text}), resultOf(step, 'tool')];
};

const pathOf = (file: unknown): string | undefined =>
	textOf(file) ??
	['relativePath', 'path', 'filePath', 'name'].map(name => textOf(at(file, name))).find(Boolean);

const viewed = (step: Step): Forms => {
	const paths = listOf(at(step.state, 'files')).flatMap(file => pathOf(file) ?? []);
	const files = paths.map(path => ({path, change: 'read' as const}));
	const text = paths.join('\n');
	return [callForm(step, {name: 'view', text, subject: paths.join(', '), files})];
};

const contentText = (content: unknown): string => stringOf(at(content, 'text')) ?? '';

const changed = (step: Step, change: unknown): Form => {
	const [before, after] = [
		textOf(at(change, 'beforeRelativePath')),
		textOf(at(change, 'afterRelativePath')),
	];
	const path = after ?? before ?? '';
	const kind = before === undefined ? 'create' : after === undefined ? 'delete' : 'edit';
	const [old, now] = [
		contentText(at(change, 'beforeContent')),
		contentText(at(change, 'afterContent')),
	];
	const isMove = before !== undefined && after !== undefined && before !== after;
	const moved = isMove ? [{path: before, change: 'move' as const}] : [];
	const files = path === '' ? undefined : [...moved, {path, change: kind} as const];
	const patch = replacementPatch(path, [[old, now]]);
	const text = [path, patch].filter(part => part !== undefined).join('\n');
	return callForm(step, {name: 'Edit', text, subject: path, files, patch});
};

/** Each change is a call of its own. */
const changes = (step: Step): Forms =>
	listOf(at(step.state, 'changes')).map((change, index) =>
		changed(index === 0 ? step : {...step, id: `${step.id}.${index}`}, change),
	);

const said = ({state, place}: Step): Forms => {
	const text = textOf(at(state, 'result'));
	return [text === undefined ? undefined : replyForm(text, place)];
};

export const STEPS: Readonly<Record<string, (step: Step) => Forms>> = {
	FileChangesBlockUpdatedEvent: changes,
	ResultBlockUpdatedEvent: said,
	TerminalBlockUpdatedEvent: terminal,
	ToolBlockUpdatedEvent: tool,
	ViewFilesBlockUpdatedEvent: viewed,
};

/** Calls have the time at which the step began, what came of it the time of its last state. */
export const stepEvents = (step: Step): readonly AdapterEvent[] => {
	const read = STEPS[String(at(step.state, 'kind'))];
	const forms = read?.(step) ?? [];
	return forms.flatMap((form, block) => {
		if (form === undefined) return [];
		const atMs = form.kind === 'tool_use' ? step.beganAtMs : step.place.atMs;
		return [eventOf({...step.place, atMs}, block, form)];
	});
};
