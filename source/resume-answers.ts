/** Answers of the app about going on with a session: the sheet, the hand-over, a directory that is typed, a transcript put back. */
import {existsSync, readdirSync} from 'node:fs';
import {restoreSession} from '../store/archive/restore.js';
import {directoriesOf, knownDirectories} from '../store/directories.js';
import type {Library} from '../store/library.js';
import type {Database} from '../store/open.js';
import type {SessionRef, SessionView} from '../store/types.js';
import type {HandOverOffer, Questions, Taker} from './app/backend.js';
import {handOverRecord, installedTakers} from './commands/hand-over.js';
import {resumeSheet} from './commands/resume-sheet.js';
import {AppError} from './errors.js';
import {completeDirectory, typedDirectory} from './resume/complete-directory.js';
import {describeCut, type HandOver} from './resume/hand-over.js';
import {isRefusal, planStart, shellCommand, shellOf} from './resume/plan.js';

export interface ResumeContext {
	readonly library: () => Library;
	/** Undefined: there is no store yet. */
	readonly reading: () => Database | undefined;
	readonly writing: () => Database;
	readonly folder: string;
	readonly home: string;
	/** Where the app was started. */
	readonly cwd: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** From the config, by agent. */
	readonly flags: Readonly<Record<string, readonly string[]>>;
}

/** Directories, and links to some. */
const listFolder = (path: string): readonly string[] => {
	try {
		return readdirSync(path, {withFileTypes: true})
			.filter(entry => entry.isDirectory() || entry.isSymbolicLink())
			.map(({name}) => name);
	} catch {
		return []; // no folder, or one that may not be read: nothing to complete with
	}
};

const aboutRecord = ({text, cut, masked}: HandOver): string => {
	const left = describeCut(cut);
	return [
		`${text.length.toLocaleString('en-US')} characters of reference text`,
		left === '' ? 'nothing was left out' : `left out: ${left}`,
		...(masked > 0 ? [`secrets masked: ${masked}`] : []),
	].join(' · ');
};

const present = (library: Library, ref: SessionRef): SessionView => {
	const session = library.session(ref);
	if (!session) throw new AppError('this session is no longer in the history');
	return session;
};

type Answered = 'resumeSheet' | 'handOver' | 'completeDirectory' | 'restore';

export const resumeAnswers = (context: ResumeContext): Pick<Questions, Answered> => {
	const {library, reading, folder, home, cwd, env, flags} = context;
	const takers = (session: SessionView, record: HandOver, directory: string): readonly Taker[] =>
		installedTakers(env['PATH'] ?? '').flatMap(agent => {
			const plan = planStart(session, agent, {
				prompt: record.text,
				flags: flags[agent.id],
				directory,
			});
			if (isRefusal(plan)) return [];
			const shown = plan.argv.map(word => (word === record.text ? '(the record)' : word));
			const command = shellCommand({...plan, argv: shown}, shellOf(env['SHELL']));
			return [{id: agent.id, label: agent.label, command, plan}];
		});
	return {
		resumeSheet(ref, choice, nowMs) {
			const session = present(library(), ref);
			const database = reading();
			const {parent} = session;
			return resumeSheet(session, {
				choice:
					choice.directory === null
						? choice
						: {...choice, directory: typedDirectory(choice.directory, {home, cwd})},
				flags,
				env,
				nowMs,
				knownDirectories: () => (database ? knownDirectories(database) : []),
				furtherDirectories: database ? directoriesOf(database, session.rowId) : [],
				parent: parent?.isKnown ? library().session(parent.ref) : undefined,
			});
		},
		handOver(ref, directory): HandOverOffer {
			const session = present(library(), ref);
			const record = handOverRecord(library(), session);
			const wished = directory === null ? session.cwd : typedDirectory(directory, {home, cwd});
			const place = wished !== null && existsSync(wished) ? wished : cwd;
			return {
				text: record.text,
				about: aboutRecord(record),
				takers: takers(session, record, place),
			};
		},
		completeDirectory: text => completeDirectory(text, {home, cwd, listFolder}),
		restore(ref) {
			const session = present(library(), ref);
			const answer = restoreSession(context.writing(), folder, session.rowId);
			if ('reason' in answer) throw new AppError(`cannot be put back: ${answer.reason}`);
			return {written: answer.written.length, existing: answer.existing.length};
		},
	};
};
