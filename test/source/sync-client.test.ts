import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {expect, onTestFinished, test} from 'vitest';
import {startSync} from '../../source/sync-client.js';
import type {FromSyncWorker} from '../../store/sync/protocol.js';

/** Says its number with each pass, as a session that has changed. */
const WORKER = `
import {parentPort, threadId} from 'node:worker_threads';
parentPort.on('message', ({type}) => {
	if (type === 'stop') return parentPort.close();
	if (type === 'poll') throw new Error('no such session');
	parentPort.postMessage({type: 'changed', sessions: [String(threadId)]});
	parentPort.postMessage({type: 'settled'});
});
`;

const started = (restMs: number) => {
	const folder = mkdtempSync(join(tmpdir(), 'backscroll-sync-client-'));
	const file = join(folder, 'worker.mjs');
	writeFileSync(file, WORKER);
	const data = {folder, home: folder, platform: process.platform, env: {}, extraRoots: []};
	const client = startSync(pathToFileURL(file), data, restMs);
	onTestFinished(async () => {
		await client.terminate();
		rmSync(folder, {recursive: true});
	});
	const next = (type: FromSyncWorker['type']) =>
		new Promise<FromSyncWorker>(resolve => {
			const stop = client.onMessage(message => {
				if (message.type !== type) return;
				stop();
				resolve(message);
			});
		});
	/** Which worker does a pass. */
	const pass = async (): Promise<string | undefined> => {
		const [said] = [next('changed'), client.sync()];
		const message = await said;
		return message.type === 'changed' ? message.sessions[0] : undefined;
	};
	return {...client, next, pass};
};

test('one worker does the passes that follow each other', async () => {
	const {pass, close} = started(60_000);
	const first = await pass();
	expect(await pass()).toBe(first);
	await close();
});

test('at rest there is none, and the next pass starts another one', async () => {
	const {pass, close} = started(5);
	const first = await pass();
	await expect.poll(pass).not.toBe(first);
	await close();
});

test('a worker that failed is said, and followed by another one', async () => {
	const {pass, poll, next, close} = started(60_000);
	const first = await pass();
	const failed = next('failed');
	poll('claude-code:a');
	expect(await failed).toEqual({type: 'failed', message: 'sync ended: no such session'});
	expect(await pass()).not.toBe(first);
	await close();
});

test('after closing no worker is started any more', async () => {
	const {close, sync, terminate} = started(5);
	await close();
	sync();
	expect(await terminate()).toBeUndefined();
});
