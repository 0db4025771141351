/** What a person typed, apart from what Pi put in its place or before it. User messages of Pi are all typed. */

import {placeholder} from '../shared/content.js';
import type {Dialect, Prompt} from '../shared/pi/events.js';

/** `/skill:name arguments` is sent as the text of the skill with the arguments behind it. */
const SKILL = /^<skill name="([^"\n]*)"[^>\n]*>[\s\S]*?<\/skill>\s*/;
/** A file argument; of a picture only the name stands here, it follows as a block. */
const FILE = /^<file name="([^"\n]*)">([\s\S]*?)<\/file>\s*/;

const readSkill = (text: string): Prompt | undefined => {
	const match = SKILL.exec(text);
	if (match === null) return undefined;
	const args = text.slice(match[0].length).trim();
	return {
		typed: `/skill:${match[1]}${args === '' ? '' : ` ${args}`}`,
		added: match[0].trimEnd(),
		input: 'command',
	};
};

const readFiles = (text: string): Prompt => {
	const names: string[] = [];
	let added = '';
	let rest = text;
	for (let match = FILE.exec(rest); match !== null; match = FILE.exec(rest)) {
		const [whole, name = '', content = ''] = match;
		rest = rest.slice(whole.length);
		if (content.trim() === '') continue;
		names.push(placeholder('file', {name}));
		added += whole;
	}
	const typed = rest.trim() === '' ? names.join('\n') : rest;
	return added === '' ? {typed} : {typed, added: added.trimEnd()};
};

export const dialectOf = (isSubagent: boolean): Dialect => ({
	readPrompt: text => readSkill(text) ?? readFiles(text),
	isSilent: () => false,
	taskOf: text => text,
	isSubagent,
});
