import type {EventView, SessionView} from '../../store/types.js';
import {count} from '../app/format.js';
import {sanitize, sanitizeLine} from '../terminal/sanitize.js';
import {cut, wrap} from '../terminal/width.js';
import {formatClock, isoDay} from '../transcript/time.js';
import type {Host} from './command.js';
import {adapterOf} from './plain.js';

/** Who and what, where and when: the lines above a transcript. */
export const sessionHead = (session: SessionView, {columns}: Host): readonly string[] => {
	const {title, agent, agentVersion, project, branch, ref, parent} = session;
	const facts = [
		[adapterOf(agent)?.label ?? agent, agentVersion].filter(Boolean).join(' '),
		project,
		branch,
		timeLabel(session.updatedAtMs),
		`${session.messages} messages`,
	];
	return [
		title,
		facts.filter(Boolean).join(' · '),
		ref,
		...(parent === null ? [] : [`${RELATIONS[parent.relation]} ${parent.ref}`]),
	].map(line => cut(sanitizeLine(line), columns));
};

const RELATIONS = {
	fork: 'forked from',
	continuation: 'continues',
	subagent: 'sub-agent of',
} as const;

const timeLabel = (atMs: number | null): string =>
	atMs === null ? '' : `${isoDay(atMs)} ${formatClock(atMs)}`;

export interface EventTextOptions {
	readonly columns: number;
	/** Also what nobody typed. */
	readonly hasMeta: boolean;
}

/** A blank line, a heading and the text of an event; nothing for what is hidden. */
export const eventLines = (
	event: EventView,
	{columns, hasMeta}: EventTextOptions,
): readonly string[] => {
	if (event.kind === 'meta' && !hasMeta) return [];
	const facts = [
		timeLabel(event.atMs),
		event.state === 'live' ? '' : event.state,
		outcome(event),
	].filter(fact => fact !== '');
	const heading = [`## ${headingOf(event)}`, ...facts].join(' · ');
	const text = sanitize(event.text).trimEnd();
	return [
		'',
		cut(sanitizeLine(heading), columns),
		...(text === '' ? [] : wrap(text, columns)),
		...(event.truncated
			? [cut(`[cut: ${count(event.fullLength)} characters in all]`, columns)]
			: []),
	];
};

const headingOf = ({kind, role, tool}: EventView): string => {
	if (kind === 'message') return role === 'user' ? 'You' : 'Agent';
	if (kind === 'tool_use' || kind === 'tool_result')
		return [tool?.name ?? 'Tool', kind === 'tool_result' ? 'result' : '', tool?.subject ?? '']
			.filter(part => part !== '')
			.join(' ');
	return HEADINGS[kind];
};

const HEADINGS = {reasoning: 'Reasoning', summary: 'Summary', meta: 'Meta'} as const;

const outcome = ({tool}: EventView): string => {
	if (tool === null) return '';
	if (tool.exitCode !== null) return `exit ${tool.exitCode}`;
	return tool.isError ? 'error' : '';
};
