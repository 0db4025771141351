/** How often the screens are told of something new: each time costs a whole frame. */
import '../../helpers/libraries.js';
import {expect, test} from 'vitest';
import {event, row, session, testApp} from '../../helpers/app.js';

const sessions = ['a', 'b', 'c', 'd'].map(id => session(id, {events: 3}));
const events = [event(0, 'hello'), event(1, 'hi'), event(2, 'bye')];

const started = async (answers: Parameters<typeof testApp>[0] = {}) => {
	const all: Parameters<typeof testApp>[0] = {
		list: () => ({
			total: sessions.length,
			rows: sessions.map(of => row(of)),
			nextCursor: null,
			note: null,
		}),
		events: () => events,
		prompts: () => [],
		transcript: ref => ({
			session: sessions.find(of => of.ref === ref) ?? session('a'),
			total: events.length,
			children: [],
			followers: [],
			parentTitle: null,
			parentIndex: null,
		}),
		...answers,
	};
	const app = testApp(all, {size: {columns: 120, rows: 40}});
	await app.settled();
	const told: string[] = [];
	app.store.subscribe(() => {
		const {screen, reader} = app.store.getState();
		told.push(screen === 'list' ? 'list' : `${Object.keys(reader?.pages ?? {}).length} pages`);
	});
	return {...app, told};
};

test('a session comes into sight with its first events, not as an empty screen before', async () => {
	const {press, settled, told, stop} = await started();
	press('enter');
	expect(told).toEqual([]);
	await settled();
	expect(told[0]).toBe('1 pages');
	// And once more with the outline.
	expect(told).toHaveLength(2);
	stop();
});

test('a key pressed on the way goes to the reader', async () => {
	const {press, settled, store, stop} = await started();
	press('enter', 't');
	await settled();
	expect(store.getState().reader?.tools).toBe('full');
	expect(store.getState().query.text).toBe('');
	stop();
});

test('an answer that is late does not hold the screen', async () => {
	const {press, settled, told, stop} = await started({
		transcript: () => new Promise<undefined>(() => {}) as never,
	});
	press('enter');
	await settled();
	expect(told).toEqual(['0 pages']);
	stop();
});

test('moving on through the list asks for a preview only where it rests', async () => {
	const {press, settled, told, asked, stop} = await started();
	const before = asked.length;
	press('down');
	press('down');
	press('down');
	expect(told).toEqual(['list', 'list', 'list']);
	await settled();
	expect(asked.slice(before).map(({parameters}) => parameters[0])).toEqual([
		'claude-code:d',
		'claude-code:d',
	]);
	expect(told).toHaveLength(4);
	stop();
});

test('what changes nothing tells nobody', async () => {
	const {store, told, stop} = await started();
	store.dispatch({type: 'missing', paths: []});
	store.dispatch({type: 'opening-late', session: 'claude-code:a'});
	expect(told).toEqual([]);
	stop();
});
