/** What the resume sheet needs from outside while it is open. */
import {type Effect, messageOf, run} from './effect-context.js';

/** Asked for anew with each choice; what is shown meanwhile is the last one. */
export const loadSheet: Effect = (context, state, previous) => {
	const {dialog} = state;
	const before = state === previous ? null : previous.dialog;
	if (dialog?.kind !== 'resume' || !dialog.isStale) return;
	const isAsked =
		before?.kind === 'resume' &&
		before.isStale &&
		before.choice === dialog.choice &&
		before.session.ref === dialog.session.ref;
	if (isAsked) return;
	const {session, choice} = dialog;
	const {backend, desktop, store} = context;
	backend.ask('resume sheet', 'resumeSheet', session.ref, choice, desktop.now()).then(
		answer => {
			if (answer) store.dispatch({type: 'resume-sheet', sheet: answer.value, choice});
		},
		(error: unknown) => store.dispatch({type: 'resume-failed', message: messageOf(error)}),
	);
};

/** The program of the sheet is asked once for its version, for as long as the sheet is open. */
export const loadVersion = (): Effect => {
	let asked: string | null = null;
	let waiting = new AbortController();
	return (context, {dialog}) => {
		const sheet = dialog?.kind === 'resume' ? dialog.sheet : null;
		const program = sheet?.program ?? null;
		if (program === asked) return;
		waiting.abort();
		asked = program;
		if (sheet === null || program === null) return;
		waiting = new AbortController();
		const {signal} = waiting;
		const {desktop, store} = context;
		run(context, async () => {
			const version = await desktop.programVersion(program, sheet.env, signal);
			if (!signal.aborted) store.dispatch({type: 'program-version', program, version});
		});
	};
};
