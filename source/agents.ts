declare const __AGENTS__: string | undefined;

/** What lists and pickers call an agent. */
export interface AgentName {
	readonly id: string;
	readonly label: string;
	readonly shortLabel: string;
}

/**
 * Every agent by name, in the order of the registry. The build writes the names down: the app's first frame needs them, and not
 * the code that reads fifty kinds of stores. The sources ask the registry itself when they are run as they are.
 */
export const agents: readonly AgentName[] =
	typeof __AGENTS__ === 'undefined'
		? (await import('../adapters/registry.js')).adapters
		: (JSON.parse(__AGENTS__) as readonly AgentName[]);
