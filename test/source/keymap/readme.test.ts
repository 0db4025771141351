import {readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {bindings} from '../../../source/keymap/bindings.js';
import {helpMarkdown} from '../../../source/keymap/help.js';

const readme = fileURLToPath(new URL('../../../README.md', import.meta.url));
const between = /(<!-- keys:start -->\n)[\s\S]*(<!-- keys:end -->)/;

/** `UPDATE_README=1 npx vitest run test/source/keymap` writes the section anew. */
test('the keys of the README are those of the table', () => {
	const text = readFileSync(readme, 'utf8');
	const wanted = text.replace(
		between,
		(_, start: string, end: string) => `${start}\n${helpMarkdown(bindings)}\n\n${end}`,
	);
	expect(wanted).toContain('| Ctrl-R |');
	if (process.env['UPDATE_README'] === '1') writeFileSync(readme, wanted);
	else expect(text).toBe(wanted);
});
