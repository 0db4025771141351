import type {SessionView} from '../../store/types.js';
import {age} from '../app/format.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Theme} from '../terminal/theme.js';
import {cut, pad, widthOf} from '../terminal/width.js';

/** What plain rows are made for. */
export interface RowOptions {
	readonly columns: number;
	readonly nowMs: number;
	readonly symbol: Theme['symbol'];
	/** Short label of an agent, for the first column. */
	agentLabel(agent: string): string;
	isDirectoryMissing(session: SessionView): boolean;
}

const AGENT = 8;
const MESSAGES = 5;
const AGE = 6;
const PROJECT_FROM = 56;
const ID_FROM = 100;

/** Agent, title with badges, project, messages, age; in wide output also enough of the id to name the session. */
export const sessionRows = (
	sessions: readonly SessionView[],
	options: RowOptions,
): readonly string[] => {
	const {columns, nowMs} = options;
	const ids = columns >= ID_FROM ? shortIds(sessions.map(({id}) => id)) : undefined;
	const idWidth = ids === undefined ? 0 : Math.min(36, Math.max(...ids.map(widthOf), 0));
	const project = columns >= PROJECT_FROM ? Math.min(24, Math.floor(columns / 5)) : 0;
	const title =
		columns - AGENT - MESSAGES - AGE - 3 - (project && project + 2) - (idWidth && idWidth + 2);
	return sessions.map((session, index) => {
		const cells = [
			pad(options.agentLabel(session.agent), AGENT),
			titleCell(session, Math.max(8, title), options),
			...(project > 0 ? [` ${pad(sanitizeLine(session.project ?? ''), project)}`] : []),
			pad(String(session.messages), MESSAGES, 'right'),
			pad(age(session.updatedAtMs, nowMs), AGE, 'right'),
		];
		const id = ids?.[index];
		return cut(cells.join(' ') + (id === undefined ? '' : `  ${id}`), columns).trimEnd();
	});
};

const titleCell = (session: SessionView, width: number, options: RowOptions): string => {
	const badges = badgesOf(session, options);
	const room = badges === '' ? width : width - widthOf(badges) - 1;
	const title = pad(sanitizeLine(session.title), Math.max(1, room));
	return pad(badges === '' ? title : `${title} ${badges}`, width);
};

const badgesOf = (session: SessionView, {symbol, isDirectoryMissing}: RowOptions): string =>
	[
		session.children > 0 ? `${symbol('children')}${session.children}` : '',
		session.sourceState === 'deleted' ? symbol('deleted') : '',
		isDirectoryMissing(session) ? symbol('warning') : '',
		session.isRunning ? symbol('live') : '',
		session.starred ? symbol('star') : '',
	]
		.filter(badge => badge !== '')
		.join(' ');

const MIN_ID = 8;

/**
 * The shortest beginnings, of at least eight characters, that tell these ids apart. A sub-agent is named by its own id, which
 * must be whole.
 */
export const shortIds = (ids: readonly string[]): readonly string[] => {
	const clean = ids.map(sanitizeLine);
	const sorted = [...new Set(clean)].sort();
	const lengths = new Map(
		sorted.map((id, index) => [
			id,
			Math.max(
				MIN_ID,
				1 + sharedLength(id, sorted[index - 1] ?? ''),
				1 + sharedLength(id, sorted[index + 1] ?? ''),
			),
		]),
	);
	return clean.map(id =>
		id.includes('/') ? id.slice(id.lastIndexOf('/') + 1) : id.slice(0, lengths.get(id)),
	);
};

const sharedLength = (a: string, b: string): number => {
	let length = 0;
	while (length < a.length && a[length] === b[length]) length++;
	return length;
};

/** A text below a row, indented to the title; one line. */
export const lineBelow = (text: string, columns: number): string =>
	' '.repeat(AGENT + 1) + cut(sanitizeLine(text), Math.max(8, columns - AGENT - 1));
