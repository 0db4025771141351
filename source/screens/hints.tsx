import {activeBindings, keyContext} from '../app/selectors.js';
import type {AppState} from '../app/state.js';
import {HintLine} from '../components/hint-line.js';
import {Spans} from '../components/spans.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Line} from '../terminal/spans.js';
import {cutLine} from '../terminal/width.js';

interface ScreenHintsProps {
	readonly state: AppState;
	readonly right?: Line;
	readonly columns: number;
}

/** The last line of a screen: what happened just now, else the keys that work. */
export const ScreenHints = ({state, right = [], columns}: ScreenHintsProps) => {
	const {notice} = state;
	if (notice !== null) {
		const style = notice.isProblem ? 'error' : 'success';
		const line: Line = [{text: ' '}, {text: sanitizeLine(notice.text), style}];
		return <Spans line={cutLine(line, columns)} />;
	}
	const context = keyContext(state);
	const hints = activeBindings(state)
		.filter(({hint, keys}) => hint !== undefined && keys.length > 0)
		.filter(({hintWhen}) => hintWhen?.(context) ?? true)
		.sort((a, b) => (a.hint ?? 0) - (b.hint ?? 0))
		.map(({keys, label}) => ({chord: keys[0] ?? '', label}));
	return <HintLine hints={hints} right={right} columns={columns} />;
};
