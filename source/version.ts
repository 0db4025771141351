declare const __VERSION__: string | undefined;

/** Set by the build; there is none when the sources are run as they are. */
export const version: string = typeof __VERSION__ === 'undefined' ? 'unbuilt' : __VERSION__;
