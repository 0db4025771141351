import {expect, test} from 'vitest';
import {createWaiting} from '../../source/newest-first.js';

test('of one channel only the newest question is left, and busy channels do not starve others', () => {
	const waiting = createWaiting<{readonly id: number; readonly channel: string}>();
	expect(waiting.add({id: 1, channel: 'list'})).toBeUndefined();
	waiting.add({id: 2, channel: 'preview'});
	expect(waiting.add({id: 3, channel: 'list'})?.id).toBe(1);
	expect([waiting.next()?.id, waiting.next()?.id, waiting.next()]).toEqual([2, 3, undefined]);
});
