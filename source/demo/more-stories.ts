import type {Story} from './story.js';

/** A small picture: eight by eight pixels. */
const swatch =
	'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAhElEQVR42g3JMRVEIQxFwZXzZSCBknPrCEiJBApEPBEpIiElAhCzTDu/j9u4g+vcxRU3uYf7+6hGDcqpRYlK6lAvohGDcGIRIpI4xAs1NJCjhYQSHfRiN/ZgO3uxxU72Yb+YjTmYzlxMMZN5mC+sYQNzbGHCEjvYi97og+70RRc96Yf+B7ozWwEs2f1rAAAAAElFTkSuQmCC';

export const darkMode: Story = {
	agent: 'claude-code',
	project: 'web',
	branch: 'dark-mode',
	title: 'Dark mode for the settings page',
	hoursAgo: 5,
	steps: [
		{
			picture: swatch,
			prompt: 'the settings page in dark mode should look like this, see the picture',
		},
		{
			tool: 'Grep',
			input: {pattern: '--surface', path: '/demo/web/src/styles'},
			output:
				'src/styles/tokens.css:12:  --surface: #ffffff;\nsrc/styles/tokens.css:40:  --surface: #101418;',
		},
		{
			reply:
				'The colours are there already, but the page paints its own white. I would take these steps:\n\n- [x] find the tokens\n- [ ] use `--surface` on the page\n- [ ] check the contrast\n\n> Contrast of the muted text on `--surface` is 3.9, a little under 4.5.',
		},
		{
			rewound: [
				{prompt: 'just invert all colours with a filter'},
				{
					reply:
						'```css\n.settings { filter: invert(1) hue-rotate(180deg); }\n```\n\nThis also inverts the pictures on the page.',
				},
			],
		},
		{prompt: 'use the tokens, and lighten the muted text'},
		{
			tool: 'Write',
			input: {
				file_path: '/demo/web/src/settings/settings.css',
				content:
					'.settings { background: var(--surface); }\n.settings .muted { color: #b8c0cc; }\n',
			},
			output: 'File created successfully at: /demo/web/src/settings/settings.css',
		},
		{
			compacted:
				'The settings page gets a dark mode. Done so far:\n\n- tokens are in `src/styles/tokens.css`\n- `settings.css` uses `--surface`\n\nOpen: check the contrast of the muted text.',
		},
		{
			reply:
				'Muted text is `#b8c0cc` now, contrast **8.6**:\n\n| text | before | after |\n| --- | ---: | ---: |\n| body | 12.1 | 12.1 |\n| muted | 3.9 | 8.6 |\n| link | 5.2 | 5.2 |',
		},
	],
	fork: {
		afterRecords: 4,
		steps: [
			{prompt: 'and what would it take to follow the system setting?'},
			{
				reply:
					'One media query, and no switch at all:\n\n```css\n@media (prefers-color-scheme: dark) {\n  :root { --surface: #101418; }\n}\n```',
			},
		],
	},
};

export const slowQuery: Story = {
	agent: 'codex',
	project: 'api-server',
	branch: 'main',
	hoursAgo: 52,
	steps: [
		{prompt: 'the report endpoint takes 9 seconds, find out why'},
		{
			tool: 'shell',
			input: {
				command: [
					'bash',
					'-lc',
					'psql -c "EXPLAIN ANALYZE SELECT * FROM orders WHERE lower(email) = $1"',
				],
			},
			output:
				'Seq Scan on orders  (cost=0.00..48211.00 rows=9 width=212) (actual time=8710.2..8911.7 rows=1 loops=1)\n  Filter: (lower(email) = $1)\n  Rows Removed by Filter: 1999999\nPlanning Time: 0.2 ms\nExecution Time: 8912.1 ms',
		},
		{
			reply:
				'A sequential scan over two million rows: `lower(email)` has no index.\n\n```sql\nCREATE INDEX CONCURRENTLY orders_email_lower ON orders (lower(email));\n```\n\nWith it the same query takes 0.4 ms.',
		},
		{prompt: 'is it safe to build while orders come in?'},
		{
			reply:
				'Yes: `CONCURRENTLY` takes no lock that blocks writes. It may fail half-way; then drop the invalid index and start again.',
		},
	],
};

export const flaky: Story = {
	agent: 'claude-code',
	project: 'web',
	branch: 'main',
	title: 'Flaky upload test',
	hoursAgo: 30,
	steps: [
		{prompt: 'the upload test fails every tenth run or so'},
		{
			tool: 'Bash',
			input: {
				command: 'for i in $(seq 20); do npm test -- upload || break; done',
				description: 'Run the test until it fails',
			},
			output:
				'Exit code 1\n ✗ uploads three files (5003 ms)\n   Error: timeout of 5000 ms exceeded',
			isError: true,
		},
		{
			reply:
				'It waits for a fixed time. I wait for the event instead:\n\n```diff\n-await sleep(200);\n+await once(upload, "done");\n```',
		},
		{
			tool: 'Bash',
			input: {
				command: 'for i in $(seq 50); do npm test -- upload || break; done',
				description: 'Run it fifty times',
			},
			output: '50 runs, 0 failed',
		},
		{reply: 'Fifty runs without a failure.'},
	],
};

export const release: Story = {
	agent: 'claude-code',
	project: 'infra',
	branch: 'release/2.4',
	hoursAgo: 24 * 6,
	steps: [
		{prompt: 'write the release notes for 2.4 from the commits since 2.3'},
		{
			tool: 'Bash',
			input: {
				command: 'git log --oneline v2.3.0..HEAD',
				description: 'Commits since the last release',
			},
			output:
				'a1b2c3d Share one refresh per session\nd4e5f6a Limit login attempts\n9f8e7d6 Index orders by e-mail',
		},
		{
			reply:
				'## 2.4\n\n- Parallel requests of one session share a single token refresh.\n- Login attempts are limited per address.\n- The order report is fast again.',
		},
	],
};

export const shellScript: Story = {
	agent: 'codex',
	project: 'infra',
	branch: 'main',
	hoursAgo: 24 * 20,
	steps: [
		{prompt: 'make backup.sh stop at the first error'},
		{
			reply:
				'Put this at its top:\n\n```sh\nset -euo pipefail\n```\n\n`pipefail` matters: without it a failing `pg_dump` is hidden by the `gzip` behind it.',
		},
	],
};
