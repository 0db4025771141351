import {adapters} from '../../adapters/registry.js';
import type {Library} from '../../store/library.js';
import type {EventView, SessionView} from '../../store/types.js';
import {AppError, EXIT, UsageError} from '../errors.js';
import {eventJson} from '../export/json.js';
import {readRawEvent} from '../raw-event.js';
import {printOut} from '../terminal/print.js';
import {sanitize} from '../terminal/sanitize.js';
import type {Invocation} from './command.js';
import {eventsOf} from './events.js';
import {type History, withHistory} from './history.js';
import {printLines} from './output.js';
import {type Found, onlyReference, resolved} from './references.js';
import {fullSession} from './session-json.js';
import {eventLines, sessionHead} from './show-text.js';
import type {showFlags} from './table.js';

type ShowInvocation = Invocation<typeof showFlags>;

export const run = (invocation: ShowInvocation): Promise<number> => {
	const {flags, words, rest} = invocation;
	const reference = onlyReference([...words, ...rest], 'show');
	if (flags.raw && flags.json)
		throw new UsageError('--raw prints what the agent wrote: it has no --json');
	return withHistory(invocation, history => {
		const found = resolved(history.library, reference);
		const events = chosenEvents(history.library, found, flags.context ?? 0);
		if (flags.raw) printRaw(invocation, history, events);
		else if (flags.json) printDocument(invocation, found.session, events);
		else printText(invocation, found, events);
		return EXIT.done;
	});
};

/** All of a session, or an event with its neighbours. */
const chosenEvents = (library: Library, found: Found, context: number): Iterable<EventView> => {
	const range =
		found.found === 'event'
			? {from: found.event.index - context, end: found.event.index + context + 1}
			: {};
	return eventsOf(library, found.session.ref, range);
};

/** One document, written in pieces: a session may be too large for one text. */
const printDocument = (
	{config}: ShowInvocation,
	session: SessionView,
	events: Iterable<EventView>,
): void => {
	printOut(
		`{"schemaVersion":1,"session":${JSON.stringify(fullSession(session, config.flags))},"events":[`,
	);
	let separator = '';
	for (const event of events) {
		if (!printOut(separator + JSON.stringify(eventJson(event)))) return;
		separator = ',\n';
	}
	printOut(']}\n');
};

const printText = (
	{host}: ShowInvocation,
	{found, session}: Found,
	events: Iterable<EventView>,
): void => {
	printLines(sessionHead(session, host));
	// An event that was asked for is shown whatever it is; of a session only what was said and done.
	const options = {columns: host.columns, hasMeta: found === 'event'};
	for (const event of events) if (!printLines(eventLines(event, options))) return;
};

const printRaw = (
	{host}: ShowInvocation,
	{database}: History,
	events: Iterable<EventView>,
): void => {
	let last: string | undefined;
	let count = 0;
	for (const {rowId} of events) {
		const record = readRawEvent(database, adapters, rowId);
		// One record may give several events, which follow each other.
		if (record === undefined || record === last) continue;
		last = record;
		count++;
		if (!printOut(`${host.isOutputTty ? sanitize(record) : record}\n`)) return;
	}
	if (count === 0)
		throw new AppError('the raw record is gone: neither its source nor our copy of it is there');
};
