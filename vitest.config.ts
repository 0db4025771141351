import {defineConfig} from 'vitest/config';

export default defineConfig({
	define: {__VERSION__: JSON.stringify('0.0.0-test')},
	test: {
		include: ['test/**/*.test.{ts,tsx}'],
		setupFiles: ['test/setup.ts'],
		pool: 'forks',
		maxWorkers: 2,
		testTimeout: 20_000,
		hookTimeout: 60_000,
		// Colours and widths must not depend on where the tests run.
		env: {TZ: 'UTC', LANG: 'C.UTF-8', FORCE_COLOR: '0'},
		restoreMocks: true,
	},
});
