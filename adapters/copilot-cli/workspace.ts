/** `workspace.yaml`: flat `key: value` lines about a session. */

import {readFileSync} from 'node:fs';
import type {Problem} from '../model.js';
import {errorText, isAbsent} from '../shared/errors.js';

export type Workspace = ReadonlyMap<string, string>;

const KEY = /^([A-Za-z_]\w*):(?:\s+(.*))?$/;

/** Folded lines of a quoted text: the line end is a blank, unless a backslash takes it away. */
const unquoted = (text: string): string => {
	const quote = text[0];
	if (quote === "'" && text.endsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
	if (quote !== '"') return text;
	try {
		return String(JSON.parse(text.replaceAll(/\\ /g, ' ')));
	} catch {
		return text.slice(1).replace(/"$/, ''); // an escape that JSON has not
	}
};

const BLOCK = /^[|>][-+\d]*$/;

const textIn = (lines: readonly string[]): string => {
	const [first = '', ...rest] = lines;
	if (BLOCK.test(first)) return rest.join(first.startsWith('|') ? '\n' : ' ').trim();
	const folded = rest.reduce(
		(text, line) => (text.endsWith('\\') ? text.slice(0, -1) + line : `${text} ${line}`),
		first,
	);
	return unquoted(folded.trim());
};

/** Only what the agent writes: a mapping of texts, long ones folded over indented lines. */
export const parseWorkspace = (text: string): Workspace => {
	const found = new Map<string, string[]>();
	let current: string[] | undefined;
	for (const line of text.split(/\r?\n/)) {
		const [, key, value] = KEY.exec(line) ?? [];
		if (key !== undefined) {
			current = [(value ?? '').trim()];
			found.set(key, current);
		} else if (/^\s/.test(line)) current?.push(line.trim());
	}
	return new Map([...found].map(([key, lines]) => [key, textIn(lines)]));
};

const NOTHING: Workspace = new Map();

export const readWorkspace = (
	path: string | undefined,
): {readonly workspace: Workspace; readonly problems: readonly Problem[]} => {
	if (path === undefined) return {workspace: NOTHING, problems: []};
	try {
		return {workspace: parseWorkspace(readFileSync(path, 'utf8')), problems: []};
	} catch (error) {
		if (isAbsent(error)) return {workspace: NOTHING, problems: []};
		const problem: Problem = {code: 'unreadable', where: path, detail: errorText(error)};
		return {workspace: NOTHING, problems: [problem]};
	}
};
