import {readFileSync} from 'node:fs';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {copyText} from '../../../source/terminal/clipboard.js';
import {createHome, type Home} from '../../helpers/home.js';

const system = vi.hoisted(() => ({write: vi.fn<(text: string) => Promise<void>>()}));
vi.mock('clipboardy', () => ({default: system}));

let home: Home;

beforeEach(() => {
	home = createHome([]);
	system.write.mockReset().mockResolvedValue();
});
afterEach(() => home.remove());

/** A tmux that keeps what it is given. */
const addTmux = (code: number) => {
	home.addScript('tmux', `echo "$@" > "$HOME/tmux-argv"; cat > "$HOME/tmux-text"; exit ${code}`);
	return {...home.env, TMUX: '/tmp/tmux-0/default,1,0'};
};

describe('copyText', () => {
	it('goes through tmux where we run in it, over SSH as well', async () => {
		const env = {...addTmux(0), SSH_TTY: '/dev/pts/0'};
		expect(await copyText('text ✓\n', env)).toBe('tmux');
		expect(readFileSync(home.file('tmux-text'), 'utf8')).toBe('text ✓\n');
		expect(readFileSync(home.file('tmux-argv'), 'utf8').trim()).toBe('load-buffer -w -');
		expect(system.write).not.toHaveBeenCalled();
	});

	it('goes on to the system when tmux cannot', async () => {
		expect(await copyText('text', addTmux(1))).toBe('system clipboard');
		expect(await copyText('text', {...home.env, PATH: home.bin, TMUX: 'gone'})).toBe(
			'system clipboard',
		);
		expect(system.write).toHaveBeenCalledWith('text');
	});

	it('survives a tmux that does not read', async () => {
		home.addScript('tmux', 'exit 1');
		const env = {...home.env, TMUX: 'x'};
		expect(await copyText('x'.repeat(1_000_000), env)).toBe('system clipboard');
	});

	it('says so when the terminal would not take it all', async () => {
		const remote = {...home.env, SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22'};
		await expect(copyText('é'.repeat(37_001), remote)).rejects.toThrow(/too long/);
		expect(system.write).not.toHaveBeenCalled();
	});
});
