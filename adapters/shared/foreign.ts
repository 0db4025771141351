/** Recognises a transcript that lies anywhere, and says where its agent would keep it. */

import type {Adapter} from '../types.js';
import {textOf} from './narrow.js';

type Json = Readonly<Record<string, unknown>>;
type Foreign = NonNullable<Adapter['foreign']>;

const NAME = /^[\w-][\w.-]{0,127}$/;
const UNNAMED = 'imported';

/** A name that can stand in a path: ids of a file that nobody vouches for may be anything. */
const plainName = (name: string): string => (NAME.test(name) ? name : UNNAMED);

const stemOf = (name: string): string => plainName(name.replace(/(?:\.[a-z]\w{0,8}){1,2}$/i, ''));

interface Recognition {
	/** The session id that a record of this agent states; `true`: it is one of them, the name of the file has to do. */
	idIn(record: Json): unknown;
	/** The path of the session below a root. */
	at(id: string, record: Json): string;
}

/** By the first record that the agent alone could have written. */
export const foreignBy =
	({idIn, at}: Recognition): Foreign =>
	(head, name) => {
		for (const record of head) {
			const id = idIn(record);
			if (id === true) return {at: at(stemOf(name), record)};
			const text = textOf(id);
			if (text !== undefined) return {at: at(plainName(text), record)};
		}
		return undefined;
	};
