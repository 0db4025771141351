import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import type {Adapter} from '../../adapters/types.js';
import {findContents} from '../../source/archive/contents.js';
import {MIRROR_FOLDER} from '../../store/archive/member-file.js';
import {type MirrorOptions, type MirrorSummary, mirrorPass} from '../../store/archive/mirror.js';
import {type ToyWorld, toyAdapter} from './toy-adapter.js';

/** Mirrors what the last sync of a toy world left. */
export const mirrorToys = (
	world: Pick<ToyWorld, 'database' | 'data'>,
	{
		adapters = [toyAdapter()],
		...options
	}: Partial<Omit<MirrorOptions, 'adapters'>> & {readonly adapters?: readonly Adapter[]} = {},
): Promise<MirrorSummary> =>
	mirrorPass(world.database, {
		folder: world.data,
		adapters,
		findContents,
		now: () => 0,
		...options,
	});

/** Paths of the mirror files. */
export const mirrorFilesIn = (folder: string): readonly string[] =>
	readdirSync(join(folder, MIRROR_FOLDER), {recursive: true, encoding: 'utf8'})
		.map(name => join(folder, MIRROR_FOLDER, name))
		.filter(path => statSync(path).isFile());

export const bytesOf = (paths: readonly string[]): number =>
	paths.reduce((sum, path) => sum + readFileSync(path).length, 0);
