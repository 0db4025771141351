/** OpenHands: conversations of the command line, and of the app of the time before. */

import {basename, dirname} from 'node:path';
import type {Adapter, ResumePlan, ResumeRequest} from '../types.js';
import {discover, LEGACY_FOLDER, roots} from './discover.js';
import {read} from './read.js';

const ID = /^([\da-f]{8})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{12})$/i;

const resume = ({id, cwd, location, resumeEnv}: ResumeRequest): ResumePlan => {
	const parts = ID.exec(id)?.slice(1);
	if (parts === undefined) return {reason: `${id} is no conversation id of OpenHands`};
	if (basename(dirname(dirname(location))) === LEGACY_FOLDER) {
		return {reason: 'a conversation of the older app, which the command line does not know'};
	}
	return {argv: ['openhands', '--resume', parts.join('-')], cwd, env: resumeEnv};
};

export const openhands: Adapter = {
	id: 'openhands',
	label: 'OpenHands',
	shortLabel: 'OpenHnds',
	parserVersion: 1,
	checked: ['CLI of 2026-05-18', 'SDK of 2026-08-22'],
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	resume,
};
