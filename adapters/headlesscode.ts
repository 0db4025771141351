/** HeadlessCode: one archive a session, `projects/<key>/sessions/<id>.json`. Field names are read with tolerance. */

import {basename, dirname, join} from 'node:path';
import type {AdapterEvent, SessionFacts} from './model.js';
import {createBatch, END} from './shared/batch.js';
import {commonChange} from './shared/calls/changes.js';
import {compact} from './shared/compact.js';
import {oneLine} from './shared/content.js';
import {readDocument} from './shared/document.js';
import {foreignBy} from './shared/foreign.js';
import {readJsonFile} from './shared/json-file.js';
import {at, listOf, stringOf, textOf} from './shared/narrow.js';
import {parentLink} from './shared/parent.js';
import {agentRoots, statedPath} from './shared/roots.js';
import {
	argumentsOf,
	callForm,
	eventOf,
	type Form,
	mediaText,
	type Place,
	promptForm,
	replyForm,
	resultForm,
} from './shared/rows/events.js';
import {UUID} from './shared/session-ids.js';
import {timeMs} from './shared/time.js';
import {findFiles} from './shared/walk.js';
import type {
	Adapter,
	Batch,
	Discovered,
	ResumePlan,
	ResumeRequest,
	Root,
	Source,
	Surroundings,
} from './types.js';

const VARIABLE = 'HEADLESSCODE_DATA_DIR';

const roots = (around: Surroundings): readonly Root[] =>
	agentRoots(around, {
		standard: join(around.home, '.local/share/headlesscode'),
		stated: statedPath(around.env[VARIABLE]),
		resumeEnv: path => ({[VARIABLE]: path}),
	});

/** What `Source.extra` holds. */
interface Project {
	readonly projectPath?: string;
}

/** A crashed writer leaves a lock or an unfinished copy beside an archive. */
const ARCHIVE = /^(?!.*lock)[^/]+\/sessions\/[^/.]+\.json$/i;

const projectOf = (folder: string): Project =>
	compact({projectPath: textOf(at(readJsonFile(join(folder, 'project.json'))?.value, 'path'))});

function* discover(root: Root): Generator<Discovered> {
	const found = yield* findFiles(join(root.path, 'projects'), {
		depth: 3,
		accept: relative => ARCHIVE.test(relative),
		enter: relative => /^[^/]+(?:\/sessions)?$/.test(relative),
	});
	const known = new Map<string, Project>();
	for (const {path, stamp} of found) {
		const folder = dirname(dirname(path));
		const extra = known.get(folder) ?? projectOf(folder);
		known.set(folder, extra);
		const sessionId = basename(path, '.json');
		yield {source: {key: path, path, files: [stamp], mode: 'replace', sessionId, extra}};
	}
}

const firstOf = (value: unknown, names: readonly string[]): unknown =>
	names.map(name => at(value, name)).find(found => found !== undefined && found !== null);

const FIELDS = {
	version: ['schemaVersion', 'schema_version', 'version'],
	title: ['title', 'name'],
	created: ['createdAt', 'created_at'],
	updated: ['updatedAt', 'updated_at'],
	cwd: ['workspace', 'workspacePath', 'workspace_path', 'cwd', 'worktree'],
	origin: ['source', 'provenance', 'import'],
	parent: ['parentId', 'parent_id', 'forkedFrom', 'forked_from'],
	branch: ['branch', 'gitBranch', 'git_branch'],
	time: ['timestamp', 'createdAt', 'created_at'],
	callId: ['tool_use_id', 'toolUseId', 'tool_call_id', 'toolCallId', 'id'],
} as const;

/** Texts that agents put into the user's mouth; archives keep those of the agent that they were imported from. */
const INJECTED =
	/^\s*(?:<(?:system-reminder|local-command-\w+|environment_context|user_instructions|permissions instructions|INSTRUCTIONS)>|# AGENTS\.md instructions|Caveat: The messages below)/;
const COMMAND = /<command-name>\s*\/?([^<]+?)\s*<\/command-name>/;
const COMMAND_ARGUMENTS = /<command-args>([\s\S]*?)<\/command-args>/;

const importedForm = (text: string): Form => {
	if (INJECTED.test(text)) return {kind: 'meta', text};
	const [, name] = COMMAND.exec(text) ?? [];
	if (name === undefined) return promptForm(text);
	const args = COMMAND_ARGUMENTS.exec(text)?.[1]?.trim() ?? '';
	return promptForm(`/${name}${args === '' ? '' : ` ${args}`}`);
};

interface Message {
	readonly role: unknown;
	readonly place: Place;
	readonly names: Map<string, string>;
	readonly isImported: boolean;
	readonly unknown: (kind: string) => void;
}

const saidForm = (text: string, {role, place, isImported}: Message): Form | undefined => {
	if (text.trim() === '') return undefined;
	if (role === 'assistant') return replyForm(text, place);
	if (role === 'tool') return resultForm(text, {callId: undefined}, new Map());
	if (role !== 'user') return {kind: 'meta', text};
	return isImported ? importedForm(text) : promptForm(text);
};

const CALLS = new Set(['tool_use', 'tool_call']);
const MEDIA = new Set(['media', 'image', 'document', 'file', 'audio', 'media_reference']);
/** Nothing that could be shown. */
const SEALED = new Set(['reasoning', 'opaque', 'encrypted', 'thinking']);

const mediaOf = (block: unknown): string => {
	const mediaType = at(block, 'mediaType') ?? at(block, 'media_type');
	const isImage = at(block, 'type') === 'image' || String(mediaType).startsWith('image');
	return mediaText(isImage ? 'image' : 'file', {mediaType, name: at(block, 'name')});
};

const textIn = (content: unknown): string =>
	typeof content === 'string'
		? content
		: listOf(content)
				.map(block => stringOf(block) ?? stringOf(at(block, 'text')) ?? mediaOf(block))
				.join('\n');

const blockForm = (block: unknown, message: Message): Form | undefined => {
	const {place, names} = message;
	const type = textOf(at(block, 'type')) ?? 'text';
	const callId = textOf(firstOf(block, FIELDS.callId));
	if (CALLS.has(type)) {
		const name = textOf(at(block, 'name')) ?? 'unknown';
		const args = argumentsOf(at(block, 'input') ?? at(block, 'arguments'));
		return callForm({name, callId, args}, {change: commonChange(name), names, place});
	}
	if (type === 'tool_result') {
		const isError = (at(block, 'is_error') ?? at(block, 'isError')) === true;
		return resultForm(textIn(at(block, 'content')), {callId, isError}, names);
	}
	if (type !== 'text' && !MEDIA.has(type) && !SEALED.has(type)) {
		message.unknown(`block/${oneLine(type, 80)}`);
	}
	return undefined;
};

/** Words and media of a message are one text, at the place of the first. */
const messageEvents = (content: unknown, message: Message): readonly AdapterEvent[] => {
	const blocks = typeof content === 'string' ? [{type: 'text', text: content}] : listOf(content);
	const isSaid = (block: unknown): boolean => {
		const type = textOf(at(block, 'type')) ?? 'text';
		return type === 'text' || MEDIA.has(type);
	};
	const said = blocks.findIndex(isSaid);
	return blocks.flatMap((block, index) => {
		const form =
			index === said ? saidForm(textIn(blocks.filter(isSaid)), message) : blockForm(block, message);
		return form === undefined ? [] : [eventOf(message.place, index, form)];
	});
};

const factsOf = (document: unknown, {projectPath}: Project): SessionFacts => {
	const text = (names: readonly string[]): string | undefined => textOf(firstOf(document, names));
	const provider = textOf(at(firstOf(document, FIELDS.origin), 'provider'));
	return compact({
		generatedTitle: text(FIELDS.title),
		cwd: text(FIELDS.cwd) ?? projectPath,
		checkout: projectPath,
		branch: text(FIELDS.branch),
		model: textOf(at(document, 'model')),
		createdAtMs: timeMs(firstOf(document, FIELDS.created)),
		updatedAtMs: timeMs(firstOf(document, FIELDS.updated)),
		tag: provider === undefined ? undefined : `imported from ${provider}`,
		parent: parentLink(text(FIELDS.parent), 'fork'),
	});
};

function* read(source: Source): Generator<Batch> {
	const document = readDocument(source.path);
	const batch = createBatch(source.sessionId ?? '');
	batch.patch(factsOf(document, (source.extra ?? {}) as Project));
	const version = firstOf(document, FIELDS.version);
	if (version !== undefined && version !== 1) {
		const detail = `archive of the unknown version ${oneLine(String(version), 40)}`;
		batch.problem({code: 'unsupported-schema', where: source.path, detail});
		yield batch.take(END);
		return;
	}
	const isImported = firstOf(document, FIELDS.origin) !== undefined;
	const names = new Map<string, string>();
	for (const [index, value] of listOf(document['messages']).entries()) {
		const place: Place = {
			key: textOf(at(value, 'id')) ?? `${index}`,
			atMs: timeMs(firstOf(value, FIELDS.time)),
			locator: {path: source.path, pointer: `/messages/${index}`},
			model: textOf(at(value, 'model')),
		};
		const role = at(value, 'role');
		const unknown = (kind: string): void => batch.unknown(kind);
		const message = {role, place, names, isImported, unknown};
		for (const event of messageEvents(at(value, 'content'), message)) batch.event(event);
	}
	yield batch.take(END);
}

const resume = ({id, cwd, resumeEnv}: ResumeRequest): ResumePlan => {
	// Archives are named by a UUID.
	if (!UUID.test(id)) return {reason: `${id} is no session id of HeadlessCode`};
	const place = cwd === null ? [] : ['--workspace', cwd];
	return {argv: ['headlesscode', 'chat', '--resume', id, ...place], cwd, env: resumeEnv};
};

export const headlesscode: Adapter = {
	id: 'headlesscode',
	label: 'HeadlessCode',
	shortLabel: 'Headless',
	parserVersion: 1,
	checked: ['archive version 1'],
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	foreign: foreignBy({
		idIn: record =>
			Array.isArray(record['messages']) &&
			// Cline's sessions say where they were begun.
			!('origin' in record) &&
			[record['schemaVersion'], record['schema_version'], record['version']].includes(1) &&
			(record['id'] ?? record['sessionId'] ?? true),
		at: id => `projects/imported/sessions/${id}.json`,
	}),
	resume,
};
