/**
 * The log of changes that a chat is kept in since 1.109: `{kind, k?, v?, i?}` a line, `k` a path of names and indexes. As the
 * editor's own writer means it: a push with `i` cuts the list to that length before it appends.
 */

import {isRecord, listOf} from '../shared/narrow.js';

type Container = Record<string, unknown> | unknown[];
type Step = string | number;

export interface MutationLog {
	/** False if the entry makes no sense: it changed nothing. */
	apply(entry: Record<string, unknown>): boolean;
	state(): unknown;
}

const DEPTH = 200;
/** Names that are no data in JavaScript. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

const pathOf = (value: unknown): readonly Step[] | undefined => {
	const steps = listOf(value);
	const isPath = steps.every(
		(step): step is Step =>
			(typeof step === 'string' && !FORBIDDEN.has(step)) ||
			(typeof step === 'number' && Number.isSafeInteger(step) && step >= 0),
	);
	return isPath && steps.length > 0 && steps.length <= DEPTH
		? (steps as readonly Step[])
		: undefined;
};

const isContainer = (value: unknown): value is Container => Array.isArray(value) || isRecord(value);

const valueAt = (container: Container, step: Step): unknown =>
	Object.hasOwn(container, step) ? (container as Record<Step, unknown>)[step] : undefined;

const parentOf = (root: unknown, path: readonly Step[]): Container | undefined => {
	let current = root;
	for (const step of path.slice(0, -1)) {
		if (!isContainer(current)) return undefined;
		current = valueAt(current, step);
	}
	return isContainer(current) ? current : undefined;
};

/** Lists grow by one at most: an index far beyond the end would fill memory with holes. */
const setAt = (container: Container, step: Step, value: unknown): boolean => {
	if (Array.isArray(container)) {
		if (typeof step !== 'number' || step > container.length) return false;
		container[step] = value;
	} else container[step] = value;
	return true;
};

const push = (parent: Container, step: Step, {v, i}: Record<string, unknown>): boolean => {
	const before = valueAt(parent, step);
	if (before !== undefined && !Array.isArray(before)) return false;
	const list: unknown[] = before ?? [];
	if (typeof i === 'number' && i >= 0 && i < list.length) list.length = Math.trunc(i);
	for (const item of listOf(v)) list.push(item);
	return before !== undefined || setAt(parent, step, list);
};

type Change = (parent: Container, step: Step, entry: Record<string, unknown>) => boolean;

const CHANGES: Readonly<Record<number, Change>> = {
	1: (parent, step, {v}) => setAt(parent, step, v),
	2: push,
	3: (parent, step) => setAt(parent, step, undefined),
};

export const createMutationLog = (): MutationLog => {
	let state: unknown;
	return {
		apply(entry) {
			const {kind, k, v} = entry;
			if (kind === 0) {
				state = v;
				return isRecord(v);
			}
			const change = typeof kind === 'number' ? CHANGES[kind] : undefined;
			const path = pathOf(k);
			const step = path?.at(-1);
			const parent = path === undefined ? undefined : parentOf(state, path);
			if (change === undefined || parent === undefined || step === undefined) return false;
			return change(parent, step, entry);
		},
		state: () => state,
	};
};
