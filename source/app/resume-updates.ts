/** What comes back for the resume sheet. Pure. */
import type {Action} from './actions.js';
import {pressKey} from './keys.js';
import type {ResumeDialog} from './resume-dialog.js';
import type {AppState} from './state.js';
import {fieldOf} from './text-edit.js';

type ActionOf<T extends Action['type']> = Extract<Action, {type: T}>;

export const onSheet = (
	state: AppState,
	change: (dialog: ResumeDialog) => ResumeDialog,
): AppState => (state.dialog?.kind === 'resume' ? {...state, dialog: change(state.dialog)} : state);

/** The keys that were pressed before it came mean this sheet. */
export const gotSheet = (state: AppState, {sheet, choice}: ActionOf<'resume-sheet'>): AppState => {
	const {dialog} = state;
	const isWanted =
		dialog?.kind === 'resume' &&
		dialog.session.ref === sheet.session.ref &&
		dialog.choice === choice;
	if (!isWanted) return state;
	const shown: ResumeDialog = {
		...dialog,
		session: sheet.session,
		sheet,
		isStale: false,
		waiting: [],
	};
	return dialog.waiting.reduce(pressKey, {...state, dialog: shown});
};

/** What was typed on meanwhile stays. */
export const gotCompletion = (
	state: AppState,
	{text, completion}: ActionOf<'directory-completed'>,
): AppState =>
	onSheet(state, dialog => {
		const {field} = dialog;
		if (field?.what !== 'directory' || field.field.text !== text) return dialog;
		const {names} = completion;
		return {...dialog, field: {...field, field: fieldOf(completion.text), names}};
	});
