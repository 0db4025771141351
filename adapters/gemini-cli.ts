/** Gemini CLI: a log per session that is replayed, or one document (before about 0.37). */

import {dirname} from 'node:path';
import {firstPrompt} from './shared/first-prompt.js';
import {foreignChat} from './shared/gemini/foreign.js';
import {createChatReader} from './shared/gemini/read.js';
import {planChatResume} from './shared/gemini/resume.js';
import {chatRetention} from './shared/gemini/retention.js';
import {discoverChats, geminiRoots} from './shared/gemini/store.js';
import type {Adapter, ResumePlan, StartRequest} from './types.js';

/** Its tools read in the project and in directories that are named (0.61.0). */
const start = (request: StartRequest): ResumePlan => {
	const {cwd, promptFile} = request;
	const folder = promptFile === undefined ? [] : ['--include-directories', dirname(promptFile)];
	return {argv: ['gemini', ...folder, '-i', firstPrompt(request)], cwd, env: {}};
};

export const geminiCli: Adapter = {
	id: 'gemini-cli',
	label: 'Gemini CLI',
	shortLabel: 'Gemini',
	parserVersion: 1,
	checked: ['0.61.0'],
	hasGlobalKeys: false,
	roots: around => geminiRoots(around, ['.gemini']),
	discover: discoverChats,
	retention: chatRetention,
	foreign: foreignChat,
	read: createChatReader(new Set(['gemini'])),
	resume: request => planChatResume(request, {binary: 'gemini', label: 'Gemini CLI'}),
	start,
	unattendedFlags: ['--yolo'],
};
