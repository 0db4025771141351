/** What our own copy has of a session whose source is gone, as bytes and rows. */
import {dirname} from 'node:path';
import type {Locator} from '../../adapters/model.js';
import type {ByteInput} from '../../adapters/shared/bytes.js';
import type {VersionState} from '../../store/archive/member.js';
import {createMirrorReader, type MirrorReader} from '../../store/archive/mirror-read.js';
import {type MirrorFile, mirrorFiles, versionsOf} from '../../store/archive/mirror-rows.js';
import type {Database} from '../../store/open.js';

export interface MirroredFile {
	readonly path: string;
	/** Records are rows of a database, one JSON document a line. */
	readonly isRows: boolean;
	open(): ByteInput;
}

/** The newest state of each file that was kept of a session. */
export const mirroredFiles = (database: Database, session: number): readonly MirroredFile[] => {
	const files = mirrorFiles(database, session);
	if (files.length === 0) return [];
	const reader = createMirrorReader(database, dirname(database.name));
	return files.flatMap(file => {
		const [version] = versionsOf(database, file.id);
		return version === undefined
			? []
			: {
					path: file.path,
					isRows: file.kind === 'rows',
					open: () => versionInput(reader, file, version),
				};
	});
};

const versionInput = (reader: MirrorReader, {id}: MirrorFile, version: VersionState): ByteInput => {
	let place = 0;
	return {
		read(into) {
			const sizeBytes = Math.min(into.length, version.sizeBytes - place);
			const bytes = sizeBytes > 0 ? reader.version(id, version, [place, sizeBytes]) : undefined;
			// A part that is lost ends it: what stands behind has no place any more.
			if (bytes === undefined) return 0;
			into.set(bytes);
			place += bytes.length;
			return bytes.length;
		},
		problem: () => undefined,
		close() {},
	};
};

/** A row as the mirror keeps it. */
export interface MirroredRow {
	readonly locator: Extract<Locator, {readonly table: string}>;
	readonly raw: string;
}

export function* mirroredRows(input: ByteInput): Generator<MirroredRow> {
	const chunk = Buffer.alloc(1024 * 1024);
	const decoder = new TextDecoder();
	let rest = '';
	for (let read = input.read(chunk); read > 0; read = input.read(chunk)) {
		const lines = (rest + decoder.decode(chunk.subarray(0, read), {stream: true})).split('\n');
		rest = lines.pop() ?? '';
		for (const line of lines) if (line !== '') yield rowOf(line);
	}
	if (rest !== '') yield rowOf(rest);
}

const rowOf = (line: string): MirroredRow => {
	const {table, row, raw} = JSON.parse(line) as {table: string; row: string | number; raw: string};
	return {locator: {table, row}, raw};
};
