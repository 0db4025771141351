/** Folders of tasks: `<base>/tasks/<task id>/` with a few documents each, and a list of them beside in older stores. */

import {basename, join} from 'node:path';
import type {Discovered, FileStamp, Root, Source, Surroundings} from '../../types.js';
import {compact} from '../compact.js';
import {oneLine} from '../content.js';
import {editorUserFolders} from '../editor-folders.js';
import {readJsonFile} from '../json-file.js';
import {at, listOf, numberOf, textOf} from '../narrow.js';
import {defaultRoots} from '../roots.js';
import {listFolder, stampOf} from '../walk.js';

/** Documents that hold the talk, best first. The last one is the name of very old versions. */
export const TALK_FILES = [
	'api_conversation_history.json',
	'ui_messages.json',
	'claude_messages.json',
] as const;
const SIDE_FILES = ['task_metadata.json', 'history_item.json'] as const;
/** Where Cline and old versions of its forks keep the list of tasks. */
const LIST = ['state', 'taskHistory.json'] as const;
const PROFILES = 'profiles';
const TITLE_CHARS = 400;

/** What the list says of a task, as `Source.extra`. The same names as in `history_item.json`. */
type TaskItem = Readonly<Record<string, string | number>>;

const TEXTS = ['task', 'cwdOnTaskInitialization', 'modelId'] as const;
const NUMBERS = ['ts', 'tokensIn', 'tokensOut', 'cacheReads', 'cacheWrites', 'totalCost'] as const;

const itemOf = (entry: unknown): TaskItem => {
	const texts = TEXTS.map(name => [name, textOf(at(entry, name))] as const);
	const numbers = NUMBERS.map(name => [name, numberOf(at(entry, name))] as const);
	return compact(
		Object.fromEntries([
			...texts.map(([name, text]) => [name, text && oneLine(text, TITLE_CHARS)] as const),
			...numbers,
		]),
	) as TaskItem;
};

const listedTasks = (base: string): ReadonlyMap<string, TaskItem> => {
	const entries = listOf(readJsonFile(join(base, ...LIST))?.value);
	return new Map(
		entries.flatMap(entry => {
			const id = textOf(at(entry, 'id'));
			return id === undefined ? [] : [[id, itemOf(entry)] as const];
		}),
	);
};

const sourceOf = (folder: string, id: string, item: TaskItem | undefined): Source | undefined => {
	const stamps = (names: readonly string[]): readonly FileStamp[] =>
		names.flatMap(name => stampOf(join(folder, name)) ?? []);
	const talk = stamps(TALK_FILES);
	const [primary] = talk;
	if (primary === undefined) return undefined;
	return {
		key: folder,
		path: primary.path,
		files: [...talk, ...stamps(SIDE_FILES)],
		mode: 'replace',
		sessionId: id,
		...(item === undefined ? {} : {extra: {item}}),
	};
};

/** The tasks below a base folder. A folder without a talk is none. */
export function* discoverTasks(base: string): Generator<Discovered> {
	const tasks = join(base, 'tasks');
	const listing = listFolder(tasks);
	if (listing === undefined) return;
	if (listing.problem !== undefined) {
		yield {problem: listing.problem};
		return;
	}
	const items = listedTasks(base);
	for (const {name} of listing.entries.filter(entry => entry.isDirectory())) {
		const source = sourceOf(join(tasks, name), name, items.get(name));
		if (source !== undefined) yield {source};
	}
}

/** Where an extension keeps tasks: its storage in each editor, and that of the editor's profiles. */
export const extensionRoots = (around: Surroundings, extension: string): readonly Root[] =>
	defaultRoots(
		...editorUserFolders(around).flatMap(user => [
			join(user, 'globalStorage', extension),
			join(user, PROFILES),
		]),
	);

/** The bases of a root: itself, or one for each profile (`<user folder>/profiles/<profile>/globalStorage/<extension>`). */
export const basesOf = ({path}: Root, extension: string): readonly string[] =>
	basename(path) === PROFILES
		? (listFolder(path)?.entries ?? [])
				.filter(entry => entry.isDirectory())
				.map(({name}) => join(path, name, 'globalStorage', extension))
		: [path];

/** Reads a document of a task's folder, if there is one. */
export const sideDocument = (source: Source, name: string): unknown => {
	const file = source.files.find(({path}) => path.endsWith(name));
	return file === undefined ? undefined : readJsonFile(file.path)?.value;
};
