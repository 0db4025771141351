/** The agents under test: how each is told to use the model server, begins a session, and takes a prompt when it goes on with one. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

const write = (home, path, text) => {
	const file = join(home, path);
	mkdirSync(dirname(file), {recursive: true});
	writeFileSync(file, typeof text === 'string' ? text : JSON.stringify(text));
};

const KEY = 'dummy-key-of-the-test';

/**
 * `version`: the newest that Node 20 runs, where that is known. `isRestorable`: its sessions are files that can be put back.
 * `takesOver`: a session can be handed over to it; `handsOverTo`: the other agent that its own is handed over to. `setUp(home, {url, work})` writes settings; `env(url)` is added to an empty
 * environment; `begin(prompt)` is argv of a first turn without a terminal; `words(prompt)` stand behind the resume command; without
 * them the prompt is typed.
 */
export const agents = [
	{
		id: 'claude-code',
		package: '@anthropic-ai/claude-code',
		version: '2.1.197',
		isRestorable: true,
		takesOver: true,
		handsOverTo: 'codex',
		setUp: (home, {work}) =>
			write(home, '.claude.json', {
				hasCompletedOnboarding: true,
				theme: 'dark',
				customApiKeyResponses: {approved: [KEY.slice(-20)], rejected: []},
				projects: {[work]: {hasTrustDialogAccepted: true}},
			}),
		env: url => ({
			ANTHROPIC_BASE_URL: url,
			ANTHROPIC_API_KEY: KEY,
			DISABLE_AUTOUPDATER: '1',
			DISABLE_TELEMETRY: '1',
			DISABLE_ERROR_REPORTING: '1',
		}),
		begin: prompt => ['claude', '-p', prompt],
		words: prompt => [prompt],
	},
	{
		id: 'codex',
		package: '@openai/codex',
		version: '0.171.0',
		isRestorable: true,
		takesOver: true,
		handsOverTo: 'claude-code',
		setUp: (home, {url, work}) =>
			write(
				home,
				'.codex/config.toml',
				`model = "test-model"
model_provider = "loopback"
check_for_update_on_startup = false
[model_providers.loopback]
name = "loopback"
base_url = "${url}/v1"
env_key = "LOOPBACK_KEY"
wire_api = "responses"
[projects.${JSON.stringify(work)}]
trust_level = "trusted"
[analytics]
enabled = false
`,
			),
		env: () => ({LOOPBACK_KEY: KEY}),
		begin: prompt => ['codex', 'exec', '--skip-git-repo-check', prompt],
		words: prompt => [prompt],
	},
	{
		id: 'opencode',
		package: 'opencode-ai',
		version: '1.18.33',
		takesOver: true,
		setUp: (home, {url}) =>
			write(home, '.config/opencode/opencode.json', {
				autoupdate: false,
				share: 'disabled',
				model: 'loopback/test-model',
				small_model: 'loopback/test-model',
				provider: {
					loopback: {
						npm: '@ai-sdk/openai-compatible',
						name: 'loopback',
						options: {baseURL: `${url}/v1`, apiKey: KEY},
						models: {
							'test-model': {name: 'Test model', limit: {context: 100_000, output: 8_000}},
						},
					},
				},
			}),
		env: () => ({
			OPENCODE_DISABLE_AUTOUPDATE: '1',
			OPENCODE_DISABLE_MODELS_FETCH: '1',
			OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
		}),
		begin: prompt => ['opencode', 'run', prompt],
	},
	{
		id: 'gemini-cli',
		package: '@google/gemini-cli',
		version: '0.61.0',
		takesOver: true,
		setUp: home =>
			write(home, '.gemini/settings.json', {
				security: {auth: {selectedType: 'gemini-api-key'}, folderTrust: {enabled: false}},
				privacy: {usageStatisticsEnabled: false},
				telemetry: {enabled: false},
				general: {enableAutoUpdate: false, enableAutoUpdateNotification: false},
			}),
		env: url => ({
			GEMINI_API_KEY: KEY,
			GOOGLE_GEMINI_BASE_URL: url,
			GEMINI_CLI_TRUST_WORKSPACE: 'true',
		}),
		begin: prompt => ['gemini', '-m', 'gemini-2.5-pro', '-p', prompt],
		words: prompt => ['-m', 'gemini-2.5-pro', '-i', prompt],
	},
	{
		id: 'qwen-code',
		package: '@qwen-code/qwen-code',
		version: '0.15.10',
		setUp: home =>
			write(home, '.qwen/settings.json', {
				security: {auth: {selectedType: 'openai'}, folderTrust: {enabled: false}},
				privacy: {usageStatisticsEnabled: false},
				telemetry: {enabled: false},
				general: {enableAutoUpdate: false},
				model: {name: 'test-model'},
			}),
		env: url => ({
			OPENAI_API_KEY: KEY,
			OPENAI_BASE_URL: `${url}/v1`,
			OPENAI_MODEL: 'test-model',
		}),
		begin: prompt => ['qwen', '-p', prompt],
		words: prompt => ['-i', prompt],
	},
	{
		id: 'pi',
		package: '@earendil-works/pi-coding-agent',
		version: '0.74.2',
		setUp: (home, {url}) => {
			write(home, '.pi/agent/models.json', {
				providers: {
					loopback: {
						baseUrl: `${url}/v1`,
						api: 'openai-completions',
						apiKey: KEY,
						models: [
							{
								id: 'test-model',
								name: 'Test model',
								reasoning: false,
								input: ['text'],
								contextWindow: 100_000,
								maxTokens: 8_000,
								cost: {input: 0, output: 0, cacheRead: 0, cacheWrite: 0},
							},
						],
					},
				},
			});
			write(home, '.pi/agent/settings.json', {
				defaultProvider: 'loopback',
				defaultModel: 'test-model',
				quietStartup: true,
			});
		},
		env: () => ({PI_OFFLINE: '1', PI_TELEMETRY: '0'}),
		begin: prompt => ['pi', '-p', prompt],
		words: prompt => [prompt],
	},
];
