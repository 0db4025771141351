import {mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {claudeFiles, codexFiles, type DemoFile} from './records.js';
import {stories} from './stories.js';

export interface DemoHome {
	readonly home: string;
	readonly dataFolder: string;
	/** Removes all of it. */
	readonly dispose: () => void;
}

const writers = {'claude-code': claudeFiles, codex: codexFiles} as const;

/** The files of the demo history, newest story first. Pure. */
const demoFiles = (nowMs: number, projects: string): readonly DemoFile[] =>
	stories.flatMap((story, index) =>
		writers[story.agent]({story, number: index + 1, nowMs, projects}),
	);

/** Writes the demo history into a temporary folder, with a data folder of its own: nothing of the person's is touched. */
export const createDemoHome = (nowMs: number): DemoHome => {
	const folder = mkdtempSync(join(tmpdir(), 'backscroll-demo-'));
	const home = join(folder, 'home');
	const projects = join(home, 'code');
	for (const {project} of stories) mkdirSync(join(projects, project), {recursive: true});
	for (const {path, text, atMs} of demoFiles(nowMs, projects)) {
		const file = join(home, path);
		mkdirSync(dirname(file), {recursive: true});
		writeFileSync(file, text);
		utimesSync(file, atMs / 1000, atMs / 1000);
	}
	return {
		home,
		dataFolder: join(folder, 'data'),
		dispose: () => rmSync(folder, {recursive: true, force: true}),
	};
};
