/** Places where agents would keep their stores if they were in use: they are counted, not listed. */
import type {RootView} from '../../store/types.js';
import {counted} from './format.js';

/** Agents of which nothing else is known either. */
export const unusedAgents = (roots: readonly RootView[]): readonly string[] => {
	const used = new Set(roots.flatMap(({agent, isUnused}) => (isUnused ? [] : agent)));
	return [...new Set(roots.map(({agent}) => agent))].filter(agent => !used.has(agent));
};

/** `44 agents not found here, 98 places`; of agents that are in use, only their further places count. */
export const unusedSum = (roots: readonly RootView[]): string | null => {
	const places = roots.filter(({isUnused}) => isUnused).length;
	if (places === 0) return null;
	const agents = unusedAgents(roots).length;
	const sum = counted(places, 'place');
	return agents === 0
		? `${sum} without a store`
		: `${counted(agents, 'agent')} not found here, ${sum} without a store`;
};
