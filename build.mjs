// Bundles source/ into dist/: the command line entry and the two workers. `--quiet` says nothing when all is well.
import {chmodSync, readFileSync, rmSync} from 'node:fs';
import {fileURLToPath, pathToFileURL} from 'node:url';
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

/** The names of all agents: what `source/agents.ts` has in a build. */
const agentNames = async () => {
	const outfile = fileURLToPath(new URL('dist/agent-names.mjs', import.meta.url));
	await build({
		entryPoints: ['adapters/registry.ts'],
		outfile,
		bundle: true,
		format: 'esm',
		platform: 'node',
		target: 'node20',
		packages: 'external',
		logLevel: 'warning',
	});
	const {adapters} = await import(pathToFileURL(outfile).href);
	rmSync(outfile);
	return adapters.map(({id, label, shortLabel}) => ({id, label, shortLabel}));
};

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
		__AGENTS__: JSON.stringify(JSON.stringify(await agentNames())),
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
