import {existsSync} from 'node:fs';
import {adapters} from '../../adapters/registry.js';
import type {SessionView} from '../../store/types.js';
import {archiveDocument} from '../archive/document.js';
import type {Archive} from '../archive/format.js';
import {createRedactor, type MaskedSecret} from '../export/redact.js';
import {hashOfFile} from '../import/read-file.js';
import {readRawEvent} from '../raw-event.js';
import {version} from '../version.js';
import type {Invocation} from './command.js';
import {eventsOf, lineOf, wholeText} from './events.js';
import type {History} from './history.js';
import type {exportFlags} from './table.js';

/** A session as an archive, and the secrets that were masked in it. */
export const exportedArchive = (
	{flags, host}: Invocation<typeof exportFlags>,
	{database, library}: History,
	session: SessionView,
): {readonly archive: Archive; readonly masked: readonly MaskedSecret[]} => {
	const {mask, found} = createRedactor();
	const archive = archiveDocument({
		session,
		events: flags.withParent ? lineOf(library, session) : eventsOf(library, session.ref),
		textOf: event => wholeText(database, event) ?? event.text,
		...(flags.raw && {
			rawOf: event => readRawEvent(database, adapters, event.rowId),
		}),
		...(flags.redact !== false && {mask}),
		sha256: existsSync(session.location) ? hashOfFile(session.location) : null,
		exporter: `backscroll ${version}`,
		nowMs: host.now(),
	});
	return {archive, masked: found()};
};
