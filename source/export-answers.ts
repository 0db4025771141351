/** Exports for the app: the text for editor and pager, and the file. Secrets are masked. */
import {existsSync, lstatSync} from 'node:fs';
import {join} from 'node:path';
import type {Adapter} from '../adapters/types.js';
import type {Library} from '../store/library.js';
import type {EventView, SessionRef, SessionView} from '../store/types.js';
import type {ExportChoice, Questions} from './app/backend.js';
import {archiveDocument, archiveText} from './archive/document.js';
import type {Archive} from './archive/format.js';
import {AppError} from './errors.js';
import {exportFileName} from './export/file-name.js';
import {exportJson} from './export/json.js';
import {exportMarkdown} from './export/markdown.js';
import {createRedactor, type Redactor} from './export/redact.js';
import {exportPath, writeExport} from './export/write.js';
import {hashOfFile} from './import/read-file.js';
import {planResume, type ResumeDecision} from './resume/plan.js';
import {version} from './version.js';

export interface ExportContext {
	readonly library: () => Library;
	readonly adapters: readonly Adapter[];
	readonly home: string;
	/** Without the store's cap. */
	textOf(event: EventView): string;
}

const pageEvents = 500;

function* allEvents(library: Library, ref: SessionRef): Generator<EventView> {
	for (let from = 0; ; from += pageEvents) {
		const page = library.events(ref, {from, count: pageEvents});
		yield* page;
		if (page.length < pageEvents) return;
	}
}

/** Without what was copied from a parent: it is shown there. */
function* ownEvents(library: Library, ref: SessionRef): Generator<EventView> {
	for (const event of allEvents(library, ref)) if (event.state !== 'copied') yield event;
}

const resumeOf = (session: SessionView, adapter: Adapter | undefined): ResumeDecision =>
	adapter ? planResume(session, adapter) : {reason: 'this agent is not known here'};

const archiveOf = (
	session: SessionView,
	events: Iterable<EventView>,
	{mask, textOf}: Pick<Redactor, 'mask'> & Pick<ExportContext, 'textOf'>,
): Archive =>
	archiveDocument({
		...{session, events, mask, textOf},
		sha256: existsSync(session.location) ? hashOfFile(session.location) : null,
		exporter: `backscroll ${version}`,
		nowMs: Date.now(),
	});

const extensions = {markdown: 'md', json: 'json', archive: 'archive.json'} as const;

export const exportAnswers = ({
	library,
	adapters,
	home,
	textOf,
}: ExportContext): Pick<
	Questions,
	'exportText' | 'exportPath' | 'exportFile' | 'exportSecrets'
> => {
	const written = (
		ref: SessionRef,
		choice: ExportChoice,
		redactor: Redactor = createRedactor(),
	) => {
		const session = library().session(ref);
		if (!session) return undefined;
		const {mask, count} = redactor;
		const events = allEvents(library(), ref);
		const adapter = adapters.find(({id}) => id === session.agent);
		if (choice.format === 'archive')
			return {
				text: archiveText(archiveOf(session, ownEvents(library(), ref), {mask, textOf})),
				masked: count(),
			};
		const text =
			choice.format === 'json'
				? exportJson({session, resume: resumeOf(session, adapter), events, mask})
				: exportMarkdown({session, agentLabel: adapter?.label, events, mask}, {...choice, version});
		return {text, masked: count()};
	};
	return {
		exportText: (ref, choice) => written(ref, choice)?.text,
		exportPath(ref, {format}, folder) {
			const session = library().session(ref);
			return session && join(folder, exportFileName(session, extensions[format]));
		},
		exportSecrets(refs, choice) {
			const redactor = createRedactor();
			for (const ref of refs) written(ref, choice, redactor);
			return redactor.found();
		},
		async exportFile(ref, choice, output) {
			const session = library().session(ref);
			const made = written(ref, choice);
			if (!session || !made) throw new AppError('this session is no longer in the history');
			const target = {
				output,
				defaultName: exportFileName(session, extensions[choice.format]),
				home,
				workFolder: process.cwd(),
				isForced: false,
			};
			const path = exportPath(target);
			if (lstatSync(path, {throwIfNoEntry: false}))
				throw new AppError(`${path} exists already: another name, please`);
			// Archives are for their owner only.
			const mode = choice.format === 'archive' ? {mode: 0o600} : {};
			return {path: await writeExport(made.text, {...target, ...mode}), masked: made.masked};
		},
	};
};
