/** The small JSON files beside a transcript. They change while the transcript does not grow, so each read looks again. */

import type {Problem} from '../model.js';
import {compact} from '../shared/compact.js';
import {readJsonFile} from '../shared/json-file.js';
import {recordOf, stringOf, textOf} from '../shared/narrow.js';
import {timeMs} from '../shared/time.js';
import type {Source} from '../types.js';

export interface Sidecars {
	readonly customTitle?: string;
	/** When it was archived; infinite if the mark has no time. */
	readonly archivedAtMs?: number;
	readonly description?: string;
	/** The call in the parent that started this sub-agent. */
	readonly callId?: string;
	readonly parentAgentId?: string;
}

const SIDECAR_BYTES = 1_048_576;

type Reader = (record: Record<string, unknown>) => Sidecars;

const READERS: readonly (readonly [ending: string, read: Reader])[] = [
	['/custom-title.json', record => compact({customTitle: textOf(record['customTitle'])})],
	[
		'/archived.json',
		record => (record['archived'] === true ? {archivedAtMs: timeMs(record['at']) ?? Infinity} : {}),
	],
	[
		'.meta.json',
		record =>
			compact({
				description: textOf(record['description']),
				callId: textOf(record['toolUseId']),
				parentAgentId: agentIdOf(record['parentAgentId']),
			}),
	],
];

/** Agent ids stand in records with and without the `agent-` of the file name; session ids have the bare one. */
export const agentIdOf = (value: unknown): string | undefined =>
	textOf(stringOf(value)?.replace(/^agent-/, ''));

export const readSidecars = (source: Source, report: (problem: Problem) => void): Sidecars => {
	let sidecars: Sidecars = {};
	for (const {path} of source.files.slice(1)) {
		const read = READERS.find(([ending]) => path.replaceAll('\\', '/').endsWith(ending))?.[1];
		const document = readJsonFile(path, SIDECAR_BYTES);
		if (read === undefined || document === undefined) continue;
		if (document.problem === undefined) sidecars = {...sidecars, ...read(recordOf(document.value))};
		else report(document.problem);
	}
	return sidecars;
};
