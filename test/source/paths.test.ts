import {describe, expect, it} from 'vitest';
import {appPaths, expandHome} from '../../source/paths.js';

const facts = {
	env: {},
	home: '/home/ada',
	cwd: '/srv/app',
	standard: {data: '/home/ada/.local/share/backscroll', config: '/home/ada/.config/backscroll'},
};

describe('where things lie', () => {
	it('by itself: data and settings where the platform keeps them', () => {
		expect(appPaths(facts)).toEqual({
			dataFolder: '/home/ada/.local/share/backscroll',
			configFile: '/home/ada/.config/backscroll/config.json',
			logFile: '/home/ada/.local/share/backscroll/log/backscroll.log',
		});
	});

	it('BACKSCROLL_HOME moves everything', () => {
		expect(appPaths({...facts, env: {BACKSCROLL_HOME: '/elsewhere'}})).toEqual({
			dataFolder: '/elsewhere',
			configFile: '/elsewhere/config.json',
			logFile: '/elsewhere/log/backscroll.log',
		});
	});

	it('--data-dir wins, and is taken from the current directory', () => {
		const paths = appPaths({...facts, env: {BACKSCROLL_HOME: '/elsewhere'}, dataDir: 'here'});
		expect(paths.dataFolder).toBe('/srv/app/here');
		expect(paths.configFile).toBe('/srv/app/here/config.json');
	});

	it('an empty variable is none', () => {
		expect(appPaths({...facts, env: {BACKSCROLL_HOME: ''}})).toEqual(appPaths(facts));
	});

	it.each([
		['~', '/home/ada'],
		['~/x', '/home/ada/x'],
		['~bob/x', '~bob/x'],
		['/a/~', '/a/~'],
	])('%s is %s', (path, expected) => {
		expect(expandHome(path, '/home/ada')).toBe(expected);
	});
});
