import './libraries.js';
/** Invented sessions and events, and an app over them without workers, terminal or clock. */

import type {Action} from '../../source/app/actions.js';
import {createAppStore} from '../../source/app/app-store.js';
import type {
	AnswerOf,
	Backend,
	Desktop,
	Question,
	Questions,
	ResumeSheet,
	Sync,
} from '../../source/app/backend.js';
import {startEffects} from '../../source/app/effects.js';
import {reduce} from '../../source/app/reducer.js';
import {listQuestion} from '../../source/app/selectors.js';
import {type AppState, initialState, type Settings, type Size} from '../../source/app/state.js';
import {bindings} from '../../source/keymap/bindings.js';
import {createDecoder, type KeyEvent} from '../../source/terminal/input.js';
import type {ListRow} from '../../store/library.js';
import type {FromSyncWorker} from '../../store/sync/protocol.js';
import type {EventView, SessionView} from '../../store/types.js';
import {bytesOf} from '../e2e/keys.js';

export const nowMs = Date.UTC(2026, 10, 30, 12);

export const settings: Settings = {
	bindings,
	agents: [
		{id: 'claude-code', label: 'Claude Code', shortLabel: 'Claude'},
		{id: 'codex', label: 'Codex', shortLabel: 'Codex'},
	],
	enter: 'read',
	isPrint: false,
	isInsideTmux: false,
	isDemo: false,
	isUnicode: true,
	hasReducedMotion: false,
	home: '/home/kim',
	cwd: '/home/kim/orchard',
	docsUrl: null,
};

export const session = (id: string, change: Partial<SessionView> = {}): SessionView => ({
	rowId: 1,
	ref: `claude-code:${id}`,
	agent: 'claude-code',
	id,
	title: `Session ${id}`,
	titleFrom: 'prompt',
	project: 'orchard',
	projectDir: '/home/kim/orchard',
	cwd: '/home/kim/orchard',
	branch: 'main',
	model: 'claude-opus-4-8',
	agentVersion: '2.1.332',
	kind: 'main',
	createdAtMs: nowMs - 7_200_000,
	updatedAtMs: nowMs - 3_600_000,
	prompts: 2,
	replies: 2,
	messages: 4,
	toolCalls: 1,
	events: 6,
	tokens: null,
	costUsd: null,
	parent: null,
	children: 0,
	starred: false,
	tags: [],
	note: null,
	sourceState: 'present',
	location: `/home/kim/.claude/projects/x/${id}.jsonl`,
	problems: 0,
	resumeEnv: {},
	resumeHint: {},
	isRunning: false,
	continuedIn: null,
	...change,
});

export const row = (of: SessionView, match: ListRow['match'] = null): ListRow => ({
	session: of,
	match,
	titleMatches: [],
});

export const event = (index: number, text: string, change: Partial<EventView> = {}): EventView => ({
	rowId: index + 1,
	ref: `claude-code:a:e${index}`,
	session: 'claude-code:a',
	index,
	key: `e${index}`,
	kind: 'message',
	role: index % 2 === 0 ? 'user' : 'assistant',
	atMs: nowMs - 3_600_000 + index * 1000,
	state: 'live',
	text,
	truncated: false,
	fullLength: text.length,
	input: index % 2 === 0 ? 'typed' : null,
	messageId: null,
	tool: null,
	model: null,
	...change,
});

export const toolCall = (index: number, callId: string, subject: string): EventView =>
	event(index, subject, {
		kind: 'tool_use',
		role: null,
		input: null,
		tool: {
			name: 'Bash',
			callId,
			isError: false,
			subject,
			files: [],
			exitCode: null,
			durationMs: null,
			patch: null,
			child: null,
		},
	});

export const toolResult = (index: number, callId: string, text: string): EventView => ({
	...toolCall(index, callId, ''),
	kind: 'tool_result',
	text,
	fullLength: text.length,
});

export const beginning = (size: Size = {columns: 100, rows: 30}): AppState =>
	initialState({settings, size, nowMs, query: '', filters: {}});

/** Key events as the terminal would send them. */
export const keyEvents = (...keys: readonly string[]): readonly KeyEvent[] => {
	const events: KeyEvent[] = [];
	for (const key of keys) {
		const decoder = createDecoder(event => events.push(event));
		decoder.write(bytesOf(key));
		decoder.end();
	}
	return events;
};

export const press = (state: AppState, ...keys: readonly string[]): AppState =>
	reduce(state, {type: 'keys', events: keyEvents(...keys)});

export const given = (state: AppState, ...actions: readonly Action[]): AppState =>
	actions.reduce(
		(before, action) =>
			reduce(
				before,
				action.type === 'list' && action.question === current
					? {...action, question: listQuestion(before)}
					: action,
			),
		state,
	);

/** Stands for what the list is asked at that moment. */
const current = 'the current question';

export const listAction = (
	rows: readonly ListRow[],
	change: Partial<Extract<Action, {type: 'list'}>> = {},
): Action => ({
	type: 'list',
	answer: {total: rows.length, rows, nextCursor: null, note: null},
	question: current,
	...change,
});

/** The sheet of a session that can be resumed as it is. */
export const resumeSheet = (of: SessionView, change: Partial<ResumeSheet> = {}): ResumeSheet => ({
	session: of,
	command: `claude --resume ${of.id}`,
	argv: ['claude', '--resume', of.id],
	env: {},
	plan: {argv: ['claude', '--resume', of.id], cwd: of.cwd, env: {}},
	program: '/bin/claude',
	reason: null,
	hint: null,
	remedy: null,
	parent: null,
	checks: [
		{label: 'directory', text: 'exists, on main', state: 'ok'},
		{label: 'program', text: '/bin/claude', state: 'ok'},
	],
	isDirectoryMissing: false,
	directories: [],
	canFork: true,
	unattendedFlags: ['--yolo'],
	...change,
});

type Answers = {
	readonly [Q in Question]?: (...parameters: Parameters<Questions[Q]>) => AnswerOf<Q>;
};

const defaults: Answers = {
	counts: () => ({sessions: 2, agents: 1, lastSyncMs: nowMs}),
	facet: () => [{value: 'claude-code', label: 'Claude Code', count: 2}],
	roots: () => [],
	missingDirectories: () => [],
	findInSession: () => [],
	landmarks: () => ({errors: [], code: []}),
	files: () => [],
	sourceRoots: () => [],
	upkeep: () => ({due: null, setAside: null}),
	list: () => ({total: 0, rows: [], nextCursor: null, note: null}),
	events: () => [],
	children: () => [],
	resumeSheet: ref => resumeSheet(session(ref.slice(ref.indexOf(':') + 1))),
};

/** An app whose questions are answered by functions, one turn of the event loop later. */
export const testApp = (answers: Answers, options: {readonly size?: Size} = {}) => {
	const asked: {readonly question: Question; readonly parameters: readonly unknown[]}[] = [];
	const newest = new Map<string, number>();
	const listeners = new Set<(message: FromSyncWorker) => void>();
	const done: string[] = [];
	let number = 0;
	const backend: Backend = {
		async ask(channel, question, ...parameters) {
			const own = ++number;
			newest.set(channel, own);
			asked.push({question, parameters});
			await Promise.resolve();
			if (newest.get(channel) !== own) return undefined;
			const answer = answers[question] ?? defaults[question];
			if (!answer) throw new Error(`no answer to ${question}`);
			return {value: (answer as (...all: readonly unknown[]) => never)(...parameters)};
		},
	};
	const desktop: Desktop = {
		now: () => nowMs,
		copy: async text => {
			done.push(`copy ${text}`);
			return 'system clipboard';
		},
		programVersion: async () => '7.8.9',
		runAgent: async (plan, notice) => {
			done.push(`run ${plan.argv.join(' ')} · ${notice}`);
			return null;
		},
		runInTmux: async (plan, place) => {
			done.push(`${place} ${plan.argv.join(' ')}`);
		},
		openInEditor: async (name, text) => {
			done.push(`edit ${name} ${text}`);
			return null;
		},
		openInPager: async (name, text) => {
			done.push(`page ${name} ${text}`);
			return null;
		},
		openFile: async path => {
			done.push(`open ${path}`);
			return null;
		},
		suspend: () => done.push('suspend'),
		quit: how => done.push(`quit ${JSON.stringify(how ?? {})}`),
		// Pauses in typing pass at once, the clock of the sync never.
		setTimer(callback, ms) {
			const timer = ms < 1_000 ? setImmediate(callback) : undefined;
			return () => clearImmediate(timer);
		},
	};
	const sync: Sync = {
		sync: () => {},
		poll: () => {},
		onMessage(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
	const store = createAppStore(beginning(options.size));
	const stop = startEffects(store, {backend, desktop, sync});
	return {
		store,
		asked,
		done,
		stop,
		say: (message: FromSyncWorker) => {
			for (const listener of listeners) listener(message);
		},
		press: (...keys: readonly string[]) =>
			store.dispatch({type: 'keys', events: keyEvents(...keys)}),
		/** Until nothing is waiting any more. */
		settled: async () => {
			for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
		},
	};
};
