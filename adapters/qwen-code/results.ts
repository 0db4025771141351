/** Results of tool calls: `functionResponse` parts, and what the agent keeps beside them in `toolCallResult`. */

import type {AdapterEvent} from '../model.js';
import {compact} from '../shared/compact.js';
import {type Capped, cappedOutput, type ResponsePart} from '../shared/gemini/parts.js';
import {displayText, resultFacts} from '../shared/gemini/tools.js';
import {numberOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {recall} from '../shared/pairs.js';
import {eventOf} from '../shared/record-events.js';
import type {Progress} from './progress.js';
import type {Row} from './row.js';

/** Some services leave the id out: then results come in the order of the calls. */
const takeNameless = (progress: Progress, name: string | undefined): string | undefined => {
	const index = progress.namelessCalls.findIndex(([known]) => name === undefined || known === name);
	return index === -1 ? name : progress.namelessCalls.splice(index, 1)[0]?.[0];
};

interface Answer {
	readonly callId: string | undefined;
	readonly name: string | undefined;
	readonly output: Capped;
	readonly isError: boolean;
	/** `toolCallResult`, where it is about this call. */
	readonly about: Record<string, unknown>;
	readonly place: number;
}

const answerEvent = (
	row: Row,
	{callId, output, isError, about, ...answer}: Answer,
): AdapterEvent => {
	const {progress} = row.context;
	const name =
		answer.name ??
		(callId === undefined ? takeNameless(progress, undefined) : recall(progress.calls, callId));
	const display = about['resultDisplay'];
	const shown = recordOf(display);
	const text = output.text === '' ? cappedOutput(displayText(display)) : output;
	return eventOf(
		row,
		{block: answer.place, text},
		{
			kind: 'tool_result',
			tool: compact({
				name,
				callId,
				durationMs: numberOf(about['durationMs']),
				...resultFacts(name ?? '', {
					text: text.text,
					display,
					isError: isError || about['status'] === 'error',
				}),
				agentId: textOf(shown['agentId']) ?? agentIdOf(text.text),
			}),
		},
	);
};

/** A sub-agent that works in the background is named in the answer only (0.24.4). */
const AGENT = /^Background agent launched successfully\.\ntask_id: (\S{1,200})/;
const agentIdOf = (text: string): string | undefined => AGENT.exec(text)?.[1];

const partAnswer = (
	{context: {progress}}: Row,
	{id, name, output, isError}: ResponsePart,
): Pick<Answer, 'callId' | 'name' | 'output' | 'isError'> => ({
	callId: id,
	name: id === undefined ? takeNameless(progress, name) : name,
	output,
	isError,
});

export const toolResults = (row: Row): readonly AdapterEvent[] => {
	const responses = row.pieces.flatMap(piece =>
		piece.kind === 'response' ? [{...piece.response, place: piece.place}] : [],
	);
	const stated = recordOf(row.record['toolCallResult']);
	const callId = textOf(stated['callId']);
	if (responses.length === 0 && callId !== undefined) {
		const output = cappedOutput(stringOf(stated['error']) ?? '');
		const isError = output.text !== '';
		return [answerEvent(row, {callId, name: undefined, output, isError, about: stated, place: 0})];
	}
	return responses.map(response => {
		const isAbout = responses.length === 1 || response.id === callId;
		const {place} = response;
		return answerEvent(row, {...partAnswer(row, response), about: isAbout ? stated : {}, place});
	});
};
