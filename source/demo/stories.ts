/** The conversations of the demo history: invented, short, and with one of everything that the app shows. */
import {darkMode, flaky, release, shellScript, slowQuery} from './more-stories.js';
import type {Story} from './story.js';

const tokenRefresh: Story = {
	agent: 'claude-code',
	project: 'api-server',
	branch: 'main',
	title: 'Fix token refresh in auth middleware',
	hoursAgo: 2,
	steps: [
		{
			prompt:
				'the refresh token is lost when two requests arrive at once, see the log below\n\n[12:04:11] refresh a1\n[12:04:11] refresh a1\n[12:04:12] 401 invalid refresh token',
		},
		{
			thinking:
				'Two requests see the expired token and both refresh. The second refresh uses a token that the first one has already spent.',
		},
		{
			tool: 'Read',
			input: {file_path: '/demo/api-server/src/auth/middleware.ts'},
			output:
				'1\texport function middleware(next: Handler) {\n2\t  return async (request: Request) => {\n3\t    const token = await refresh(request);\n4\t    return next(request, token);\n5\t  };\n6\t}',
		},
		{
			reply:
				'The middleware keeps the token per request, so the slower one wins. Three ways to fix it:\n\n1. keep **one refresh per session** and let the others wait for it\n2. accept the old token for a few seconds\n3. move the refresh into a queue\n\nThe first is the smallest change:\n\n```ts\nconst refresh = once((session: Session) => api.refresh(session.token));\n```\n\nShall I do it?',
		},
		{prompt: 'yes, the first one, and add a test'},
		{
			tool: 'Edit',
			input: {
				file_path: '/demo/api-server/src/auth/middleware.ts',
				old_string: '    const token = await refresh(request);',
				new_string: '    const token = await refreshOnce(request.session);',
			},
			output: 'The file /demo/api-server/src/auth/middleware.ts has been updated.',
			result: {
				filePath: '/demo/api-server/src/auth/middleware.ts',
				structuredPatch: [
					{
						oldStart: 40,
						oldLines: 5,
						newStart: 40,
						newLines: 6,
						lines: [
							' export function middleware(next: Handler) {',
							'   return async (request: Request) => {',
							'-    const token = await refresh(request);',
							'+    // Requests of one session wait for the same refresh.',
							'+    const token = await refreshOnce(request.session);',
							'     return next(request, token);',
							'   };',
						],
					},
				],
			},
		},
		{
			tool: 'Bash',
			input: {command: 'npm test -- auth', description: 'Run the tests of the auth module'},
			output:
				'Exit code 1\n ✓ refreshes an expired token (12 ms)\n ✗ two requests share one refresh (31 ms)\n   AssertionError: expected 2 to be 1\n\n Tests  1 failed | 1 passed',
			isError: true,
		},
		{
			reply:
				'The new test fails for a good reason: `once` forgets its promise **before** the answer is there. I keep it until it has settled.',
		},
		{
			tool: 'Bash',
			input: {command: 'npm test -- auth', description: 'Run the tests again'},
			output:
				' ✓ refreshes an expired token (11 ms)\n ✓ two requests share one refresh (29 ms)\n\n Tests  2 passed',
		},
		{reply: 'Both tests pass. Parallel requests of one session now share a single refresh.'},
		{pauseMinutes: 38},
		{prompt: 'does the websocket handler have the same problem?'},
		{
			task: 'Find all readers of the session token',
			steps: [
				{
					tool: 'Grep',
					input: {pattern: 'session.token', path: '/demo/api-server/src'},
					output: 'src/auth/middleware.ts\nsrc/socket/handshake.ts',
				},
				{
					reply:
						'Two places read the token: the middleware and `src/socket/handshake.ts`. The handshake never refreshes it.',
				},
			],
			answer:
				'Two places read the token: the middleware and src/socket/handshake.ts. The handshake never refreshes it.',
		},
		{
			reply:
				'No: the handshake reads the token once and never refreshes it. It fails cleanly with `401`, and the client connects again.',
		},
	],
};

const rateLimit: Story = {
	agent: 'codex',
	project: 'api-server',
	branch: 'feature/rate-limit',
	hoursAgo: 27,
	steps: [
		{prompt: 'Rate limiting for the login route: 5 attempts a minute per address'},
		{
			tool: 'shell',
			input: {command: ['bash', '-lc', 'rg -n "login" src/routes']},
			output: 'src/routes/login.ts:8:router.post("/login", login);',
		},
		{
			reply:
				'I put the limit in front of the auth middleware, so that a blocked request never reaches the password check:\n\n```ts\nrouter.post("/login", limit({max: 5, perMs: 60_000}), login);\n```\n\nCounters live in memory. With several servers they belong into a shared store.',
		},
		{prompt: 'what happens behind a proxy?'},
		{
			reply:
				'All visitors would share the address of the proxy. Trust `X-Forwarded-For` from the proxy only, never from anyone else.',
		},
	],
};

const monolith: Story = {
	agent: 'claude-code',
	project: 'web',
	branch: 'split-auth',
	title: 'Split the monolith: auth package',
	hoursAgo: 74,
	steps: [
		{
			prompt:
				'move everything about login into its own package, in small steps that each keep the tests green',
		},
		{
			tool: 'TodoWrite',
			input: {
				todos: [
					{content: 'Create packages/auth', status: 'completed'},
					{content: 'Move the middleware', status: 'in_progress'},
					{content: 'Move the session store', status: 'pending'},
				],
			},
			output: 'Todos have been modified successfully.',
		},
		{
			task: 'List what imports the session store',
			steps: [{reply: 'Eleven files import it, nine of them for the type alone.'}],
			answer: 'Eleven files import it, nine of them for the type alone.',
		},
		{
			task: 'Check the build order of the packages',
			steps: [{reply: '`auth` has to be built before `web` and `admin`.'}],
			answer: 'auth has to be built before web and admin.',
		},
		{
			reply:
				'Plan:\n\n| step | moves | risk |\n| --- | --- | --- |\n| 1 | types only | none |\n| 2 | middleware | small |\n| 3 | session store | needs a migration |\n\nI begin with the types: nine of eleven imports disappear with that step alone.',
		},
		{prompt: 'good, do step 1'},
		{reply: 'Moved `Session`, `Token` and `Role` into `packages/auth/types.ts`. Tests are green.'},
	],
};

const staging: Story = {
	agent: 'codex',
	project: 'infra',
	branch: 'main',
	hoursAgo: 24 * 12,
	steps: [
		{prompt: 'Why does the staging login loop?'},
		{
			tool: 'shell',
			input: {command: ['bash', '-lc', 'curl -sI https://staging.example.test/login']},
			output: 'HTTP/2 302\nlocation: /login\nset-cookie: session=; Max-Age=0',
		},
		{
			reply:
				'The old auth middleware reads the cookie twice. On staging the cookie is set for `.example.test`, the second read finds none and sends the visitor back to `/login`.',
		},
	],
};

const notes: Story = {
	agent: 'claude-code',
	project: 'notes',
	branch: 'main',
	hoursAgo: 24 * 40,
	steps: [
		{prompt: '日本語のメモを検索できるようにして'},
		{reply: '検索は文字ごとに索引を作ります。**二文字**から見つかります。'},
		{prompt: 'and naïve café with accents?'},
		{reply: 'Accents are ignored on both sides: `naive cafe` finds *naïve café*. 🎉'},
	],
};

export const stories: readonly Story[] = [
	tokenRefresh,
	darkMode,
	rateLimit,
	flaky,
	slowQuery,
	monolith,
	release,
	staging,
	shellScript,
	notes,
];
