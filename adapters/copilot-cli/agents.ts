/**
 * Which sub-agents a session has. They stand in its log, which discovery does not open; the agent's own index knows them as soon
 * as they have asked the model something. Only logs that the index does not know are scanned (an index that is gone, or of a
 * version before about 1.0.90, which kept no usage in it), once as long as they do not change.
 */

import {readFileSync} from 'node:fs';
import {at, textOf} from '../shared/narrow.js';
import {parseRecord} from '../shared/records.js';
import {type ForeignDatabase, withDatabase} from '../shared/sqlite.js';
import {stampOf} from '../shared/walk.js';
import {type FileStamp, SourceUnreadable} from '../types.js';

type AgentIds = readonly string[];
/** Sub-agents of the sessions that the index knows. */
export type KnownAgents = ReadonlyMap<string, AgentIds>;

const TABLE = 'assistant_usage_events';

const listAgents = (db: ForeignDatabase): KnownAgents => {
	const columns = db.columns(TABLE);
	if (!columns.has('session_id') || !columns.has('agent_id')) return new Map();
	const found = new Map<string, string[]>();
	const rows = db.iterate(`SELECT DISTINCT session_id AS session, agent_id AS agent FROM ${TABLE}`);
	for (const {session, agent} of rows) {
		const id = textOf(session);
		if (id === undefined) continue;
		const agents = found.get(id) ?? [];
		const agentId = textOf(agent);
		found.set(id, agentId === undefined ? agents : [...agents, agentId]);
	}
	return found;
};

const printOf = (files: readonly FileStamp[]): string =>
	files.map(({sizeBytes, mtimeMs, inode}) => `${sizeBytes}:${mtimeMs}:${inode}`).join(' ');

/** What was found last, as long as the files are the same. */
const remembered = <T>(): ((path: string, print: string, find: () => T) => T) => {
	const known = new Map<string, {readonly print: string; readonly value: T}>();
	return (path, print, find) => {
		const before = known.get(path);
		if (before?.print === print) return before.value;
		const value = find();
		known.set(path, {print, value});
		return value;
	};
};

const rememberIndex = remembered<KnownAgents>();
const rememberLog = remembered<AgentIds>();

/** What the index says; nothing while it cannot be read. */
export const indexedAgents = (path: string): KnownAgents => {
	const files = [path, `${path}-wal`].flatMap(file => stampOf(file) ?? []);
	if (files[0]?.path !== path) return new Map();
	try {
		return rememberIndex(path, printOf(files), () => withDatabase(path, listAgents));
	} catch (error) {
		if (error instanceof SourceUnreadable) return new Map(); // the logs are scanned instead
		throw error;
	}
};

const MARK = Buffer.from('"subagent.started"');
const SCAN_BYTES = 512 * 1024 * 1024;
const LF = 10;

const scan = (path: string): AgentIds => {
	let bytes: Buffer;
	try {
		bytes = readFileSync(path);
	} catch {
		return []; // reading the session itself will say why
	}
	const found = new Set<string>();
	for (let place = bytes.indexOf(MARK); place !== -1; ) {
		const start = bytes.lastIndexOf(LF, place) + 1;
		const end = bytes.indexOf(LF, place);
		const record = parseRecord(bytes.toString('utf8', start, end === -1 ? bytes.length : end));
		const id = textOf(record?.['agentId']) ?? textOf(at(record, 'data', 'toolCallId'));
		if (record?.['type'] === 'subagent.started' && id !== undefined) found.add(id);
		place = end === -1 ? -1 : bytes.indexOf(MARK, end);
	}
	return [...found];
};

export const scannedAgents = (log: FileStamp): AgentIds =>
	log.sizeBytes > SCAN_BYTES ? [] : rememberLog(log.path, printOf([log]), () => scan(log.path));
