/** What was typed, out of what was sent: the agent wraps the prompt and puts what it knows around it. */

const CONTEXT =
	/<(user_info|project_context|project_layout|system_reminder|additional_data|currently_opened_file)>[\s\S]*?<\/\1>/g;
const QUERY = /<user_query>([\s\S]*?)<\/user_query>/g;

export interface Prompt {
	readonly typed: string;
	/** What nobody typed; empty if there is nothing. */
	readonly added: string;
}

export const promptOf = (text: string): Prompt => {
	const added = [...text.matchAll(CONTEXT)].map(([block]) => block).join('\n');
	const rest = text.replaceAll(CONTEXT, '').replaceAll(QUERY, '$1');
	return {typed: added === '' && rest === text ? text : rest.trim(), added};
};
