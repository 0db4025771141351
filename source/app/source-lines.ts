/** The sources screen as rows: per root what was found, what is shown, and what is not. Pure. */
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Line, Span} from '../terminal/spans.js';
import {wrapLine} from '../terminal/width.js';
import type {SourceRoot} from './backend.js';
import {ago, count, counted, shortPath} from './format.js';
import {agentLabel} from './selectors.js';
import type {AppState, Dialog} from './state.js';
import {unusedAgents, unusedSum} from './unused-roots.js';

type SourcesDialog = Extract<Dialog, {kind: 'sources'}>;

/** Rules by which sources are no rows of the list, in the words of a person. */
const ruleWords: Readonly<Record<string, string>> = {
	empty: 'without any message',
	'warm-up': 'warm-up',
	warmup: 'warm-up',
	draft: 'drafts',
};

const hiddenText = ({hidden}: SourceRoot): string =>
	Object.entries(hidden)
		.map(([rule, number]) => `${count(number)} ${ruleWords[rule] ?? rule}`)
		.join(', ');

const retentionText = ({retention}: SourceRoot, home: string): string | null => {
	if (retention === null) return null;
	const {days, isStated, due: dueSoon, mirrored} = retention;
	const setting = retention.setting.replaceAll(`${home}/`, '~/');
	const own = isStated ? setting : `its default; ${setting} changes it`;
	const kept = mirrored === dueSoon ? 'all of them kept' : `${count(mirrored)} of them kept`;
	const due =
		dueSoon === 0 ? '' : ` · ${counted(dueSoon, 'session')} within a week, ${kept} by backscroll`;
	return `the agent deletes sessions after ${count(days)} days (${own})${due}`;
};

const rootLines = (state: AppState, root: SourceRoot, columns: number): readonly Line[] => {
	const {nowMs, settings} = state;
	const fact = (text: string, style: Span['style'] = 'dim'): readonly Line[] =>
		wrapLine([{text: sanitizeLine(text), style: style ?? 'dim'}], Math.max(8, columns - 6)).map(
			line => [{text: '    '}, ...line],
		);
	const hidden = hiddenText(root);
	const counts = [
		counted(root.sources, 'source'),
		`${counted(root.shown, 'session')} shown`,
		...(hidden === '' ? [] : [`hidden: ${hidden}`]),
	].join(' · ');
	const seen = [
		...(root.agentVersion === null ? [] : [`newest version ${root.agentVersion}`]),
		...(root.lastSyncMs === null ? [] : [`read ${ago(root.lastSyncMs, nowMs)}`]),
	].join(' · ');
	const retention = retentionText(root, settings.home);
	return [
		[],
		[
			{text: '  '},
			{text: sanitizeLine(agentLabel(state, root.agent)), style: 'bold'},
			{text: `  ${sanitizeLine(shortPath(root.path, settings.home))}`},
			...(root.state === 'unreadable' ? [{text: '  cannot be read', style: 'error'} as const] : []),
		],
		...fact(counts),
		...(seen === '' ? [] : fact(seen)),
		...(retention === null ? [] : fact(retention, root.retention?.due ? 'warning' : 'dim')),
		...(root.problems === 0
			? []
			: fact(
					`${counted(root.problems, 'problem')}${root.firstProblem === null ? '' : `, the first: ${root.firstProblem}`}`,
					'warning',
				)),
	];
};

const indented = (text: string, columns: number): readonly Line[] =>
	wrapLine([{text, style: 'dim'}], Math.max(8, columns - 6)).map(line => [{text: '    '}, ...line]);

/** Folders that were there, or that somebody asked for: they are named, there is nothing to explain. */
const absentLines = (
	state: AppState,
	roots: readonly SourceRoot[],
	columns: number,
): readonly Line[] => {
	if (roots.length === 0) return [];
	const {home} = state.settings;
	const names = roots.map(
		({agent, path}) => `${agentLabel(state, agent)} ${sanitizeLine(shortPath(path, home))}`,
	);
	return [
		[],
		[{text: '  Not there', style: 'bold'}],
		...names.flatMap(name => indented(name, columns)),
	];
};

/** Of agents that are not in use, only their names. */
const unusedLines = (
	state: AppState,
	roots: readonly SourceRoot[],
	columns: number,
): readonly Line[] => {
	const sum = unusedSum(roots);
	if (sum === null) return [];
	const names = unusedAgents(roots).map(agent => agentLabel(state, agent));
	return [
		[],
		...wrapLine([{text: '  '}, {text: sum, style: 'bold'}], columns),
		...(names.length === 0 ? [] : indented(names.join(', '), columns)),
		...indented('backscroll sources --all lists every place', columns),
	];
};

/** Why a session is in the list, or not. */
export const sourceLines = (state: AppState, {roots}: SourcesDialog): readonly Line[] => {
	if (roots === null) return [];
	const {columns} = state.size;
	const there = roots.filter(root => root.state !== 'absent');
	const absent = roots.filter(root => root.state === 'absent' && !root.isUnused);
	return [
		...there.flatMap(root => rootLines(state, root, columns)),
		...absentLines(state, absent, columns),
		...unusedLines(state, roots, columns),
	].slice(1);
};
