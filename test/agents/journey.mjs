/** One agent, from its first session to the proof that it went on with it: a line of the table. */
import {spawn, spawnSync} from 'node:child_process';
import {mkdirSync, readFileSync, rmSync, symlinkSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {spawn as spawnPty} from 'node-pty';
import {startModelServer} from './model-server.mjs';

const PROGRAM = resolve('dist/cli.js');
const FIRST = 'How deep do puffins dive';
const SECOND = 'And razorbills, how deep do they go';
const THIRD = 'Which of the two stays down longer';
const RECORD = 'This is the record of an earlier conversation';

const turnLimitMs = 90_000;
const pollMs = 200;

/** Asks until there is an answer; undefined when the time is up. */
const until = async (ask, limitMs = turnLimitMs) => {
	for (const end = Date.now() + limitMs; Date.now() < end; ) {
		const answer = ask();
		if (answer) return answer;
		await new Promise(done => setTimeout(done, pollMs));
	}
	return undefined;
};

class Failure extends Error {}

const withoutEscapes = text =>
	text.replace(/\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|.)/g, ' ');

/** A program in a terminal of its own, which answers what terminals are asked. */
const openTerminal = (argv, {cwd, env}) => {
	const pty = spawnPty(argv[0], argv.slice(1), {
		name: 'xterm-256color',
		cols: 120,
		rows: 40,
		cwd,
		env,
	});
	let output = '';
	let hasEnded = false;
	pty.onData(data => {
		output += data;
		if (data.includes('\x1b[6n')) pty.write('\x1b[1;1R');
		if (data.includes('\x1b[c')) pty.write('\x1b[?62;c');
	});
	pty.onExit(() => {
		hasEnded = true;
	});
	return {
		has: text => withoutEscapes(output).includes(text),
		write: text => pty.write(text),
		lastWords: () => withoutEscapes(output).replace(/\s+/g, ' ').slice(-300),
		hasEnded: () => hasEnded,
		async close() {
			if (!hasEnded) process.kill(-pty.pid, 'SIGHUP');
			await until(() => hasEnded, 3_000);
			if (!hasEnded) process.kill(-pty.pid, 'SIGKILL');
		},
	};
};

const worldOf = (agent, {folder, packages, url}) => {
	const home = join(folder, agent.id, 'home');
	const work = join(folder, agent.id, "work; it's ünïcode $HOME");
	const bin = join(folder, agent.id, 'bin');
	for (const path of [home, work, bin]) mkdirSync(path, {recursive: true});
	symlinkSync(process.execPath, join(bin, 'node'));
	agent.setUp(home, {url, work});
	const env = {
		HOME: home,
		PATH: `${bin}:${join(packages, 'node_modules', '.bin')}:/usr/bin:/bin`,
		SHELL: '/bin/sh',
		TERM: 'xterm-256color',
		LANG: 'C.UTF-8',
		TZ: 'UTC',
		BACKSCROLL_HOME: join(folder, agent.id, 'backscroll'),
		...agent.env(url),
	};
	const backscroll = (...words) => {
		const {stdout, stderr, status} = spawnSync(process.execPath, [PROGRAM, ...words], {
			cwd: home,
			env,
			encoding: 'utf8',
		});
		if (status !== 0) throw new Failure(`backscroll ${words[0]}: code ${status}: ${stderr.trim()}`);
		return stdout;
	};
	return {home, work, url, env, backscroll};
};

/** The first turn, without a terminal. Not waited for synchronously: the model server runs in this process. */
const begin = async (agent, {work, env}) => {
	const [program, ...words] = agent.begin(FIRST);
	const child = spawn(program, words, {
		cwd: work,
		env,
		stdio: ['ignore', 'pipe', 'pipe'],
		detached: true,
	});
	let said = '';
	let code;
	for (const stream of [child.stdout, child.stderr])
		stream.on('data', chunk => {
			said += chunk;
		});
	child.once('error', error => {
		said += error.message;
		code = -1;
	});
	child.once('close', status => {
		code = status ?? -1;
	});
	await until(() => code !== undefined);
	if (code === undefined) process.kill(-child.pid, 'SIGKILL');
	if (code !== 0)
		throw new Failure(`the first turn ended with ${code}: ${said.trim().slice(-300)}`);
};

/** Once the old conversation is shown, the agent listens. Enter at once would be a part of what looks like pasted. */
const type = async (terminal, text) => {
	await until(() => terminal.has('Noted:') || terminal.hasEnded());
	terminal.write(text);
	await new Promise(done => setTimeout(done, 1_000));
	terminal.write('\r');
};

/** Runs argv in a terminal until a request fits; `after` is asked before the agent is ended. */
const inTerminal = async (argv, {cwd, env, server, typed, fits, after = () => undefined}) => {
	const from = server.requests.length;
	const terminal = openTerminal(argv, {cwd, env});
	try {
		if (typed !== undefined) await type(terminal, typed);
		const request = await until(
			() => server.requests.slice(from).find(({text}) => fits(text)) ?? terminal.hasEnded(),
		);
		if (request === undefined || request === true)
			throw new Failure(`no such request; the screen said: ${terminal.lastWords()}`);
		return await after();
	} finally {
		await terminal.close();
	}
};

const has = text => part => text.includes(JSON.stringify(part).slice(1, -1));

const sessionsOf = (agent, world) =>
	JSON.parse(world.backscroll('list', '--all', '--agent', agent.id, '--json')).sessions;

/** Goes on with a session: what was said before, what the model answered, and the new prompt have to be in one request. */
const goOn = async (agent, ref, {world, server, said, prompt}) => {
	const words = agent.words?.(prompt) ?? [];
	const command = world.backscroll('resume', ref, '--print', '--', ...words).trim();
	const landed = await inTerminal(['/bin/sh', '-c', command], {
		cwd: '/',
		env: world.env,
		server,
		typed: agent.words ? undefined : prompt,
		fits: text => [...said, 'Noted: ', prompt].every(has(text)),
		after: () =>
			until(() => {
				const {events} = JSON.parse(world.backscroll('show', ref, '--json'));
				return events.some(({role, text}) => role === 'user' && text.includes(prompt));
			}, 20_000),
	});
	if (!landed) throw new Failure('the new turn is not in the same session');
	const {length} = sessionsOf(agent, world);
	if (length !== 1) throw new Failure(`${length} sessions after the resume`);
};

const resumed = async (agent, world, server) => {
	const sessions = sessionsOf(agent, world);
	if (sessions.length !== 1) throw new Failure(`${sessions.length} sessions are listed, not one`);
	const [{ref, cwd}] = sessions;
	if (cwd !== world.work) throw new Failure(`listed in ${cwd}`);
	await goOn(agent, ref, {world, server, said: [FIRST], prompt: SECOND});
	return ref;
};

/** As after a clean-up: the transcript is gone, comes back out of the mirror, and the agent goes on with it. */
const restored = async (agent, ref, world, server) => {
	world.backscroll('sync');
	const [{location}] = sessionsOf(agent, world);
	const before = readFileSync(location);
	rmSync(location);
	const [{sourceState}] = sessionsOf(agent, world);
	if (sourceState !== 'deleted') throw new Failure(`without its transcript it is ${sourceState}`);
	world.backscroll('restore', ref);
	if (!readFileSync(location).equals(before)) throw new Failure('other bytes came back');
	await goOn(agent, ref, {world, server, said: [FIRST, SECOND], prompt: THIRD});
};

/** The environment of an agent's world, with another agent beside it. */
const withTaker = (taker, {home, work, url, env}, packages) => {
	taker.setUp(home, {url, work});
	return {
		...env,
		PATH: `${join(packages, 'node_modules', '.bin')}:${env.PATH}`,
		...taker.env(url),
	};
};

const handedOver = async (taker, ref, env, server) => {
	const argv = [process.execPath, PROGRAM, 'resume', ref, '--with', taker.id, '--yes'];
	await inTerminal(argv, {
		cwd: '/',
		env,
		server,
		fits: text => [RECORD, FIRST, SECOND].every(has(text)),
	});
};

const installedVersion = ({package: name}, packages) =>
	JSON.parse(readFileSync(join(packages, 'node_modules', name, 'package.json'), 'utf8')).version;

/** Gives a row of the table; never throws for what an agent does. `taker`: another agent that the session is handed over to. */
export const journey = async (agent, {folder, packages, taker}) => {
	const row = {
		agent: agent.id,
		version: installedVersion(agent, packages),
		listed: 'no',
		resumed: 'no',
		restored: agent.isRestorable ? 'no' : '–',
		'took over': agent.takesOver ? 'no' : '–',
		'handed over to': taker ? 'no' : '–',
		note: '',
	};
	const server = await startModelServer();
	try {
		const world = worldOf(agent, {folder, packages, url: `http://127.0.0.1:${server.port}`});
		await begin(agent, world);
		if (sessionsOf(agent, world).length === 1) row.listed = 'yes';
		const ref = await resumed(agent, world, server);
		row.resumed = 'yes';
		if (agent.isRestorable) {
			await restored(agent, ref, world, server);
			row.restored = 'yes';
		}
		if (agent.takesOver) {
			await handedOver(agent, ref, world.env, server);
			row['took over'] = 'yes';
		}
		if (taker) {
			await handedOver(taker.agent, ref, withTaker(taker.agent, world, taker.packages), server);
			row['handed over to'] = taker.agent.id;
		}
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		row.note = error.message;
	} finally {
		server.close();
	}
	return row;
};
