import {describe, expect, it} from 'vitest';
import {eventsOf, lineOf} from '../../../source/commands/events.js';
import type {Library} from '../../../store/library.js';
import type {EventView, SessionView} from '../../../store/types.js';
import {eventView, sessionView} from '../../helpers/views.js';

type Part = Pick<Library, 'events' | 'event' | 'session'>;

/** A library of sessions whose events are called `<session><index>`. */
const library = (
	sessions: Readonly<
		Record<string, {readonly parent?: SessionView['parent']; readonly texts: number}>
	>,
	copied: readonly string[] = [],
): Library => {
	const events = (ref: string): readonly EventView[] =>
		Array.from({length: sessions[ref]?.texts ?? 0}, (_, index) =>
			eventView({
				ref: `${ref}${index}`,
				session: ref,
				index,
				text: `${ref}${index}`,
				state: copied.includes(`${ref}${index}`) ? 'copied' : 'live',
			}),
		);
	const part: Part = {
		events: (ref, {from, count}) => events(ref).slice(from, from + count),
		event: ref =>
			Object.keys(sessions)
				.flatMap(events)
				.find(event => event.ref === ref),
		session: ref => sessions[ref] && sessionView({ref, parent: sessions[ref].parent ?? null}),
	};
	return part as Library;
};

const parent = (
	ref: string,
	event: string | null,
	relation: 'fork' | 'continuation' | 'subagent',
) => ({ref, relation, certainty: 'exact', event, isKnown: true}) as const;

const texts = (events: Iterable<EventView>) => [...events].map(({text}) => text);

const lineFrom = (from: Library, ref: string) => {
	const session = from.session(ref);
	return session === undefined ? [] : texts(lineOf(from, session));
};

describe('the events of a session', () => {
	it('come page by page, all of them, without those that a parent owns', () => {
		const large = library({a: {texts: 1203}}, ['a0', 'a700']);
		const all = texts(eventsOf(large, 'a'));
		expect(all).toHaveLength(1201);
		expect(all.at(-1)).toBe('a1202');
	});

	it('can be a part', () => {
		expect(texts(eventsOf(library({a: {texts: 9}}), 'a', {from: -2, end: 3}))).toEqual([
			'a0',
			'a1',
			'a2',
		]);
	});
});

describe('the line of a fork', () => {
	it('is the parents up to where they parted, then its own', () => {
		const family = library({
			a: {texts: 4},
			b: {texts: 3, parent: parent('a', 'a1', 'fork')},
			c: {texts: 2, parent: parent('b', 'b0', 'fork')},
		});
		expect(lineFrom(family, 'c')).toEqual(['a0', 'a1', 'b0', 'c0', 'c1']);
	});

	it('of a continuation is all of what it goes on from', () => {
		const family = library({
			a: {texts: 2},
			b: {texts: 1, parent: parent('a', null, 'continuation')},
		});
		expect(lineFrom(family, 'b')).toEqual(['a0', 'a1', 'b0']);
	});

	it('does not reach from a sub-agent into its parent, and ends when links go in a circle', () => {
		const family = library({
			a: {texts: 1, parent: parent('b', 'b0', 'fork')},
			b: {texts: 1, parent: parent('a', 'a0', 'fork')},
			s: {texts: 1, parent: parent('a', 'a0', 'subagent')},
		});
		expect(lineFrom(family, 's')).toEqual(['s0']);
		expect(lineFrom(family, 'a')).toEqual(['b0', 'a0']);
	});
});
