/** Tells what a person typed from what Gemini CLI and its forks put into user messages. */

export type Told = 'prompt' | 'command' | 'summary' | 'meta';

/** Beginnings of texts that nobody typed. */
const INJECTED = [
	'<session_context>',
	'<hook_context>',
	'<system-reminder>',
	'<task-notification>',
	'<qwen:user-prompt-submit-context>',
	'This is the Gemini CLI. We are setting up the context for our chat',
	'System: Please continue.',
	'--- Content from referenced files ---',
];
const SUMMARY = '<state_snapshot>';

/** `/name` or `?`; a path is none. */
const COMMAND = /^(?:\/[a-z][\w:.-]*(?=\s|$)|\?)/i;

export const tell = (text: string): Told => {
	const lead = text.trimStart();
	if (lead.startsWith(SUMMARY)) return 'summary';
	if (lead === '' || INJECTED.some(start => lead.startsWith(start))) return 'meta';
	return COMMAND.test(lead) ? 'command' : 'prompt';
};

/** The answer that Gemini CLI invents to the summary of a compression. */
export const isAcknowledgement = (text: string): boolean =>
	/^Got it\. Thanks for the additional context!?\s*$/.test(text);
