import type {Surroundings} from '../adapters/types.js';

export interface SurroundingFacts {
	readonly home: string;
	readonly platform: NodeJS.Platform;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly extraRoots: readonly {
		readonly agent: string;
		readonly path: string;
		readonly label?: string;
	}[];
	/** Asked when an agent's turn comes: a pass learns of new ones. */
	projectDirs(): readonly string[];
}

/** What each adapter looks for its roots in. */
export const createSurroundings =
	({extraRoots, projectDirs, home, platform, env}: SurroundingFacts) =>
	(agent: string): Surroundings => ({
		home,
		platform,
		env,
		get projectDirs() {
			return projectDirs();
		},
		extraRoots: extraRoots
			.filter(root => root.agent === agent)
			.map(({path, label}) => (label === undefined ? {path} : {path, label})),
	});
