import {mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {archiveDocument, archiveText} from '../../../source/archive/document.js';
import {type Archive, parseArchive} from '../../../source/archive/format.js';
import {writeArchive} from '../../../source/archive/write.js';
import {archiveBatches} from '../../../source/import/archive.js';
import {eventView, sessionView, toolView} from '../../helpers/views.js';

const archive = (change: Partial<Parameters<typeof archiveDocument>[0]> = {}): Archive =>
	archiveDocument({
		session: sessionView({title: 'Tides', tokens: null}),
		events: [
			eventView({index: 0, key: 'a', kind: 'message', role: 'user', text: 'how do tides work'}),
			eventView({
				index: 1,
				key: 'b',
				kind: 'tool_use',
				role: null,
				text: 'ls',
				tool: toolView({name: 'Bash', files: [{path: '/a', change: 'read'}]}),
			}),
		],
		textOf: ({text}) => text,
		sha256: null,
		exporter: 'backscroll test',
		nowMs: 0,
		...change,
	});

type Schema = Readonly<Record<string, unknown>>;
const schema = JSON.parse(readFileSync('docs/archive.schema.json', 'utf8')) as Schema;

/** As much of JSON Schema as the document uses, and every property has to be named. */
const misfits = (value: unknown, rule: Schema, path = ''): readonly string[] => {
	const reference = rule['$ref'];
	if (typeof reference === 'string')
		return misfits(
			value,
			(schema['$defs'] as Record<string, Schema>)[reference.slice(8)] ?? {},
			path,
		);
	const found: string[] = [];
	const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
	const allowed = rule['type'] === undefined ? undefined : [rule['type']].flat();
	if (allowed && !allowed.includes(type) && !(type === 'number' && allowed.includes('integer')))
		found.push(`${path}: ${type}`);
	if (rule['enum'] && !(rule['enum'] as unknown[]).includes(value)) found.push(`${path}: enum`);
	if ('const' in rule && rule['const'] !== value) found.push(`${path}: const`);
	if (type === 'array')
		for (const [index, item] of (value as unknown[]).entries())
			found.push(...misfits(item, rule['items'] as Schema, `${path}/${index}`));
	if (type !== 'object') return found;
	const properties = rule['properties'] as Record<string, Schema>;
	for (const name of (rule['required'] as string[] | undefined) ?? [])
		if (!Object.hasOwn(value as object, name)) found.push(`${path}/${name}: missing`);
	for (const [name, item] of Object.entries(value as object)) {
		const inner = properties[name];
		if (inner === undefined) found.push(`${path}/${name}: not named`);
		else found.push(...misfits(item, inner, `${path}/${name}`));
	}
	return found;
};

describe('an archive', () => {
	it('is what the documentation says', () => {
		const whole = archive({rawOf: () => '{}', session: sessionView({title: 'Tides'})});
		expect(misfits(whole, schema)).toEqual([]);
		expect(misfits({...whole, more: 1}, schema)).toEqual(['/more: not named']);
	});

	it('comes back as it went', () => {
		const made = archive();
		const parsed = parseArchive(JSON.parse(archiveText(made)));
		expect(parsed).toEqual({archive: made});
		const [batch] = archiveBatches(made, '/a.json');
		expect(batch?.facts).toMatchObject({customTitle: 'Tides'});
		expect(batch?.events).toMatchObject([
			{
				key: 'a',
				kind: 'message',
				role: 'user',
				text: 'how do tides work',
				locator: {pointer: '/events/0'},
			},
			{key: 'b', kind: 'tool_use', tool: {name: 'Bash', files: [{path: '/a', change: 'read'}]}},
		]);
	});

	it('masks what is said, and not what it is called', () => {
		const masked = archive({mask: () => '***', rawOf: () => 'raw'});
		expect(masked).toMatchObject({isMasked: true, session: {title: '***'}});
		expect(masked.events).toMatchObject([
			{key: 'a', text: '***', raw: '***'},
			{key: 'b', text: '***', tool: {name: 'Bash'}},
		]);
	});

	it.each([
		[{format: 'other'}, 'format: not an archive'],
		[{schemaVersion: 2}, 'schemaVersion: made by a newer backscroll'],
		[{events: [{key: 'a', kind: 'shout', text: ''}]}, 'events.0.kind: expected message'],
		[{events: [{key: '', kind: 'meta', text: ''}]}, 'events.0.key: expected a key'],
		[{provenance: {agent: '../x', originalId: ''}}, 'provenance.agent: expected the id'],
		[{exportedAt: 'yesterday'}, 'exportedAt: expected an ISO'],
	])('is refused with %j', (change, problem) => {
		const parsed = parseArchive({...archive(), ...change});
		expect(parsed).toEqual({problem: expect.stringContaining(problem)});
	});

	it('is refused when it is too large', () => {
		const event = eventView({kind: 'message', role: 'user', text: 'x'});
		const many = archive({events: Array.from({length: 50_001}, () => event)});
		expect(() => archiveText(many)).toThrow(/50001 messages/);
		const [first] = many.events;
		const long = {
			...many,
			events: [{...(first as Archive['events'][number]), text: 'x'.repeat(17 * 2 ** 20)}],
		};
		expect(() => archiveText(long)).toThrow(/at most 16 MB/);
	});
});

describe('writing one', () => {
	let folder: string;
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'backscroll-archive-'));
	});
	afterEach(() => rmSync(folder, {recursive: true}));

	const target = (isForced: boolean) => ({
		output: join(folder, 'a.json'),
		defaultName: 'a.json',
		home: folder,
		workFolder: folder,
		isForced,
	});
	const revision = (): unknown =>
		(JSON.parse(readFileSync(join(folder, 'a.json'), 'utf8')) as Archive).revision;

	it('counts revisions, for the owner only', async () => {
		await writeArchive(archive(), target(false));
		expect(statSync(join(folder, 'a.json')).mode & 0o777).toBe(0o600);
		expect(revision()).toBe(1);
		await expect(writeArchive(archive(), target(false))).rejects.toThrow(/exists already/);
		await writeArchive(archive(), target(true));
		expect(revision()).toBe(2);
	});

	it('refuses to write over what somebody else wrote meanwhile', async () => {
		await writeArchive(archive(), target(false));
		const somebody = () => writeFileSync(join(folder, 'a.json'), 'theirs');
		await expect(writeArchive(archive(), target(true), somebody)).rejects.toThrow(/somebody else/);
		expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe('theirs');
	});
});
