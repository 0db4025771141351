import type {SessionView} from '../../store/types.js';
import {counted} from '../app/format.js';
import {archiveText} from '../archive/document.js';
import type {Archive} from '../archive/format.js';
import {writeArchive} from '../archive/write.js';
import {EXIT, UsageError} from '../errors.js';
import {exportFileName} from '../export/file-name.js';
import {exportJson} from '../export/json.js';
import {exportMarkdown} from '../export/markdown.js';
import {createRedactor, type MaskedSecret} from '../export/redact.js';
import {reviewLines} from '../export/review.js';
import {type ExportTarget, writeExport} from '../export/write.js';
import {printOut} from '../terminal/print.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import {version} from '../version.js';
import type {Invocation} from './command.js';
import {eventsOf, lineOf, wholeText} from './events.js';
import {exportedArchive} from './export-archive.js';
import {type History, withHistory} from './history.js';
import {note, printLines} from './output.js';
import {adapterOf} from './plain.js';
import {resolvedSession} from './references.js';
import {resumeDecision} from './session-json.js';
import type {exportFlags} from './table.js';

type ExportInvocation = Invocation<typeof exportFlags>;

const EXTENSIONS = {markdown: 'md', json: 'json', archive: 'archive.json'} as const;
type Format = keyof typeof EXTENSIONS;

export const run = (invocation: ExportInvocation): Promise<number> => {
	const {flags, words, rest} = invocation;
	const {output = '-'} = flags;
	const references = [...words, ...rest];
	const format = formatOf(flags.format ?? 'markdown');
	if (flags.review && flags.redact === false)
		throw new UsageError('--review lists what is masked: with --no-redact nothing is');
	if (references.length === 0)
		throw new UsageError('export needs a REF: see backscroll export --help');
	if (output === '-' && references.length > 1 && !flags.review)
		throw new UsageError('several sessions need --output FOLDER');
	return withHistory(invocation, async history => {
		// All are looked up before the first one is written.
		const sessions = references.map(reference => resolvedSession(history.library, reference));
		for (const session of sessions) {
			const {text, masked, archive} = exported(invocation, history, {session, format});
			if (flags.review) {
				printLines(reviewLines(sanitizeLine(session.title), masked));
				continue;
			}
			if (output === '-') printOut(text);
			else {
				const target = targetOf(invocation, {session, format, output});
				const path = await (archive ? writeArchive(archive, target) : writeExport(text, target));
				printLines([sanitizeLine(path)]);
			}
			if (masked.length > 0)
				note(
					`${counted(masked.length, 'secret')} masked: --review lists them, --no-redact leaves them`,
				);
		}
		return EXIT.done;
	});
};

const formatOf = (name: string): Format => {
	if (Object.hasOwn(EXTENSIONS, name)) return name as Format;
	throw new UsageError(`--format ${name}: this version does not have it yet`);
};

interface Exported {
	readonly session: SessionView;
	readonly format: Format;
}

const exported = (
	invocation: ExportInvocation,
	history: History,
	{session, format}: Exported,
): {
	readonly text: string;
	readonly masked: readonly MaskedSecret[];
	readonly archive?: Archive;
} => {
	const {flags, config} = invocation;
	const {database, library} = history;
	if (format === 'archive') {
		const {archive, masked} = exportedArchive(invocation, history, session);
		return {archive, masked, text: archiveText(archive)};
	}
	const {mask, found} = createRedactor();
	const events = flags.withParent ? lineOf(library, session) : eventsOf(library, session.ref);
	const document = {session, events, ...(flags.redact !== false && {mask})};
	const text =
		format === 'json'
			? exportJson({...document, resume: resumeDecision(session, config.flags)})
			: exportMarkdown(
					{
						...document,
						agentLabel: adapterOf(session.agent)?.label,
						textOf: event => wholeText(database, event) ?? event.text,
						...(flags.withParent && {parentRef: null}),
					},
					{tools: flags.tools ?? 'short', hasReasoning: flags.reasoning === true, version},
				);
	return {text, masked: found()};
};

const targetOf = (
	{flags, host, words, rest}: ExportInvocation,
	{session, format, output}: Exported & {readonly output: string},
): ExportTarget => {
	const isSeveral = words.length + rest.length > 1;
	return {
		output: isSeveral && !output.endsWith('/') ? `${output}/` : output,
		defaultName: exportFileName(session, EXTENSIONS[format]),
		home: host.home,
		workFolder: host.cwd,
		isForced: flags.force === true,
	};
};
