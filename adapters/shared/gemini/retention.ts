/** Gemini CLI deletes old chats unless `general.sessionRetention.enabled` says no. */

import {join} from 'node:path';
import type {Retention, Root} from '../../types.js';
import {compact} from '../compact.js';
import {readJsonFile} from '../json-file.js';
import {at, numberOf, recordOf, stringOf} from '../narrow.js';

const DEFAULT_AGE = '30d';
const SETTINGS_BYTES = 4 * 1024 * 1024;
const UNIT_DAYS: Readonly<Record<string, number>> = {h: 1 / 24, d: 1, w: 7, m: 30};

export const chatRetention = ({path}: Root): Retention | undefined => {
	const file = join(path, 'settings.json');
	const stated = at(readJsonFile(file, SETTINGS_BYTES)?.value, 'general', 'sessionRetention');
	const {enabled, maxAge, maxCount} = recordOf(stated);
	if (enabled === false) return undefined;
	const [, count, unit = ''] = /^(\d+)([hdwm])$/.exec(stringOf(maxAge) ?? DEFAULT_AGE) ?? [];
	const days = Number(count) * (UNIT_DAYS[unit] ?? 0);
	if (!(days > 0)) return undefined;
	return compact({
		days,
		maxSessions: numberOf(maxCount),
		setting: `general.sessionRetention in ${file}`,
		isStated: stated !== undefined,
	});
};
