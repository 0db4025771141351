#!/usr/bin/env node
import process from 'node:process';
import {main} from './commands/main.js';

// Ink draws nothing until the end when it believes to run in CI (STYLE 12).
if (process.stdout.isTTY) {
	delete process.env['CI'];
	delete process.env['CONTINUOUS_INTEGRATION'];
}

process.exitCode = await main(process.argv.slice(2));
