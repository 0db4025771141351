/** Claude Code deletes transcripts at its start that were not written for so many days. */

import {join} from 'node:path';
import {readJsonFile} from '../shared/json-file.js';
import {numberOf, recordOf} from '../shared/narrow.js';
import type {Retention, Root} from '../types.js';

const DEFAULT_DAYS = 30;
const SETTINGS_BYTES = 4 * 1024 * 1024;

export const retention = ({path}: Root): Retention => {
	const file = join(path, 'settings.json');
	const stated = numberOf(recordOf(readJsonFile(file, SETTINGS_BYTES)?.value)['cleanupPeriodDays']);
	return {
		days: Math.max(1, stated ?? DEFAULT_DAYS),
		setting: `cleanupPeriodDays in ${file}`,
		isStated: stated !== undefined,
	};
};
