/** Patches in the form that `apply_patch` takes: which files they touch, and the same as a unified diff. */

import type {FileTouch} from '../model.js';

const ENVELOPE = /\*\*\* Begin Patch\r?\n[\s\S]*?(?:\r?\n\*\*\* End Patch|$)/;
const FILE_LINE = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)\s*$/;

export interface PatchFacts {
	readonly files: readonly FileTouch[];
	/** `---`/`+++` heads and hunks; the hunks have no line numbers, because patches of this form state none. */
	readonly diff: string;
}

interface FilePart {
	readonly action: string;
	readonly path: string;
	movedTo?: string;
	readonly lines: string[];
}

const partsOf = (patch: string): readonly FilePart[] => {
	const parts: FilePart[] = [];
	for (const line of patch.split(/\r?\n/)) {
		const [, action, path] = FILE_LINE.exec(line) ?? [];
		const current = parts.at(-1);
		if (action === 'Move to' && path !== undefined) {
			if (current !== undefined) current.movedTo = path;
		} else if (action !== undefined && path !== undefined) {
			parts.push({action, path, lines: []});
		} else if (!line.startsWith('*** ')) {
			current?.lines.push(line);
		}
	}
	return parts;
};

const touchesOf = ({action, path, movedTo}: FilePart): readonly FileTouch[] => {
	if (movedTo !== undefined) {
		return [
			{path, change: 'move'},
			{path: movedTo, change: 'create'},
		];
	}
	const change = {'Add File': 'create', 'Delete File': 'delete'} as const;
	return [{path, change: change[action as keyof typeof change] ?? 'edit'}];
};

const diffOf = ({action, path, movedTo, lines}: FilePart): readonly string[] => {
	const from = action === 'Add File' ? '/dev/null' : path;
	const to = action === 'Delete File' ? '/dev/null' : (movedTo ?? path);
	const hasHunks = lines.length === 0 || lines[0]?.startsWith('@@') === true;
	const firstHunk = action === 'Add File' ? `@@ -0,0 +1,${lines.length} @@` : '@@';
	return [`--- ${from}`, `+++ ${to}`, ...(hasHunks ? [] : [firstHunk]), ...lines];
};

/** The patch inside a tool input or a command line (`apply_patch <<'EOF' …`); undefined if there is none. */
export const patchFacts = (input: string): PatchFacts | undefined => {
	const patch = ENVELOPE.exec(input)?.[0];
	if (patch === undefined) return undefined;
	const parts = partsOf(patch);
	return {files: parts.flatMap(touchesOf), diff: parts.flatMap(diffOf).join('\n')};
};
