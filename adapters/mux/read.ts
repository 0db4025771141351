/** Reads a talk whole: archived lines, active ones, and the message that is being written. */

import {basename} from 'node:path';
import type {SessionFacts} from '../model.js';
import {type BatchBuilder, createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {readJsonFile} from '../shared/json-file.js';
import {readJsonLines} from '../shared/jsonl.js';
import {at, isRecord, listOf, recordOf, textOf} from '../shared/narrow.js';
import {subagentFacts} from '../shared/parent.js';

import {timeMs} from '../shared/time.js';
import type {Batch, Source} from '../types.js';
import type {Place} from './discover.js';
import {type Message, messageEvents, modelOf, sequenceOf, usageOf} from './messages.js';

const fileOf = (source: Source, name: string): string | undefined =>
	source.files.find(({path}) => basename(path) === name)?.path;

/** Lines of a log; one that was moved to the archive may stand in both. */
const readLog = (path: string, messages: Map<string, Message>, batch: BatchBuilder): void => {
	for (const line of readJsonLines(path)) {
		const {record, problem, number, offset, length} = line;
		if (problem !== undefined) batch.problem(problem);
		else {
			const key = textOf(record['id']) ?? `${basename(path, '.jsonl')}-L${number}`;
			messages.set(key, {record, key, locator: {path, offset, length}});
		}
	}
};

const partsIn = ({record}: Message): number => listOf(record['parts']).length;

/** It takes the place of a line with its number only when it holds more. */
const addPartial = (path: string, messages: Map<string, Message>, batch: BatchBuilder): void => {
	const document = readJsonFile(path);
	if (document?.problem !== undefined) batch.problem(document.problem);
	const record = document?.value;
	if (!isRecord(record)) return;
	const locator = {path, pointer: ''};
	const partial: Message = {record, key: textOf(record['id']) ?? 'partial', locator};
	const known = [...messages.values()].find(
		message => message.key === partial.key || sequenceOf(message) === sequenceOf(partial),
	);
	if (known === undefined) messages.set(partial.key, partial);
	else if (partsIn(partial) > partsIn(known)) {
		messages.set(known.key, {...partial, key: known.key});
	}
};

const bySequence = (a: Message, b: Message): number => {
	const [first, second] = [sequenceOf(a), sequenceOf(b)];
	return first === second ? 0 : first - second;
};

/** Older versions say here what `config.json` says later, which comes from outside. */
const factsOf = (source: Source, {parentId}: Place): SessionFacts => {
	const metadata = readJsonFile(fileOf(source, 'metadata.json') ?? '')?.value;
	const parent = parentId ?? textOf(at(metadata, 'parentWorkspaceId'));
	return compact({
		generatedTitle: textOf(at(metadata, 'name')),
		cwd: textOf(at(metadata, 'projectPath')),
		model: textOf(at(metadata, 'model')),
		updatedAtMs: timeMs(at(metadata, 'updatedAt')),
		...subagentFacts(parent),
	});
};

export function* read(source: Source): Generator<Batch> {
	const place = recordOf(source.extra) as unknown as Place;
	const batch = createBatch(place.id);
	const messages = new Map<string, Message>();
	for (const name of ['chat-archive.jsonl', 'chat.jsonl']) {
		const path = fileOf(source, name);
		if (path !== undefined) readLog(path, messages, batch);
	}
	const partial = fileOf(source, 'partial.json');
	if (partial !== undefined) addPartial(partial, messages, batch);
	const facts = factsOf(source, place);
	batch.patch(facts);
	const talk = {
		isSubagent: facts.isSubagent === true || source.outside?.isSubagent === true,
		names: new Map<string, string>(),
		given: new Set<string>(),
		unknown: (kind: string): void => batch.unknown(kind),
	};
	for (const message of [...messages.values()].toSorted(bySequence)) {
		const model = modelOf(message);
		if (model !== undefined) batch.patch({model});
		for (const event of messageEvents(message, talk)) batch.event(event);
		const usage = usageOf(message);
		if (usage !== undefined) batch.usage(usage);
	}
	yield batch.take(END);
}
