import {expect, it} from 'vitest';
import {loadWords, similarWords, wordsContaining} from '../../../store/search/vocabulary.js';
import {said, seedSession, temporaryStore} from '../../helpers/seed.js';

it('knows words of messages and titles, the frequent ones first', () => {
	const {database} = temporaryStore();
	seedSession(database, {id: 'a', title: 'Remuddling', events: [said('muddles and puddles')]});
	seedSession(database, {id: 'b', title: 'untitled', events: [said('puddles, puddles')]});
	expect(wordsContaining(database, 'uddle')).toEqual(['puddles', 'muddles']);
	expect(wordsContaining(database, 'muddl')).toEqual(['muddles', 'remuddling']);
	expect(wordsContaining(database, 'ud')).toEqual([]);
	expect(similarWords(database, 'pudles')).toEqual(['puddles']);
	expect(similarWords(database, 'x'.repeat(60_000))).toEqual([]);
});

it('can be loaded ahead in slices, and again when the index has grown', () => {
	const {database} = temporaryStore();
	const words = Array.from({length: 9000}, (_, index) => `word${index}`).join(' ');
	seedSession(database, {id: 'a', events: [said(words)]});
	let slices = 1;
	while (loadWords(database)) slices++;
	expect(slices).toBeGreaterThan(3);
	expect(loadWords(database)).toBe(false);
	expect(wordsContaining(database, 'ord8999')).toEqual(['word8999']);
	seedSession(database, {id: 'b', events: [said('a marzipan')]});
	expect(loadWords(database)).toBe(true);
	while (loadWords(database));
	expect(wordsContaining(database, 'zipan')).toEqual(['marzipan']);
});
