import type {StartRequest} from '../types.js';

/** The prompt itself, or a short one that sends the model to the file: `name` is how the agent wants a file named. */
export const firstPrompt = (
	{prompt, promptFile}: StartRequest,
	name: (path: string) => string = path => `the file ${JSON.stringify(path)}`,
): string =>
	promptFile === undefined
		? prompt
		: `Read ${name(promptFile)} first: it is the record of an earlier conversation and says what to do.`;
