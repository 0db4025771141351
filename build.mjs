// Bundles source/ into dist/: the command line entry and the two workers. `--quiet` says nothing when all is well.
import {chmodSync, readFileSync, rmSync} from 'node:fs';
import {build} from 'esbuild';

const {version} = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const isQuiet = process.argv.includes('--quiet');

/** Ink asks for its devtools only when DEV is set: an empty module keeps the bundle whole. */
const withoutDevtools = {
	name: 'without-devtools',
	setup(build) {
		build.onResolve({filter: /^react-devtools-core$/}, args => ({
			path: args.path,
			namespace: 'empty',
		}));
		build.onLoad({filter: /.*/, namespace: 'empty'}, () => ({
			contents: 'export default {connectToDevTools() {}}',
		}));
	},
};

rmSync('dist', {recursive: true, force: true});
const result = await build({
	entryPoints: {
		cli: 'source/cli.ts',
		'sync-worker': 'source/sync-worker.ts',
		'search-worker': 'source/search-worker.ts',
	},
	outdir: 'dist',
	bundle: true,
	splitting: true,
	format: 'esm',
	platform: 'node',
	target: 'node20',
	external: ['better-sqlite3', 'clipboardy'],
	plugins: [withoutDevtools],
	define: {
		'process.env.NODE_ENV': '"production"',
		'process.env.DEV': '"false"',
		__VERSION__: JSON.stringify(version),
	},
	// CommonJS packages inside of an ESM bundle ask for `require` and `__filename`; Yoga's loader would load all of undici through `fetch`.
	banner: {
		js: "import {createRequire as __createRequire} from 'node:module'; const require = __createRequire(import.meta.url); const fetch = undefined; const __filename = import.meta.url;",
	},
	minifySyntax: true,
	minifyWhitespace: true,
	legalComments: 'none',
	metafile: true,
	logLevel: 'warning',
});
chmodSync('dist/cli.js', 0o755);
if (!isQuiet)
	for (const [file, {bytes}] of Object.entries(result.metafile.outputs)
		.sort((a, b) => b[1].bytes - a[1].bytes)
		.slice(0, 6))
		console.log(`${file}  ${(bytes / 1024).toFixed(0)} KB`);
