/** Exports for the app: the text for editor and pager, and the file. Secrets are masked. */
import {lstatSync} from 'node:fs';
import {join} from 'node:path';
import type {Adapter} from '../adapters/types.js';
import type {Library} from '../store/library.js';
import type {EventView, SessionRef, SessionView} from '../store/types.js';
import type {ExportChoice, Questions} from './app/backend.js';
import {AppError} from './errors.js';
import {exportFileName} from './export/file-name.js';
import {exportJson} from './export/json.js';
import {exportMarkdown} from './export/markdown.js';
import {createRedactor} from './export/redact.js';
import {exportPath, writeExport} from './export/write.js';
import {planResume, type ResumeDecision} from './resume/plan.js';
import {version} from './version.js';

export interface ExportContext {
	readonly library: () => Library;
	readonly adapters: readonly Adapter[];
	readonly home: string;
}

const pageEvents = 500;

function* allEvents(library: Library, ref: SessionRef): Generator<EventView> {
	for (let from = 0; ; from += pageEvents) {
		const page = library.events(ref, {from, count: pageEvents});
		yield* page;
		if (page.length < pageEvents) return;
	}
}

const resumeOf = (session: SessionView, adapter: Adapter | undefined): ResumeDecision =>
	adapter ? planResume(session, adapter) : {reason: 'this agent is not known here'};

const extensions = {markdown: 'md', json: 'json'} as const;

export const exportAnswers = ({
	library,
	adapters,
	home,
}: ExportContext): Pick<Questions, 'exportText' | 'exportPath' | 'exportFile'> => {
	const written = (ref: SessionRef, choice: ExportChoice) => {
		const session = library().session(ref);
		if (!session) return undefined;
		const {mask, count} = createRedactor();
		const events = allEvents(library(), ref);
		const adapter = adapters.find(({id}) => id === session.agent);
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
			return {path: await writeExport(made.text, target), masked: made.masked};
		},
	};
};
