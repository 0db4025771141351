/** Tabnine CLI, a fork of Gemini CLI: the same store under its own folder, with a name of its own for the model's messages. */

import {foreignChat} from './shared/gemini/foreign.js';
import {createChatReader} from './shared/gemini/read.js';
import {planChatResume} from './shared/gemini/resume.js';
import {discoverChats, geminiRoots} from './shared/gemini/store.js';
import type {Adapter} from './types.js';

export const tabnineCli: Adapter = {
	id: 'tabnine-cli',
	label: 'Tabnine CLI',
	shortLabel: 'Tabnine',
	parserVersion: 1,
	checked: ['0.25.1'],
	hasGlobalKeys: false,
	roots: around => geminiRoots(around, ['.tabnine', 'agent']),
	discover: discoverChats,
	foreign: foreignChat,
	read: createChatReader(new Set(['tabnine', 'gemini'])),
	resume: request => planChatResume(request, {binary: 'tabnine', label: 'Tabnine CLI'}),
};
