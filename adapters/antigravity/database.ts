/** Databases of newer versions: one for each conversation, its steps in protobuf. */

import type {Locator} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {jsonText} from '../shared/content.js';
import {fileUriPath} from '../shared/file-uri.js';
import {at, numberOf, textOf} from '../shared/narrow.js';
import {
	protoAt,
	protoFields,
	protoNumber,
	protoTimeMs,
	protoTree,
	textAt,
} from '../shared/protobuf.js';
import {eventOf, type Form, type Place, replyForm} from '../shared/rows/events.js';
import {capped, tooLarge} from '../shared/rows/messages.js';
import {hasColumns, listOfColumns} from '../shared/session-parts/schema.js';
import {type ForeignDatabase, type Row, withDatabase} from '../shared/sqlite.js';
import {type Batch, type RawRow, type Source, SourceUnreadable} from '../types.js';
import {promptForms} from './steps.js';

const STEPS = 'steps';
const NEEDS = ['idx', 'step_payload'];
const METADATA = 'trajectory_metadata_blob';

/** Numbers of `step_type`; those of tools are not known. */
const USER_INPUT = 14;
const PLANNER_RESPONSE = 15;
/** Numbers of `status`: a step that still runs is told when it is done. */
const FINISHED: ReadonlySet<number> = new Set([0, 3]);

const isReadable = (db: ForeignDatabase): boolean => hasColumns(db, STEPS, NEEDS);

/** Whether a conversation has a prompt here: others are better read from their transcript. */
export const hasPrompts = (path: string): boolean => {
	try {
		return withDatabase(
			path,
			db =>
				hasColumns(db, STEPS, [...NEEDS, 'step_type']) &&
				db.get(`SELECT 1 FROM ${STEPS} WHERE step_type = ${USER_INPUT} LIMIT 1`) !== undefined,
		);
	} catch (error) {
		if (!(error instanceof SourceUnreadable)) throw error;
		return false; // reading it says why
	}
};

interface Trajectory {
	readonly steps: readonly Row[];
	readonly metadata: Uint8Array | undefined;
}

const blobOf = (value: unknown): Uint8Array =>
	value instanceof Uint8Array ? value : new Uint8Array();

const load = (db: ForeignDatabase): Trajectory | undefined => {
	if (!isReadable(db)) return undefined;
	const columns = listOfColumns(db, STEPS, ['idx', 'step_type', 'status', 'metadata']);
	const steps = db.all(`SELECT ${columns}, ${capped('step_payload')} FROM ${STEPS} ORDER BY idx`);
	const row = hasColumns(db, METADATA, ['id', 'data'])
		? db.get(`SELECT data FROM ${METADATA} WHERE id = 'main'`)
		: undefined;
	return {steps, metadata: row === undefined ? undefined : blobOf(row['data'])};
};

/** @throws SourceUnreadable when there are no steps. */
const loadTrajectory = (path: string): Trajectory => {
	const trajectory = withDatabase(path, load);
	if (trajectory === undefined) {
		throw new SourceUnreadable('unsupported-schema', `${path}: the table of steps is not there`);
	}
	return trajectory;
};

const workspaceOf = (metadata: Uint8Array): string | undefined => {
	const addresses = [textAt(metadata, 1, 1), textAt(metadata, 1, 2), textAt(metadata, 7)];
	return addresses.map(fileUriPath).find(path => path !== undefined);
};

const formsOf = (type: number | undefined, payload: Uint8Array, place: Place): readonly Form[] => {
	if (type === USER_INPUT) {
		return promptForms(textAt(payload, 19, 2) ?? textAt(payload, 19, 8) ?? '');
	}
	if (type === PLANNER_RESPONSE) {
		const text = textAt(payload, 20, 1) ?? textAt(payload, 20, 8) ?? '';
		return text.trim() === '' ? [] : [replyForm(text, place)];
	}
	return [{kind: 'tool_use', text: '', tool: {name: `step ${type ?? 'unknown'}`}}];
};

const locatorOf = (row: Row): Locator => ({table: STEPS, row: numberOf(row['idx']) ?? 0});

const timeOf = (row: Row, payload: Uint8Array): number | undefined =>
	protoTimeMs(protoAt(payload, 5, 1)) ?? protoTimeMs(protoAt(blobOf(row['metadata']), 1));

export function* readDatabase({path, sessionId = '', extra}: Source): Generator<Batch> {
	const {steps, metadata} = loadTrajectory(path);
	const batch = createBatch(sessionId);
	const own = metadata === undefined ? undefined : workspaceOf(metadata);
	batch.patch(compact({cwd: own ?? textOf(at(extra, 'workspace'))}));
	for (const row of steps) {
		const where = `${STEPS} ${row['idx']}`;
		const payload = blobOf(row['step_payload']);
		const fields = protoFields(payload);
		const status = numberOf(row['status']) ?? protoNumber(fields, 4) ?? 0;
		const large = tooLarge(where, row['step_payload_bytes']);
		if (large !== undefined) batch.problem(large);
		if (fields === undefined) {
			batch.problem({code: 'bad-record', where, detail: 'the step cannot be decoded'});
		}
		if (fields === undefined || large !== undefined || !FINISHED.has(status)) continue;
		const type = numberOf(row['step_type']) ?? protoNumber(fields, 1);
		const locator = locatorOf(row);
		// As steps of transcripts, which hold the same conversation.
		const place = {key: `s${row['idx']}`, atMs: timeOf(row, payload), locator};
		for (const [block, form] of formsOf(type, payload, place).entries()) {
			batch.event(eventOf(place, block, form));
		}
		if (batch.isFull()) yield batch.take(END);
	}
	yield batch.take(END);
}

/** Steps by number of their fields. */
export function* rawSteps({path}: Source): Generator<RawRow> {
	for (const row of loadTrajectory(path).steps) {
		const raw = jsonText(protoTree(blobOf(row['step_payload'])));
		yield {table: STEPS, row: numberOf(row['idx']) ?? 0, raw};
	}
}
