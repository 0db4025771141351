import {readFileSync} from 'node:fs';
import {isAbsolute} from 'node:path';
import * as v from 'valibot';
import {expandHome} from './paths.js';
import {themeNames} from './terminal/theme.js';

/** An extra place to look for sessions, such as a synced copy of another machine. */
export interface ConfiguredRoot {
	readonly agent: string;
	readonly path: string;
	readonly label?: string;
}

export interface Config {
	readonly roots: readonly ConfiguredRoot[];
	/** Agents that are neither read nor listed unless they are asked for by name. */
	readonly hiddenAgents: readonly string[];
	/** What Enter does on a row of the list. */
	readonly enter: 'read' | 'resume';
	/** Further arguments for an agent's resume command, by agent. */
	readonly flags: Readonly<Record<string, readonly string[]>>;
	/** Keep a compressed copy of the raw records. */
	readonly mirror: boolean;
	readonly theme: (typeof themeNames)[number];
	/** Nothing on the screen moves by itself: progress in words instead of a bar. */
	readonly reducedMotion: boolean;
	/** Other keys for a binding, by its id. */
	readonly keys: Readonly<Record<string, readonly string[]>>;
}

export const defaultConfig: Config = {
	roots: [],
	hiddenAgents: [],
	enter: 'read',
	flags: {},
	mirror: true,
	theme: 'default',
	reducedMotion: false,
	keys: {},
};

export interface LoadedConfig {
	readonly config: Config;
	/** One line for each entry that was ignored. */
	readonly problems: readonly string[];
}

export interface ConfigContext {
	readonly home: string;
	readonly agents: readonly string[];
}

type Report = (entry: string, why: string) => void;

/** Reads the config file; whatever is wrong with it is a line in `problems`, and the default stands. */
export const loadConfig = (file: string, context: ConfigContext): LoadedConfig => {
	let text: string;
	try {
		text = readFileSync(file, 'utf8');
	} catch (error) {
		const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
		const why = error instanceof Error ? error.message : String(error);
		return {
			config: defaultConfig,
			problems: isAbsent ? [] : [`${file}: cannot be read, defaults are used (${why})`],
		};
	}
	const {config, problems} = parseConfig(text, context);
	return {config, problems: problems.map(problem => `${file}: ${problem}`)};
};

export const parseConfig = (text: string, {home, agents}: ConfigContext): LoadedConfig => {
	const problems: string[] = [];
	const report: Report = (entry, why) => problems.push(`${entry} is ignored: ${why}`);
	const entries = parseObject(text);
	if (entries === undefined)
		return {config: defaultConfig, problems: ['not a JSON object, defaults are used']};

	const knownAgent = v.pipe(
		v.string('expected the id of an agent'),
		v.check(
			id => agents.includes(id),
			issue => `no agent is called ${JSON.stringify(issue.input)}`,
		),
	);
	const words = v.array(v.string('expected a text'), 'expected a list of texts');
	const root = v.object(
		{
			agent: knownAgent,
			path: v.pipe(
				v.string('expected a path'),
				v.transform(path => expandHome(path, home)),
				v.check(isAbsolute, 'expected an absolute path, or one that begins with ~/'),
			),
			label: v.optional(v.string('expected a text')),
		},
		'expected an object with agent and path',
	);
	const readers: {readonly [K in keyof Config]: (value: unknown) => Config[K]} = {
		roots: value => listOf('roots', value, root, report).map(withoutUndefined),
		hiddenAgents: value => listOf('hiddenAgents', value, knownAgent, report),
		enter: value =>
			one('enter', value, v.picklist(['read', 'resume'], 'expected "read" or "resume"'), report) ??
			defaultConfig.enter,
		flags: value => recordOf('flags', value, words, report),
		mirror: value =>
			one('mirror', value, v.boolean('expected true or false'), report) ?? defaultConfig.mirror,
		theme: value =>
			one('theme', value, v.picklist(themeNames, `expected ${themeNames.join(', ')}`), report) ??
			defaultConfig.theme,
		reducedMotion: value =>
			one('reducedMotion', value, v.boolean('expected true or false'), report) ??
			defaultConfig.reducedMotion,
		keys: value => recordOf('keys', value, words, report),
	};
	const config: Record<string, unknown> = {...defaultConfig};
	for (const [name, value] of Object.entries(entries)) {
		if (isConfigKey(name)) config[name] = readers[name](value);
		else report(name, 'no such setting');
	}
	return {config: config as unknown as Config, problems};
};

const isConfigKey = (name: string): name is keyof Config => Object.hasOwn(defaultConfig, name);

const parseObject = (text: string): Record<string, unknown> | undefined => {
	try {
		const value: unknown = JSON.parse(text);
		return v.is(v.record(v.string(), v.unknown()), value) && !Array.isArray(value)
			? value
			: undefined;
	} catch {
		return undefined; // said by the caller: defaults are used
	}
};

type Schema<T> = v.GenericSchema<unknown, T>;

const one = <T>(
	entry: string,
	value: unknown,
	schema: Schema<T>,
	report: Report,
): T | undefined => {
	const result = v.safeParse(schema, value);
	if (result.success) return result.output;
	for (const issue of result.issues) {
		const inside = v.getDotPath(issue);
		report(inside === null ? entry : `${entry}.${inside}`, issue.message);
	}
	return undefined;
};

const listOf = <T>(entry: string, value: unknown, schema: Schema<T>, report: Report): T[] => {
	if (!Array.isArray(value)) {
		report(entry, 'expected a list');
		return [];
	}
	return value.flatMap((item: unknown, index) => {
		const read = one(`${entry}[${index}]`, item, schema, report);
		return read === undefined ? [] : [read];
	});
};

const recordOf = <T>(
	entry: string,
	value: unknown,
	schema: Schema<T>,
	report: Report,
): Record<string, T> => {
	if (!v.is(v.record(v.string(), v.unknown()), value) || Array.isArray(value)) {
		report(entry, 'expected an object');
		return {};
	}
	return Object.fromEntries(
		Object.entries(value).flatMap(([name, item]) => {
			const read = one(`${entry}.${name}`, item, schema, report);
			return read === undefined ? [] : [[name, read]];
		}),
	);
};

const withoutUndefined = ({
	label,
	...root
}: {
	readonly agent: string;
	readonly path: string;
	readonly label?: string | undefined;
}): ConfiguredRoot => (label === undefined ? root : {...root, label});
