/**
 * What the text of a tool call says: a command line, `key: value` lines, JSON or a patch, as the readers of the agents give it,
 * and the store may have cut it.
 */

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const parse = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		// Not JSON, or cut in the middle: shown as it is.
		return undefined;
	}
};

const inputRecord = (text: string): Record<string, unknown> | undefined => {
	if (!text.trimStart().startsWith('{')) return undefined;
	const value = parse(text);
	return isRecord(value) ? value : undefined;
};

const firstString = (record: Record<string, unknown>, keys: readonly string[]) =>
	keys.map(key => record[key]).find((value): value is string => typeof value === 'string');

/** Of these the readers give the command line alone. */
const shells =
	/^(?:bash|sh|zsh|shell|powershell|terminal|execute|exec|local_shell|shell_command|exec_command|container\.exec|run_shell_command|run_terminal_cmd|execute_command|run_command)$/i;

/** The command line of a shell call, if that is what it is. */
export const commandOf = (name: string, text: string): string | undefined => {
	const input = inputRecord(text);
	if (!input) return shells.test(name) ? text : undefined;
	const command = input['command'] ?? input['cmd'];
	if (typeof command === 'string') return command;
	const isArgv = Array.isArray(command) && command.every(word => typeof word === 'string');
	return isArgv ? command.join(' ') : undefined;
};

const printed = (value: unknown): string => {
	if (typeof value === 'string') return value;
	try {
		return JSON.stringify(value) ?? '';
	} catch {
		return '(nested too deep)';
	}
};

/** `key: value` lines instead of JSON: the newlines of a value become real ones. */
export const readableInput = (text: string): string => {
	const input = inputRecord(text);
	if (!input) return text;
	return Object.entries(input)
		.map(([key, value]) => {
			const shown = printed(value);
			return shown.includes('\n') ? `${key}:\n${shown}` : `${key}: ${shown}`;
		})
		.join('\n');
};

export interface CheckItem {
	readonly state: 'done' | 'doing' | 'pending';
	readonly text: string;
}

const states: Readonly<Record<string, CheckItem['state']>> = {
	completed: 'done',
	complete: 'done',
	done: 'done',
	cancelled: 'done',
	in_progress: 'doing',
	'in-progress': 'doing',
	doing: 'doing',
	active: 'doing',
};

const checkItem = (value: unknown): CheckItem | undefined => {
	if (!isRecord(value) || typeof value['status'] !== 'string') return undefined;
	const text = firstString(value, ['content', 'step', 'description', 'title', 'text']);
	return text === undefined ? undefined : {state: states[value['status']] ?? 'pending', text};
};

/** Flat objects, also of a list that was cut off in the middle. */
const jsonRecords = (text: string): readonly unknown[] =>
	(text.match(/\{[^{}]*\}/g) ?? []).map(parse);

/** `- content: a` with the other fields of the item below. */
const listedRecords = (text: string): readonly unknown[] =>
	text
		.split(/^ *- (?=\w+: )/m)
		.slice(1)
		.map(item => {
			const fields = item.matchAll(/^ *(\w+): (.*)$/gm);
			return Object.fromEntries(Array.from(fields, ([, key = '', value = '']) => [key, value]));
		});

const marks: Readonly<Record<string, CheckItem['state']>> = {x: 'done', '>': 'doing'};

/** `[x] a` */
const markedItems = (text: string): readonly CheckItem[] =>
	Array.from(text.matchAll(/^\[([x> ])\] (.+)$/gm), ([, mark = '', item = '']) => ({
		state: marks[mark] ?? 'pending',
		text: item,
	}));

/** What stands above a list of marked items: why the plan is as it is. */
export const listLead = (text: string): string =>
	text.slice(0, Math.max(0, text.search(/^\[[x> ]\] /m))).trim();

/** To-do lists and plans: the name of the tool hints at one, its text decides. */
export const checkList = (name: string, text: string): readonly CheckItem[] | undefined => {
	if (!/todo|plan/i.test(name)) return undefined;
	const marked = markedItems(text);
	if (marked.length > 0) return marked;
	const items = [...jsonRecords(text), ...listedRecords(text)]
		.map(checkItem)
		.filter(item => item !== undefined);
	return items.length === 0 ? undefined : items;
};
