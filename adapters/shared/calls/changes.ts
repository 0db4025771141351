/** What tools do to the file that their call names. */

import type {FileTouch} from '../../model.js';
import {entryOf} from '../narrow.js';

export type FileChange = FileTouch['change'];

/** By name or kind of the tool. */
export type Changes = Readonly<Record<string, FileChange>>;

/** Names that many agents give them, in lower case, without `-` and `_`. */
const CHANGES: Changes = {
	applypatch: 'edit',
	createfile: 'create',
	deletefile: 'delete',
	edit: 'edit',
	editfile: 'edit',
	fileedit: 'edit',
	fileread: 'read',
	filewrite: 'write',
	multiedit: 'edit',
	openfile: 'read',
	openfiles: 'read',
	read: 'read',
	readfile: 'read',
	readmediafile: 'read',
	savefile: 'write',
	searchreplace: 'edit',
	strreplaceeditor: 'edit',
	strreplacefile: 'edit',
	view: 'read',
	write: 'write',
	writefile: 'write',
	writetofile: 'write',
};

export const commonChange = (name: string): FileChange | undefined =>
	entryOf(CHANGES, name.toLowerCase().replaceAll(/[-_]/g, ''));
