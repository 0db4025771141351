/** Reads a chat whole: both of its forms change anywhere. The extension's transcript is a log of its own. */

import type {SessionFacts} from '../model.js';
import {createBatch} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {oneLine} from '../shared/content.js';
import {logFacts, readLog} from '../shared/copilot/read.js';
import {listOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {timeMs} from '../shared/time.js';
import type {Batch, Cursor, Source} from '../types.js';
import type {Place} from './discover.js';
import {loadChat} from './document.js';
import {promptEvents, promptText} from './prompt.js';
import {responseEvents} from './response.js';
import {noteUsage, type Turn, turnOf} from './turn.js';

/** Where people type. Other chats are begun by tasks and other programs. */
const TYPED_IN = new Set(['chat', 'editing-session', 'editor', 'notebook', 'panel', 'terminal']);

const directoryFacts = ({directories = []}: Place): SessionFacts => {
	const [cwd, ...others] = directories;
	return compact({cwd, directories: others.length === 0 ? undefined : others});
};

/** Without a name of its own a chat is called like its first prompt in the index, too. */
const titleFacts = (
	session: Record<string, unknown>,
	{title}: Place,
	turns: readonly Turn[],
): SessionFacts => {
	const customTitle = textOf(session['customTitle']);
	if (customTitle !== undefined) return {customTitle};
	const prompt = oneLine(turns[0] === undefined ? '' : promptText(turns[0]), 400);
	const start = oneLine(title ?? '').replace(/(?:…|\.{3})$/, '');
	return title === undefined || prompt.startsWith(start) ? {} : {generatedTitle: title};
};

const factsOf = (
	session: Record<string, unknown>,
	place: Place,
	turns: readonly Turn[],
): SessionFacts => {
	const createdAtMs = timeMs(session['creationDate']);
	return compact({
		...titleFacts(session, place, turns),
		...directoryFacts(place),
		model: turns.findLast(({model, isUndone}) => model !== undefined && !isUndone)?.model,
		bornAtMs: turns[0]?.atMs ?? createdAtMs,
		createdAtMs,
		updatedAtMs: timeMs(session['lastMessageDate']),
	});
};

function* readChat(source: Source, place: Place): Generator<Batch> {
	const chat = loadChat(source.path);
	if (chat === undefined) return;
	const {session, problems} = chat;
	const batch = createBatch(textOf(session['sessionId']) ?? place.id);
	for (const problem of problems) batch.problem(problem);
	const location = stringOf(session['initialLocation']) ?? 'panel';
	const about = {path: source.path, batch, isHeadless: !TYPED_IN.has(location)};
	const turns = listOf(session['requests']).map((request, index) => turnOf(request, index, about));
	batch.patch(factsOf(session, place, turns));
	const cursor = {offset: source.files[0]?.sizeBytes ?? 0, lineNumber: 0, state: null};
	const keys = new Set<string>();
	for (const turn of turns) {
		noteUsage(turn);
		for (const event of [...promptEvents(turn), ...responseEvents(turn)]) {
			// A request that stands twice is shown once.
			if (!keys.has(event.key)) batch.event(event);
			keys.add(event.key);
		}
		if (batch.isFull()) yield batch.take(cursor);
	}
	yield batch.take(cursor);
}

export const read = (source: Source, from?: Cursor): Iterable<Batch> => {
	const place = recordOf(source.extra) as unknown as Place;
	if (place.form !== 'transcript') return readChat(source, place);
	return readLog(source, from, {
		sessionId: place.id,
		facts: progress => ({...logFacts(progress), ...directoryFacts(place)}),
	});
};
