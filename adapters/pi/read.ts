/** Reads one log of Pi or oh-my-pi. */

import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {ParentLink, SessionFacts} from '../model.js';
import {compact} from '../shared/compact.js';
import {recordOf, textOf} from '../shared/narrow.js';
import {type Head, headFacts, headId, readHead} from '../shared/pi/head.js';
import {readLog} from '../shared/pi/log.js';
import type {Progress} from '../shared/pi/progress.js';
import type {Batch, Cursor, Source} from '../types.js';
import type {Place} from './discover.js';
import {dialectOf} from './prompts.js';

interface Title {
	readonly text: string | undefined;
	readonly isOwn: boolean;
}

/** oh-my-pi: the slot, else the header, else the last change. Pi: a name that the user gave. */
const titleOf = ({header, slot}: Head, progress: Progress): Title | undefined => {
	const titles: readonly Title[] = [
		{text: textOf(slot?.['title']), isOwn: slot?.['source'] === 'user'},
		{text: textOf(header['title']), isOwn: header['titleSource'] === 'user'},
		{text: textOf(progress.title), isOwn: progress.isTitleOwn === true},
		{text: textOf(progress.name), isOwn: true},
	];
	return titles.find(({text}) => text !== undefined);
};

/**
 * `parentSession` is a path of the place where the session was forked, seldom an id. The file is looked for where this log lies:
 * the store may have moved. Its name holds the id, its header is what counts.
 */
const forkOrigin = (path: string, stated: string): string | undefined => {
	if (!/[/\\]|\.jsonl$/.test(stated)) return stated;
	const [name = '', folder = ''] = stated.split(/[/\\]/).reverse();
	const own = dirname(path);
	const places = [join(own, name), join(dirname(own), folder, name)];
	const head = places
		.filter(place => existsSync(place))
		.map(readHead)
		.find(Boolean);
	if (head !== undefined) return headId(head);
	return /_([^_]+)\.jsonl$/.exec(name)?.[1];
};

const parentOf = (source: Source, {header}: Head, {parentPath}: Place): ParentLink | undefined => {
	if (parentPath !== undefined) {
		const parent = readHead(parentPath);
		if (parent === undefined) return undefined;
		return {id: headId(parent), relation: 'subagent', certainty: 'exact'};
	}
	const stated = textOf(header['parentSession']);
	const id = stated === undefined ? undefined : forkOrigin(source.path, stated);
	if (id === undefined || id === headId({header, slot: undefined})) return undefined;
	return {id, relation: 'fork', certainty: 'exact'};
};

const resumeHint = (place: Place, head: Head): Readonly<Record<string, string>> => ({
	program: head.slot === undefined ? place.program : 'omp',
	by: place.isFiled ? 'id' : 'path',
});

export function* read(source: Source, from?: Cursor): Generator<Batch> {
	const head = readHead(source.path);
	if (head === undefined) return;
	const place = recordOf(source.extra) as unknown as Place;
	const isSubagent = place.parentPath !== undefined;
	const parent = parentOf(source, head, place);
	const facts = (progress: Progress): SessionFacts => {
		const title = titleOf(head, progress);
		return compact({
			...headFacts(head),
			customTitle: title?.isOwn === true ? title.text : null,
			generatedTitle: title?.isOwn === false ? title.text : null,
			description: isSubagent ? progress.task : undefined,
			model: progress.model,
			isSubagent: isSubagent ? true : undefined,
			parent,
			tag:
				progress.importedFrom === undefined ? undefined : `imported from ${progress.importedFrom}`,
			resumeHint: resumeHint(place, head),
		});
	};
	yield* readLog(source, from, {sessionId: headId(head), dialect: dialectOf(isSubagent), facts});
}
