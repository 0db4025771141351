import {initial} from './0001-initial.js';

/** Position in this list + 1 = `user_version`. Released migrations are never edited; a change of the schema is a new entry. */
export const migrations: readonly string[] = [initial];
