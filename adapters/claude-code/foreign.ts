/** A transcript that lies anywhere, recognised by its records. */
import {dirname} from 'node:path';
import {isRecord, recordOf, textOf} from '../shared/narrow.js';
import type {FileStamp, Source} from '../types.js';
import type {Place} from './discover.js';
import {agentIdOf} from './sidecars.js';

type Head = readonly Readonly<Record<string, unknown>>[];

const isMessage = (record: Readonly<Record<string, unknown>>): boolean =>
	(record['type'] === 'user' || record['type'] === 'assistant') &&
	textOf(record['uuid']) !== undefined &&
	isRecord(record['message']) &&
	'content' in recordOf(record['message']);

export const foreign = (file: FileStamp, head: Head): Source | undefined => {
	const message = head.find(isMessage);
	const rootId = textOf(message?.['sessionId']);
	if (message === undefined || rootId === undefined) return undefined;
	const agentId = message['isSidechain'] === true ? agentIdOf(message['agentId']) : undefined;
	const place: Place = {
		rootId,
		folder: dirname(file.path),
		...(agentId === undefined ? {} : {agentId}),
	};
	return {key: file.path, path: file.path, files: [file], mode: 'append', extra: place};
};
