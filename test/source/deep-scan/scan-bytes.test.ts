import fc from 'fast-check';
import {expect, it} from 'vitest';
import type {ByteInput} from '../../../adapters/shared/bytes.js';
import {literalPattern} from '../../../source/deep-scan/literal.js';
import {scanBytes} from '../../../source/deep-scan/scan-bytes.js';

/** Bytes in pieces of a size. */
const inputOf = (text: string, pieceBytes: number): ByteInput => {
	let rest = Buffer.from(text);
	return {
		read(into) {
			const piece = rest.subarray(0, Math.min(pieceBytes, into.length));
			into.set(piece);
			rest = rest.subarray(piece.length);
			return piece.length;
		},
		problem: () => undefined,
		close() {},
	};
};

it('finds every place once, wherever chunks end, and looks at every byte', () => {
	const part = fc.oneof(
		fc.constantFrom('needle', 'NEEDLE', 'need', 'le', '\n', 'nee\\ndle', 'ü', 'needl\\u0065'),
		fc.string({maxLength: 30}),
	);
	fc.assert(
		fc.property(
			fc.array(part, {maxLength: 200}),
			fc.integer({min: 1, max: 400}),
			fc.integer({min: 1, max: 300}),
			(parts, pieceBytes, chunkBytes) => {
				const text = parts.join('');
				const bytes = Buffer.from(text);
				const found: number[] = [];
				let looked = 0;
				for (const step of scanBytes(
					inputOf(text, pieceBytes),
					literalPattern('needle'),
					chunkBytes,
				))
					if (step.kind === 'match') {
						found.push(step.offset);
						expect(step.around.toLowerCase()).toContain('needle');
						expect(step.around).not.toContain('\n');
					} else looked += step.sizeBytes;
				const expected = [...bytes.toString('latin1').matchAll(/needle/gi)].map(({index}) => index);
				expect(found).toEqual(expected);
				expect(looked).toBe(bytes.length);
			},
		),
	);
});

it('goes on where it is told to', () => {
	const text = 'needle needle needle needle';
	const steps = scanBytes(inputOf(text, 1000), literalPattern('needle'));
	const first = steps.next();
	expect(first.value).toMatchObject({kind: 'match', offset: 0});
	expect(steps.next(15).value).toMatchObject({kind: 'match', offset: 21});
});
