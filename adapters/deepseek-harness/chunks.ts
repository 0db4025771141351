/** Replies in pieces (versions 0 and 1): they count only where no whole message follows, as after a crash. */

import {compact} from '../shared/compact.js';
import {at, listOf, numberOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {callForm, emit} from './content.js';
import type {Piece, Reading, Row} from './state.js';

/** Rows of several pieces, and the field that these stand in. */
export const PACKED: Readonly<
	Record<string, {readonly kind: Piece['kind']; readonly field: string}>
> = {
	'text-chunks': {kind: 'text', field: 'texts'},
	'reasoning-chunks': {kind: 'reasoning', field: 'texts'},
	'tool-call-chunks': {kind: 'call', field: 'args'},
};

const stepOf = (data: Record<string, unknown>): string => `${data['turn']}/${data['step']}`;

/** Hands over the pieces of a step that has no message. */
export const closeChunks = (reading: Reading): void => {
	const {state} = reading;
	const {pending} = state;
	state.pending = null;
	if (pending === null) return;
	const row: Row = {...pending, data: {}};
	const shared = compact({messageId: pending.key, model: state.model ?? undefined});
	for (const [block, {kind, text, id, name}] of pending.pieces.entries()) {
		if (kind === 'text')
			emit(reading, row, {kind: 'message', role: 'assistant', text, ...shared}, block);
		else if (kind === 'reasoning') emit(reading, row, {kind: 'reasoning', text, ...shared}, block);
		else emit(reading, row, {...callForm(reading, {id, name, arguments: text}), ...shared}, block);
	}
};

const addPiece = (reading: Reading, row: Row, piece: Piece): void => {
	const {state} = reading;
	const step = stepOf(row.data);
	if (state.pending !== null && state.pending.step !== step) closeChunks(reading);
	const {key, atMs, locator} = row;
	const open = state.pending ?? {step, ...compact({key, atMs, locator}), pieces: []};
	const known = open.pieces.find(({kind, index}) => kind === piece.kind && index === piece.index);
	const pieces =
		known === undefined
			? [...open.pieces, piece]
			: open.pieces.map(part =>
					part === known ? {...piece, ...part, text: part.text + piece.text} : part,
				);
	state.pending = {...open, pieces};
};

const pieceOf = (kind: Piece['kind'], text: string, data: Record<string, unknown>): Piece =>
	compact({
		kind,
		index: numberOf(data['index']) ?? 0,
		text,
		id: textOf(data['id']),
		name: textOf(data['name']),
	});

export const packedChunks = (reading: Reading, row: Row, type: string): void => {
	const form = PACKED[type];
	if (form === undefined) return;
	const text = listOf(row.data[form.field]).map(part => stringOf(part) ?? '');
	addPiece(reading, row, pieceOf(form.kind, text.join(''), row.data));
};

/** One piece in a line of its own. */
export const singleChunk = (reading: Reading, row: Row): void => {
	const stated = row.data['chunk'];
	const chunk = recordOf(stated ?? row.data);
	const type = stringOf(chunk['type']) ?? stringOf(at(stated, 'kind')) ?? 'text';
	const text = stringOf(chunk['text']) ?? stringOf(chunk['delta']) ?? stringOf(chunk['arguments']);
	const kind = type.startsWith('reasoning')
		? 'reasoning'
		: type.startsWith('tool')
			? 'call'
			: 'text';
	addPiece(reading, row, pieceOf(kind, text ?? '', {...row.data, ...chunk}));
};
