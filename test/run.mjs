// The whole of `npm test`: types, lint and import rules, build, then every test. Ends with `N passed, N failed`.
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'backscroll-test-'));
const report = join(folder, 'report.json');
const bin = name => join('node_modules', '.bin', name);

const steps = [
	{name: 'types', command: [bin('tsc')]},
	{name: 'lint', command: [bin('biome'), 'check', '--error-on-warnings', '.']},
	{name: 'build', command: [process.execPath, 'build.mjs', '--quiet']},
];

let passed = 0;
let failed = 0;
for (const {name, command} of steps) {
	const {status} = spawnSync(command[0], command.slice(1), {stdio: 'inherit'});
	if (status === 0) passed++;
	else failed++;
	console.log(`${status === 0 ? '✓' : '✗'} ${name}`);
}
// Without a build the end-to-end tests would test the last one.
if (failed === 0) {
	const run = spawnSync(
		bin('vitest'),
		[
			'run',
			'--reporter=default',
			'--reporter=json',
			`--outputFile=${report}`,
			...process.argv.slice(2),
		],
		{
			stdio: 'inherit',
		},
	);
	try {
		const {numPassedTests, numFailedTests, numTotalTestSuites, numFailedTestSuites} = JSON.parse(
			readFileSync(report, 'utf8'),
		);
		passed += numPassedTests;
		failed += numFailedTests;
		// A file that fails to load has no failed test of its own; a run that ends red for any other reason is one failure, too.
		if (run.status !== 0 && numFailedTests === 0) failed += Math.max(1, numFailedTestSuites);
		if (numTotalTestSuites === 0) failed++;
	} catch (error) {
		console.error(`no test report: ${error.message}`);
		failed++;
	}
}
rmSync(folder, {recursive: true, force: true});
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
