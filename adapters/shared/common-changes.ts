/** What tools do to the file that their call names, by the names that many agents give them. */
import type {FileTouch} from '../types.js';
import {type Changes, changeOf} from './plain-calls.js';

/** Names in lower case, without `-` and `_`. */
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
	savefile: 'write',
	searchreplace: 'edit',
	strreplaceeditor: 'edit',
	view: 'read',
	write: 'write',
	writefile: 'write',
	writetofile: 'write',
};

export const commonChange = (name: string): FileTouch['change'] | undefined =>
	changeOf(CHANGES, name.toLowerCase().replaceAll(/[-_]/g, ''));
