/** Stories as the agents would have written them. */
import type {Step, Story} from './story.js';

/** A file below the home folder. */
export interface DemoFile {
	readonly path: string;
	readonly text: string;
	readonly atMs: number;
}

export interface Telling {
	readonly story: Story;
	/** Number of the story; ids are made of it. */
	readonly number: number;
	readonly nowMs: number;
	/** Folder in which the projects of the stories lie. */
	readonly projects: string;
}

type Json = Readonly<Record<string, unknown>>;

const stepMs = 25_000;

/** Stories name files below `/demo`; in the records they lie in the folder of the projects. */
const lines = (records: readonly Json[], projects: string): string =>
	`${records.map(record => JSON.stringify(record).replaceAll('/demo/', `${projects}/`)).join('\n')}\n`;

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

const uuid = (story: number, part: number): string =>
	`de300000-${hex(story, 4)}-4000-8000-${hex(part, 12)}`;

const lengthMs = (steps: readonly Step[]): number =>
	steps.reduce((sum, step) => {
		if ('pauseMinutes' in step) return sum + step.pauseMinutes * 60_000;
		if ('rewound' in step) return sum + lengthMs(step.rewound);
		return sum + ('task' in step ? stepMs + lengthMs(step.steps) : stepMs);
	}, 0);

const beginningOf = ({story, nowMs}: Telling): number =>
	nowMs - story.hoursAgo * 3_600_000 - lengthMs(story.steps);

/** One conversation in one file, and those of its sub-agents beside it. */
interface Transcript {
	readonly records: Json[];
	readonly files: DemoFile[];
	parent: string | null;
	atMs: number;
	part: number;
}

interface ClaudeFile {
	readonly telling: Telling;
	readonly session: string;
	readonly folder: string;
	readonly agentId?: string;
}

const claudeCommon = ({telling, session, agentId}: ClaudeFile): Json => ({
	isSidechain: agentId !== undefined,
	...(agentId === undefined ? {} : {agentId}),
	userType: 'external',
	entrypoint: 'cli',
	cwd: `${telling.projects}/${telling.story.project}`,
	sessionId: session,
	version: '2.1.332',
	gitBranch: telling.story.branch,
});

const addClaude = (to: Transcript, file: ClaudeFile, record: Json): void => {
	to.part += 1;
	to.atMs += stepMs / 2;
	const id = uuid(file.telling.number, to.part);
	to.records.push({
		parentUuid: to.parent,
		...claudeCommon(file),
		...record,
		uuid: id,
		timestamp: new Date(to.atMs).toISOString(),
	});
	to.parent = id;
};

const addAssistant = (to: Transcript, file: ClaudeFile, block: Json): void =>
	addClaude(to, file, {
		type: 'assistant',
		message: {
			id: `msg_demo${hex(to.part, 20)}`,
			type: 'message',
			role: 'assistant',
			model: 'claude-opus-4-8',
			content: [block],
			usage: {
				input_tokens: 1_200,
				output_tokens: 140,
				cache_read_input_tokens: 9_000,
				cache_creation_input_tokens: 0,
			},
		},
	});

const addTool = (
	to: Transcript,
	file: ClaudeFile,
	tool: {
		readonly name: string;
		readonly input: Json;
		readonly output: string;
		readonly isError?: boolean;
		readonly extra?: Json;
	},
): void => {
	const id = `toolu_demo${hex(file.telling.number, 4)}${hex(to.part, 12)}`;
	addAssistant(to, file, {type: 'tool_use', id, name: tool.name, input: tool.input});
	addClaude(to, file, {
		type: 'user',
		message: {
			role: 'user',
			content: [
				{
					type: 'tool_result',
					tool_use_id: id,
					content: tool.output,
					is_error: tool.isError === true,
				},
			],
		},
		...(tool.extra === undefined ? {} : {toolUseResult: tool.extra}),
	});
};

const addTask = (to: Transcript, file: ClaudeFile, step: Extract<Step, {task: string}>): void => {
	const agentId = `de3${hex(file.telling.number, 4)}${hex(to.part, 10)}`;
	const child: ClaudeFile = {...file, agentId};
	const inner: Transcript = {
		records: [],
		files: [],
		parent: null,
		atMs: to.atMs,
		part: to.part + 1000,
	};
	addClaude(inner, child, {type: 'user', message: {role: 'user', content: step.task}});
	for (const part of step.steps) addClaudeStep(inner, child, part);
	const folder = `${file.folder}/${file.session}/subagents`;
	const callId = `toolu_demo${hex(file.telling.number, 4)}${hex(to.part, 12)}`;
	to.files.push(
		{
			path: `${folder}/agent-${agentId}.jsonl`,
			text: lines(inner.records, file.telling.projects),
			atMs: inner.atMs,
		},
		{
			path: `${folder}/agent-${agentId}.meta.json`,
			text: JSON.stringify({
				agentType: 'general-purpose',
				description: step.task,
				toolUseId: callId,
			}),
			atMs: inner.atMs,
		},
	);
	to.atMs = inner.atMs;
	addTool(to, file, {
		name: 'Agent',
		input: {description: step.task, prompt: step.task, subagent_type: 'general-purpose'},
		output: step.answer,
		extra: {
			status: 'completed',
			prompt: step.task,
			agentId,
			content: [{type: 'text', text: step.answer}],
		},
	});
};

const addPicture = (
	to: Transcript,
	file: ClaudeFile,
	{picture, prompt}: {readonly picture: string; readonly prompt: string},
): void =>
	addClaude(to, file, {
		type: 'user',
		promptSource: 'typed',
		message: {
			role: 'user',
			content: [
				{type: 'image', source: {type: 'base64', media_type: 'image/png', data: picture}},
				{type: 'text', text: prompt},
			],
		},
	});

/** Steps that were taken back: what follows hangs on the record before them. */
const addRewound = (to: Transcript, file: ClaudeFile, steps: readonly Step[]): void => {
	const {parent} = to;
	for (const step of steps) addClaudeStep(to, file, step);
	to.parent = parent;
};

const addClaudeStep = (to: Transcript, file: ClaudeFile, step: Step): void => {
	if ('picture' in step) addPicture(to, file, step);
	else if ('prompt' in step)
		addClaude(to, file, {
			type: 'user',
			promptSource: 'typed',
			message: {role: 'user', content: step.prompt},
		});
	else if ('reply' in step) addAssistant(to, file, {type: 'text', text: step.reply});
	else if ('thinking' in step) addAssistant(to, file, {type: 'thinking', thinking: step.thinking});
	else if ('tool' in step)
		addTool(to, file, {
			name: step.tool,
			input: step.input,
			output: step.output,
			isError: step.isError === true,
			...(step.result === undefined ? {} : {extra: step.result}),
		});
	else if ('task' in step) addTask(to, file, step);
	else if ('compacted' in step)
		addClaude(to, file, {
			type: 'user',
			isCompactSummary: true,
			isVisibleInTranscriptOnly: true,
			message: {role: 'user', content: step.compacted},
		});
	else if ('rewound' in step) addRewound(to, file, step.rewound);
	else to.atMs += step.pauseMinutes * 60_000;
};

export const claudeFiles = (telling: Telling): readonly DemoFile[] => {
	const session = uuid(telling.number, 0);
	const slug = `${telling.projects}/${telling.story.project}`.replaceAll(/[^a-z\d]/gi, '-');
	const folder = `.claude/projects/${slug}`;
	const file: ClaudeFile = {telling, session, folder};
	const to: Transcript = {
		records: [],
		files: [],
		parent: null,
		atMs: beginningOf(telling),
		part: 0,
	};
	if (telling.story.title !== undefined)
		to.records.push({type: 'ai-title', aiTitle: telling.story.title, sessionId: session});
	for (const step of telling.story.steps) addClaudeStep(to, file, step);
	return [
		...to.files,
		{path: `${folder}/${session}.jsonl`, text: lines(to.records, telling.projects), atMs: to.atMs},
		...forkFiles(file, to),
	];
};

/** A fork: the records up to there under another session id, and its own steps behind them. */
const forkFiles = (file: ClaudeFile, {records, atMs}: Transcript): readonly DemoFile[] => {
	const {fork} = file.telling.story;
	if (fork === undefined) return [];
	const session = uuid(file.telling.number + 0x100, 0);
	const kept = records
		.filter(record => 'uuid' in record)
		.slice(0, fork.afterRecords)
		.map(record => ({
			...record,
			sessionId: session,
			forkedFrom: {sessionId: file.session, messageUuid: record['uuid']},
		}));
	const own: ClaudeFile = {...file, session};
	const to: Transcript = {
		records: [...kept],
		files: [],
		parent: records.filter(record => 'uuid' in record).at(fork.afterRecords - 1)?.[
			'uuid'
		] as string,
		atMs: atMs + stepMs,
		part: 0x8000,
	};
	for (const step of fork.steps) addClaudeStep(to, own, step);
	return [
		{
			path: `${file.folder}/${session}.jsonl`,
			text: lines(to.records, file.telling.projects),
			atMs: to.atMs,
		},
	];
};

const codexItems = (step: Step, callId: string): readonly Json[] => {
	if ('prompt' in step)
		return [{type: 'message', role: 'user', content: [{type: 'input_text', text: step.prompt}]}];
	if ('reply' in step)
		return [
			{type: 'message', role: 'assistant', content: [{type: 'output_text', text: step.reply}]},
		];
	if ('thinking' in step)
		return [{type: 'reasoning', summary: [{type: 'summary_text', text: step.thinking}]}];
	if ('tool' in step)
		return [
			{
				type: 'function_call',
				name: step.tool,
				arguments: JSON.stringify(step.input),
				call_id: callId,
			},
			{type: 'function_call_output', call_id: callId, output: step.output},
		];
	return [];
};

export const codexFiles = (telling: Telling): readonly DemoFile[] => {
	const {story, number, projects} = telling;
	const id = `01a20000-${hex(number, 4)}-7000-8000-de3000000000`;
	const beganMs = beginningOf(telling);
	const records: Json[] = [];
	let atMs = beganMs;
	const add = (type: string, payload: Json) => {
		records.push({timestamp: new Date(atMs).toISOString(), ordinal: records.length, type, payload});
		atMs += stepMs / 2;
	};
	const began = new Date(beganMs).toISOString();
	const cwd = `${projects}/${story.project}`;
	add('session_meta', {
		id,
		timestamp: began,
		cwd,
		originator: 'codex-tui',
		cli_version: '0.171.0',
		source: 'cli',
		git: {branch: story.branch},
	});
	add('turn_context', {cwd, model: 'gpt-5.4'});
	for (const step of story.steps) {
		if ('pauseMinutes' in step) atMs += step.pauseMinutes * 60_000;
		for (const item of codexItems(step, `call_demo${records.length}`)) add('response_item', item);
	}
	const [day = '', time = ''] = began.slice(0, 19).split('T');
	const name = `rollout-${day}T${time.replaceAll(':', '-')}-${id}.jsonl`;
	const path = `.codex/sessions/${day.replaceAll('-', '/')}/${name}`;
	return [{path, text: lines(records, projects), atMs}];
};
