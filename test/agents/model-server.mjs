/**
 * A model on loopback that gives every prompt the same kind of answer and remembers what it was asked. It speaks what the agents
 * under test speak: Anthropic Messages, OpenAI Responses and Chat Completions, and Gemini's generateContent; whole or streamed.
 */
import {createServer} from 'node:http';

/** Some agents put reminders before what was typed: the last line is the person's. */
const answerTo = text => `Noted: ${text.trim().split('\n').at(-1)}`;

const textOf = content => {
	if (typeof content === 'string') return content;
	if (Array.isArray(content)) return content.map(textOf).filter(Boolean).join('\n');
	return content?.text ?? textOf(content?.content ?? content?.parts ?? '');
};

const lastUserText = messages => textOf(messages.filter(({role}) => role === 'user').at(-1) ?? '');

const usage = {input: 10, output: 5};
let counter = 0;
const nextId = prefix => `${prefix}${String(++counter).padStart(8, '0')}`;

/** Each protocol: which path, what was asked, the answer as one document, and as server-sent events. */
const protocols = [
	{
		path: /\/v1\/messages$/,
		messages: ({messages = []}) => messages,
		whole: (text, {model}) => ({
			id: nextId('msg_'),
			type: 'message',
			role: 'assistant',
			model,
			content: [{type: 'text', text}],
			stop_reason: 'end_turn',
			stop_sequence: null,
			usage: {input_tokens: usage.input, output_tokens: usage.output},
		}),
		stream: message => {
			const [{text}] = message.content;
			return [
				{type: 'message_start', message: {...message, content: [], stop_reason: null}},
				{type: 'content_block_start', index: 0, content_block: {type: 'text', text: ''}},
				{type: 'content_block_delta', index: 0, delta: {type: 'text_delta', text}},
				{type: 'content_block_stop', index: 0},
				{
					type: 'message_delta',
					delta: {stop_reason: 'end_turn', stop_sequence: null},
					usage: message.usage,
				},
				{type: 'message_stop'},
			];
		},
	},
	{
		path: /\/responses$/,
		messages: ({input = []}) =>
			typeof input === 'string' ? [{role: 'user', content: input}] : input,
		whole: (text, {model}) => ({
			id: nextId('resp_'),
			object: 'response',
			created_at: 0,
			status: 'completed',
			model,
			output: [
				{
					id: nextId('item_'),
					type: 'message',
					role: 'assistant',
					status: 'completed',
					content: [{type: 'output_text', text, annotations: []}],
				},
			],
			usage: {
				input_tokens: usage.input,
				output_tokens: usage.output,
				total_tokens: usage.input + usage.output,
			},
		}),
		stream: response => {
			const [item] = response.output;
			const [{text}] = item.content;
			return [
				{type: 'response.created', response: {...response, status: 'in_progress', output: []}},
				{
					type: 'response.output_item.added',
					output_index: 0,
					item: {...item, status: 'in_progress', content: []},
				},
				{
					type: 'response.output_text.delta',
					item_id: item.id,
					output_index: 0,
					content_index: 0,
					delta: text,
				},
				{type: 'response.output_item.done', output_index: 0, item},
				{type: 'response.completed', response},
			];
		},
	},
	{
		path: /\/chat\/completions$/,
		messages: ({messages = []}) => messages,
		whole: (text, {model}) => ({
			id: nextId('chat_'),
			object: 'chat.completion',
			created: 0,
			model,
			choices: [{index: 0, message: {role: 'assistant', content: text}, finish_reason: 'stop'}],
			usage: {
				prompt_tokens: usage.input,
				completion_tokens: usage.output,
				total_tokens: usage.input + usage.output,
			},
		}),
		stream: ({choices: [{message}], ...chat}) => {
			const part = (delta, reason) => ({
				...chat,
				object: 'chat.completion.chunk',
				choices: [{index: 0, delta, finish_reason: reason}],
			});
			return [part(message, null), part({}, 'stop'), '[DONE]'];
		},
	},
	{
		path: /:(?:stream)?[gG]enerateContent$/,
		messages: ({contents = []}) => contents,
		whole: text => ({
			candidates: [{index: 0, content: {role: 'model', parts: [{text}]}, finishReason: 'STOP'}],
			usageMetadata: {
				promptTokenCount: usage.input,
				candidatesTokenCount: usage.output,
				totalTokenCount: usage.input + usage.output,
			},
		}),
		stream: answer => [answer],
	},
];

const readBody = async request => {
	const chunks = [];
	for await (const chunk of request) chunks.push(chunk);
	const text = Buffer.concat(chunks).toString('utf8');
	try {
		return JSON.parse(text);
	} catch {
		return {}; // no JSON: some other question, which is answered with an empty object
	}
};

const sendEvents = (response, events) => {
	response.writeHead(200, {'content-type': 'text/event-stream'});
	for (const event of events) {
		const name = event.type === undefined ? '' : `event: ${event.type}\n`;
		response.write(`${name}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
	}
	response.end();
};

const sendJson = (response, value) => {
	response.writeHead(200, {'content-type': 'application/json'});
	response.end(JSON.stringify(value));
};

/** Starts the server. `requests` grows: `{path, body, text}`, `text` being the whole body as it came. */
export const startModelServer = async () => {
	const requests = [];
	const server = createServer(async (request, response) => {
		const body = await readBody(request);
		const {pathname, search} = new URL(request.url, 'http://127.0.0.1');
		requests.push({path: pathname, body, text: JSON.stringify(body)});
		const protocol = protocols.find(({path}) => path.test(pathname));
		if (protocol === undefined) return sendJson(response, {data: [], input_tokens: usage.input});
		const messages = protocol.messages(body);
		const answer = protocol.whole(answerTo(lastUserText(messages)), body);
		const isStream = body.stream === true || /stream/.test(pathname) || /alt=sse/.test(search);
		if (isStream) sendEvents(response, protocol.stream(answer));
		else sendJson(response, answer);
	});
	await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
	return {
		port: server.address().port,
		requests,
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
};
