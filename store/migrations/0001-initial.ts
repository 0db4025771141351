/**
 * The first schema. Texts are what the agents wrote (capped, DESIGN section 2), times UTC epoch milliseconds, `state` and `kind`
 * the words of `adapters/model.ts` and `store/types.ts`.
 *
 * Event ids are negative and newer events have lower ones (store/sync/segments.ts): the full-text index answers in rowid order,
 * newest first, without sorting (PERFORMANCE section 3). The order inside a transcript is `position`.
 */
export const initial = `
CREATE TABLE root(
	id INTEGER PRIMARY KEY, agent TEXT NOT NULL, path TEXT NOT NULL, origin TEXT NOT NULL, label TEXT,
	resume_env TEXT NOT NULL DEFAULT '{}', state TEXT NOT NULL DEFAULT 'present', sources INTEGER NOT NULL DEFAULT 0,
	last_sync INTEGER, UNIQUE(agent, path)) STRICT;

CREATE TABLE project(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, label TEXT NOT NULL) STRICT;

CREATE TABLE session(
	id INTEGER PRIMARY KEY, agent TEXT NOT NULL, native_id TEXT NOT NULL,
	-- facts, merged over the sources of the session
	custom_title TEXT, generated_title TEXT, description TEXT, cwd TEXT, branch TEXT, model TEXT, agent_version TEXT,
	checkout TEXT, is_subagent INTEGER NOT NULL DEFAULT 0, continued_in TEXT, is_running INTEGER NOT NULL DEFAULT 0,
	born_at INTEGER, resume_env TEXT NOT NULL DEFAULT '{}', resume_hint TEXT NOT NULL DEFAULT '{}',
	-- project_is_found: settled while the directory existed, so it is kept when the directory goes
	project_id INTEGER, project_is_found INTEGER NOT NULL DEFAULT 0,
	-- relation: as the store states it, and as the links pass settled it
	parent_native TEXT, parent_relation TEXT, parent_certainty TEXT, parent_before_key TEXT, parent_call_id TEXT,
	parent_id INTEGER, parent_event INTEGER, family_id INTEGER,
	-- derived from the rows below
	title TEXT NOT NULL DEFAULT '(no prompt)', title_from TEXT NOT NULL DEFAULT 'none', kind TEXT NOT NULL DEFAULT 'main',
	hidden_by TEXT, created_at INTEGER, updated_at INTEGER,
	prompts INTEGER NOT NULL DEFAULT 0, replies INTEGER NOT NULL DEFAULT 0, tool_calls INTEGER NOT NULL DEFAULT 0,
	events INTEGER NOT NULL DEFAULT 0, errors INTEGER NOT NULL DEFAULT 0, images INTEGER NOT NULL DEFAULT 0,
	code_blocks INTEGER NOT NULL DEFAULT 0,
	input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER, reasoning_tokens INTEGER,
	cost_usd REAL, children INTEGER NOT NULL DEFAULT 0, problems INTEGER NOT NULL DEFAULT 0,
	source_state TEXT NOT NULL DEFAULT 'present', location TEXT NOT NULL DEFAULT '', deleted_at INTEGER,
	is_imported INTEGER NOT NULL DEFAULT 0, provenance TEXT,
	UNIQUE(agent, native_id)) STRICT;
CREATE INDEX session_recent ON session(updated_at DESC, id DESC);
CREATE INDEX session_project ON session(project_id, updated_at DESC);
CREATE INDEX session_parent ON session(parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX session_parent_native ON session(agent, parent_native) WHERE parent_native IS NOT NULL;
CREATE INDEX session_native ON session(native_id);

-- every directory a session worked in, for --here and --project
CREATE TABLE session_directory(session_id INTEGER NOT NULL, path TEXT NOT NULL, PRIMARY KEY(session_id, path)) STRICT, WITHOUT ROWID;
CREATE TABLE session_tool(session_id INTEGER NOT NULL, name TEXT NOT NULL, uses INTEGER NOT NULL, PRIMARY KEY(session_id, name)) STRICT, WITHOUT ROWID;

-- own marks and forgotten sessions are keyed by what the agent calls the session: they outlive the index
CREATE TABLE mark(
	agent TEXT NOT NULL, native_id TEXT NOT NULL, starred INTEGER NOT NULL DEFAULT 0, title TEXT, tags TEXT NOT NULL DEFAULT '[]',
	note TEXT, updated_at INTEGER NOT NULL, PRIMARY KEY(agent, native_id)) STRICT, WITHOUT ROWID;
-- a keyed hash of agent and id: it tells nothing of what was forgotten
CREATE TABLE forgotten(hash TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE source(
	id INTEGER PRIMARY KEY, agent TEXT NOT NULL, key TEXT NOT NULL, path TEXT NOT NULL, root_id INTEGER NOT NULL,
	session_id INTEGER, native_id TEXT, mode TEXT NOT NULL, rank INTEGER NOT NULL DEFAULT 0, preference INTEGER NOT NULL DEFAULT 0,
	stamps TEXT NOT NULL, mark TEXT, extra TEXT, outside TEXT, facts TEXT,
	size INTEGER NOT NULL DEFAULT 0, mtime REAL NOT NULL DEFAULT 0,
	-- the cursor: everything before offset is stored
	offset INTEGER NOT NULL DEFAULT 0, line_number INTEGER NOT NULL DEFAULT 0, prefix_hash TEXT, cursor_state TEXT,
	is_complete INTEGER NOT NULL DEFAULT 0, parser INTEGER NOT NULL DEFAULT 0,
	state TEXT NOT NULL DEFAULT 'present', missing_since INTEGER, error TEXT, unknown TEXT NOT NULL DEFAULT '{}',
	problems INTEGER NOT NULL DEFAULT 0,
	-- mark or stamps of what the mirror has of it
	mirrored TEXT,
	UNIQUE(agent, key)) STRICT;
CREATE INDEX source_session ON source(session_id);
CREATE INDEX source_root ON source(root_id, state);

-- source_id: of a source, or the negative id of a root for what was found while listing it
CREATE TABLE problem(
	source_id INTEGER NOT NULL, code TEXT NOT NULL, count INTEGER NOT NULL, place TEXT, detail TEXT NOT NULL,
	PRIMARY KEY(source_id, code)) STRICT, WITHOUT ROWID;

-- patch and text stand last: counting over a session then never touches their overflow pages
CREATE TABLE event(
	id INTEGER PRIMARY KEY, session_id INTEGER NOT NULL, source_id INTEGER NOT NULL, position INTEGER NOT NULL,
	key TEXT NOT NULL, kind TEXT NOT NULL, role TEXT, at INTEGER, state TEXT NOT NULL DEFAULT 'live',
	input TEXT, message_id TEXT, model TEXT,
	tool_name TEXT, call_id TEXT, is_error INTEGER, subject TEXT, exit_code INTEGER, duration_ms INTEGER, child_agent TEXT,
	has_image INTEGER NOT NULL DEFAULT 0, has_code INTEGER NOT NULL DEFAULT 0,
	-- where the raw record lies: a line of the source's file, else the locator as JSON
	line_offset INTEGER, line_length INTEGER, locator TEXT, hash INTEGER NOT NULL, copy_of INTEGER, is_indexed INTEGER NOT NULL DEFAULT 0,
	full_length INTEGER NOT NULL, patch TEXT, text TEXT NOT NULL) STRICT;
CREATE UNIQUE INDEX event_key ON event(key, session_id);
CREATE INDEX event_position ON event(session_id, position);

-- an event whose key changed keeps its old one as an alias
CREATE TABLE event_alias(session_id INTEGER NOT NULL, key TEXT NOT NULL, event_id INTEGER NOT NULL, PRIMARY KEY(session_id, key)) STRICT, WITHOUT ROWID;
CREATE TABLE event_file(
	session_id INTEGER NOT NULL, event_id INTEGER NOT NULL, path TEXT NOT NULL, change TEXT NOT NULL,
	PRIMARY KEY(session_id, event_id, path, change)) STRICT, WITHOUT ROWID;

-- once per model message; state 'copied' belongs to a parent and is not counted
CREATE TABLE usage(
	session_id INTEGER NOT NULL, key TEXT NOT NULL, at INTEGER, model TEXT, input INTEGER NOT NULL, output INTEGER NOT NULL,
	cache_read INTEGER NOT NULL, cache_write INTEGER NOT NULL, reasoning INTEGER NOT NULL DEFAULT 0, cost_usd REAL,
	state TEXT NOT NULL DEFAULT 'live', PRIMARY KEY(session_id, key)) STRICT, WITHOUT ROWID;

-- one column filled per event; thought holds reasoning and summaries; meta records lie apart because only in:meta looks there.
-- The fullest column stands first: FTS5 spends two bytes per word and event to name any other (13 % of the index)
CREATE VIRTUAL TABLE event_fts USING fts5(output, tool, reply, thought, prompt, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE meta_fts USING fts5(text, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2');
-- rowid = session.id
CREATE VIRTUAL TABLE head_fts USING fts5(title, prompt, project, content='', contentless_delete=1, prefix='1 2 3', tokenize='unicode61 remove_diacritics 2');
INSERT INTO event_fts(event_fts, rank) VALUES('hashsize', 16777216);
-- fewer merges: 8 % less CPU for a first import of 220 MB, nothing lost for queries
INSERT INTO event_fts(event_fts, rank) VALUES('automerge', 8);

-- the mirror (store/archive): one file of compressed members a session; what lies behind committed was torn by a crash
CREATE TABLE mirror(session_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, committed INTEGER NOT NULL DEFAULT 0) STRICT;
-- kept: bytes that were kept of the file in all its versions together
CREATE TABLE mirror_file(
	id INTEGER PRIMARY KEY, session_id INTEGER NOT NULL, number INTEGER NOT NULL, path TEXT NOT NULL, root TEXT NOT NULL,
	kind TEXT NOT NULL, kept INTEGER NOT NULL DEFAULT 0, stamp TEXT NOT NULL DEFAULT '', UNIQUE(session_id, number)) STRICT;
CREATE TABLE mirror_version(
	file_id INTEGER NOT NULL, number INTEGER NOT NULL, size INTEGER NOT NULL, hash TEXT NOT NULL, extents TEXT NOT NULL,
	PRIMARY KEY(file_id, number)) STRICT, WITHOUT ROWID;
CREATE TABLE mirror_member(
	session_id INTEGER NOT NULL, position INTEGER NOT NULL, length INTEGER NOT NULL, file_id INTEGER, start INTEGER NOT NULL DEFAULT 0,
	size INTEGER NOT NULL DEFAULT 0, hash TEXT NOT NULL, PRIMARY KEY(session_id, position)) STRICT, WITHOUT ROWID;
CREATE INDEX mirror_member_file ON mirror_member(file_id, start) WHERE file_id IS NOT NULL;

CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;
