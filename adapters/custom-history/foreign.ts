import type {ForeignPlace} from '../types.js';
import {MANIFEST} from './discover.js';
import type {Json} from './records.js';

const FILE = 'exchange.jsonl';

/** A file without a plug-in: all of its sources are meant, under the contract that it states itself. */
export const foreign = (head: readonly Json[]): ForeignPlace | undefined => {
	const manifest = head.find(record => record['record_type'] === 'manifest');
	if (manifest === undefined) return undefined;
	const source = {path: FILE, lineage_contract: manifest['lineage_contract']};
	return {
		at: FILE,
		namesAgents: true,
		beside: {[MANIFEST]: {schema_version: 1, history_sources: [source]}},
	};
};
