/** What the process ends with (DESIGN section 3); 128 + n for a signal. */
export const EXIT = {
	done: 0,
	failed: 1,
	usage: 2,
	nothing: 3,
	partly: 4,
	bug: 70,
} as const;

export type AppErrorCode = Exclude<keyof typeof EXIT, 'done' | 'bug'>;

export interface AppErrorOptions extends ErrorOptions {
	readonly code?: AppErrorCode;
	readonly details?: readonly string[];
}

/** A failure that a person can do something about: one line, no stack. */
export class AppError extends Error {
	override readonly name: string = 'AppError';
	readonly code: AppErrorCode;
	/** Further lines, such as the candidates of an ambiguous reference. */
	readonly details: readonly string[];
	constructor(message: string, options?: AppErrorOptions) {
		super(message, options);
		this.code = options?.code ?? 'failed';
		this.details = options?.details ?? [];
	}
}

/** The command line makes no sense. */
export class UsageError extends AppError {
	override readonly name = 'UsageError';
	constructor(message: string, options?: Omit<AppErrorOptions, 'code'>) {
		super(message, {...options, code: 'usage'});
	}
}

/** A program that was to be started could not be. */
export class ChildError extends AppError {
	override readonly name = 'ChildError';
}
