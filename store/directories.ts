import type {Database} from './open.js';
import {prepared} from './statements.js';

/** Absolute directories that sessions of any agent worked in: where agents that keep a database per project may have one. */
export const knownDirectories = (database: Database): readonly string[] =>
	(
		prepared(database)(
			`SELECT path FROM project UNION SELECT path FROM session_directory UNION SELECT cwd FROM session WHERE cwd IS NOT NULL`,
		).all() as {path: string}[]
	)
		.map(({path}) => path)
		.filter(path => path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path));

/** Directories that a session worked in. */
export const directoriesOf = (database: Database, sessionId: number): readonly string[] =>
	(
		prepared(database)('SELECT path FROM session_directory WHERE session_id = ? ORDER BY path').all(
			sessionId,
		) as {path: string}[]
	).map(({path}) => path);
