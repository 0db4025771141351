import {describe, expect, it} from 'vitest';
import {parseArguments} from '../../../source/commands/arguments.js';
import {browse, commands} from '../../../source/commands/table.js';
import {UsageError} from '../../../source/errors.js';

const parsed = (...argv: string[]) => {
	const {command, flags, words, rest} = parseArguments(argv);
	return {name: command.name, flags, words, rest};
};

describe('which command', () => {
	it.each([
		[['list'], 'list', []],
		[['list', 'search'], 'list', ['search']],
		[['fix', 'the', 'list'], 'browse', ['fix', 'the', 'list']],
		[[], 'browse', []],
		[['--json', 'list'], 'list', []],
		[['--agent', 'list', 'search', 'x'], 'search', ['x']],
		[['--data-dir=/x', 'sync'], 'sync', []],
	] as const)('%j is %s with the words %j', (argv, name, words) => {
		expect(parsed(...argv)).toMatchObject({name, words});
	});

	it('takes what follows -- as text, whatever it looks like', () => {
		expect(parsed('--', 'list')).toEqual({name: 'browse', flags: {}, words: [], rest: ['list']});
		expect(parsed('search', '--json', '--', '-word', '--json', '--')).toEqual({
			name: 'search',
			flags: {json: true},
			words: [],
			rest: ['-word', '--json', '--'],
		});
	});

	it('does not mistake a name that is taken for a search', () => {
		expect(() => parsed('mcp', 'x')).toThrow(/mcp: this version does not have it yet/);
	});
});

describe('flags', () => {
	it('gives those that were set, and no others', () => {
		expect(parsed('list', '--limit', '5', '--no-sync', '--sort=recent').flags).toEqual({
			limit: 5,
			sync: false,
			sort: 'recent',
		});
	});

	it('collects a flag that may be given several times', () => {
		expect(parsed('list', '--agent', 'a', '--agent', 'b').flags).toEqual({agent: ['a', 'b']});
	});

	it('takes a lone dash as a value, and as a word', () => {
		expect(parsed('export', 'x', '--output', '-', '--force')).toMatchObject({
			flags: {output: '-', force: true},
			words: ['x'],
		});
		expect(parsed('search', '-').words).toEqual(['-']);
	});

	it('takes an empty text where it has a meaning', () => {
		expect(parsed('mark', 'x', '--title', '').flags).toEqual({title: ''});
	});

	it.each([
		[['list', '--frobnicate'], /no flag --frobnicate here: see backscroll list --help/],
		[['list', '-word'], /no flag -\w here: words that begin with - go behind --/],
		[['sync', '--limit', '3'], /no flag --limit here/],
		[['--constructor'], /no flag --constructor here: see backscroll --help/],
		[['list', '--limit', 'many'], /--limit needs a whole number/],
		[['list', '--limit', '-3'], /--limit needs a whole number/],
		[['list', '--limit', '1.5'], /--limit needs a whole number/],
		[['list', '--project'], /--project needs a value/],
		[['list', '--sort', 'size'], /--sort takes recent, relevance, messages, not size/],
		[['list', '--cursor', 'a', '--cursor', 'b'], /cursor can only be set once/],
	] as const)('refuses %j in one line', (argv, message) => {
		let thrown: unknown;
		try {
			parseArguments(argv);
		} catch (error) {
			thrown = error;
		}
		expect(thrown).toBeInstanceOf(UsageError);
		expect((thrown as Error).message).toMatch(message);
		expect((thrown as Error).message).not.toContain('\n');
	});
});

describe('help', () => {
	it('of the program names every command', () => {
		const {help} = parseArguments(['--help']);
		for (const {name, summary} of commands)
			expect(help).toMatch(new RegExp(`^ +${name} +${summary.replace(/[?]/g, '\\?')}$`, 'm'));
	});

	it.each([browse, ...commands].map(command => [command.name, command] as const))(
		'of %s names its flags and is not wider than a terminal',
		(name, command) => {
			const {help} = parseArguments(name === 'browse' ? ['--help'] : [name, '--help']);
			for (const [flag, {isNegated}] of Object.entries(command.flags)) {
				const kebab = flag.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
				expect(help).toContain(`--${isNegated ? 'no-' : ''}${kebab} `);
			}
			for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(110);
		},
	);
});
