import type {Line, StyleName} from '../terminal/spans.js';
import {wrapLine} from '../terminal/width.js';
import type {Symbols} from './options.js';

export interface PatchLine {
	readonly kind: 'context' | 'add' | 'remove' | 'gap' | 'file';
	/** Number in the new file, of a removed line in the old one; null where the patch states none. */
	readonly number: number | null;
	readonly text: string;
}

const hunkHeader = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
/** Envelope of `apply_patch`, whose hunks have no line numbers. */
const patchFile = /^\*\*\* (?:Add|Update|Delete|Move to)(?: File)?: (.+)$/;

/** Position inside of a hunk; the counts tell `--- x` as a removed line from a file header. */
interface Place {
	old: number | null;
	new: number | null;
	oldLeft: number;
	newLeft: number;
}

const unnumbered = (): Place => ({old: null, new: null, oldLeft: Infinity, newLeft: Infinity});

const startOf = (header: RegExpExecArray): Place => ({
	old: Number(header[1]),
	new: Number(header[3]),
	oldLeft: Number(header[2] ?? 1),
	newLeft: Number(header[4] ?? 1),
});

const step = (number: number | null): number | null => (number === null ? null : number + 1);

const bodyLine = (line: string, place: Place): PatchLine | undefined => {
	if (line.startsWith('\\')) return undefined; // `\ No newline at end of file`
	const sign = line[0];
	// A line without a sign is none of a patch, but may be all that there is.
	const text = /^[ +-]/.test(line) ? line.slice(1) : line;
	const {old, new: fresh} = place;
	if (sign === '-') {
		place.old = step(old);
		place.oldLeft -= 1;
		return {kind: 'remove', number: old, text};
	}
	place.new = step(fresh);
	place.newLeft -= 1;
	if (sign === '+') return {kind: 'add', number: fresh, text};
	place.old = step(old);
	place.oldLeft -= 1;
	return {kind: 'context', number: fresh, text};
};

const withoutPrefix = (path: string): string => path.replace(/^[ab]\//, '').replace(/\t.*$/, '');

/** Path of a file header that begins at `lines[index]`. */
const fileAt = (lines: readonly string[], index: number): string | undefined => {
	const envelope = patchFile.exec(lines[index] ?? '');
	if (envelope?.[1]) return envelope[1];
	const [before, after] = [lines[index] ?? '', lines[index + 1] ?? ''];
	if (!before.startsWith('--- ') || !after.startsWith('+++ ')) return undefined;
	return withoutPrefix(after.slice(4) === '/dev/null' ? before.slice(4) : after.slice(4));
};

/** Never fails: what is no patch becomes context lines, so that nothing is lost from sight. */
export const parsePatch = (patch: string): readonly PatchLine[] => {
	const lines = patch.replace(/\n$/, '').split('\n');
	const parsed: PatchLine[] = [];
	let place = unnumbered();
	for (let index = 0; index < lines.length; index++) {
		const line = lines[index] ?? '';
		const isInside = Number.isFinite(place.oldLeft) && (place.oldLeft > 0 || place.newLeft > 0);
		if (!isInside) {
			const file = fileAt(lines, index);
			if (file !== undefined) {
				parsed.push({kind: 'file', number: null, text: file});
				if (line.startsWith('--- ')) index += 1;
				place = unnumbered();
				continue;
			}
			if (line.startsWith('@@')) {
				if (parsed.length > 0 && parsed.at(-1)?.kind !== 'file')
					parsed.push({kind: 'gap', number: null, text: ''});
				const header = hunkHeader.exec(line);
				place = header ? startOf(header) : unnumbered();
				continue;
			}
			if (/^(?:\*\*\* |diff |index )/.test(line)) continue;
		}
		const body = bodyLine(line, place);
		if (body) parsed.push(body);
	}
	return parsed;
};

export const countChanges = (
	lines: readonly PatchLine[],
): {readonly added: number; readonly removed: number} => ({
	added: lines.filter(line => line.kind === 'add').length,
	removed: lines.filter(line => line.kind === 'remove').length,
});

const styles = {context: 'text', add: 'diffAdd', remove: 'diffRemove'} as const satisfies Record<
	string,
	StyleName
>;

/** `  42  −   const token = read(request);` */
export const layoutPatch = (
	lines: readonly PatchLine[],
	columns: number,
	symbols: Symbols,
): readonly Line[] => {
	const digits = lines.reduce((most, {number}) => Math.max(most, String(number ?? '').length), 0);
	const signs = {context: ' ', add: '+', remove: symbols.minus};
	const hasFiles = lines.filter(line => line.kind === 'file').length > 1;
	// A column of numbers that would leave hardly any room for the code is left out.
	const width = digits + 14 < columns ? digits : 0;
	return lines.flatMap(({kind, number, text}): readonly Line[] => {
		if (kind === 'file') return hasFiles ? wrapLine([{text, style: 'diffHunk'}], columns) : [];
		if (kind === 'gap')
			return wrapLine(
				[{text: `${' '.repeat(width)}${symbols.ellipsis}`, style: 'diffHunk'}],
				columns,
			);
		const label = width === 0 ? '' : `${String(number ?? '').padStart(width)}  `;
		const style = styles[kind];
		const rest = columns - label.length - 2;
		const rows = wrapLine([{text, style}], Math.max(1, rest));
		return rows.map((row, index): Line => {
			const sign = index === 0 ? signs[kind] : ' ';
			const margin = index === 0 ? label : ' '.repeat(label.length);
			return [{text: margin, style: 'lineNumber'}, {text: `${sign} `, style}, ...row];
		});
	});
};
