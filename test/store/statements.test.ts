import {describe, expect, it} from 'vitest';
import {prepared} from '../../store/statements.js';
import {temporaryStore} from '../helpers/seed.js';

const SQL = 'SELECT 1 AS one, 2 AS two';

describe('prepared', () => {
	it('gives everybody the rows that they asked for, whatever others asked of the same SQL', () => {
		const {database} = temporaryStore();
		const plain = prepared(database)(SQL);
		const plucked = prepared(database)(SQL).pluck();
		const raw = prepared(database)(SQL).raw();
		for (let round = 0; round < 2; round++) {
			expect(plain.get()).toEqual({one: 1, two: 2});
			expect(plucked.all()).toEqual([1]);
			expect(raw.get()).toEqual([1, 2]);
			expect(prepared(database)(SQL).all()).toEqual([{one: 1, two: 2}]);
		}
		expect([...plucked.iterate()]).toEqual([1]);
	});

	it('prepares each form once', () => {
		const {database} = temporaryStore();
		const sql = prepared(database);
		expect(sql(SQL)).toBe(prepared(database)(SQL));
		expect(sql(SQL).pluck()).toBe(sql(SQL).pluck());
		expect(sql(SQL).raw()).toBe(sql(SQL).raw());
	});

	it('keeps connections apart', () => {
		const [one, other] = [temporaryStore().database, temporaryStore().database];
		expect(prepared(one)(SQL)).not.toBe(prepared(other)(SQL));
	});
});
