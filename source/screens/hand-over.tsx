import {type HandOverDialog, handOverLayout, recordLines} from '../app/hand-over-dialog.js';
import {agentLabel} from '../app/selectors.js';
import type {AppState} from '../app/state.js';
import {Dialog, DialogLines} from '../components/dialog.js';
import {Rule} from '../components/rule.js';
import {Spans} from '../components/spans.js';
import {useTheme} from '../hooks/use-theme.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Line} from '../terminal/spans.js';
import {cutLine, pad, widthOf} from '../terminal/width.js';

interface HandOverProps {
	readonly state: AppState;
	readonly dialog: HandOverDialog;
}

const emptyText = 'no other agent on this machine takes a first prompt';

/** Another agent for the same work: whom, and word for word what it is told first. */
export const HandOver = ({state, dialog}: HandOverProps) => {
	const theme = useTheme();
	const {size} = state;
	const {offer, session, selected} = dialog;
	const takers = offer?.takers ?? [];
	const {agents, hasRule, textRows} = handOverLayout(size, takers.length);
	const first = Math.max(0, Math.min(selected - agents + 1, takers.length - agents));
	const labelColumns = Math.max(0, ...takers.map(({label}) => widthOf(label)));
	const choices = takers.slice(first, first + agents).map(({label, command}, offset): Line => {
		const isSelected = first + offset === selected;
		return [
			{text: ' '},
			{text: isSelected ? theme.symbol('selection') : ' ', style: 'accent'},
			{text: ' '},
			{text: pad(label, labelColumns), ...(isSelected ? {style: 'selected' as const} : {})},
			{text: `  ${sanitizeLine(command)}`, style: 'dim'},
		];
	});
	const isEmpty = offer !== null && offer.text !== '' && takers.length === 0;
	const lines = recordLines(offer?.text ?? '', size);
	const top = Math.max(0, Math.min(dialog.top, lines.length - textRows));
	const about = offer === null ? session.title : offer.about;
	return (
		<Dialog
			title={`Hand over from ${agentLabel(state, session.agent)} to`}
			size={size}
			hints={[
				...(takers.length > 0 ? [{chord: 'enter', label: 'start it with this text'}] : []),
				{chord: 'escape', label: 'back'},
				...(takers.length > 1 ? [{chord: 'down', label: 'agent'}] : []),
				{chord: 'space', label: 'read on'},
			]}
			top={
				<Spans
					line={cutLine([{text: '   '}, {text: sanitizeLine(about), style: 'dim'}], size.columns)}
				/>
			}
		>
			<DialogLines
				lines={isEmpty ? [[{text: '   '}, {text: emptyText, style: 'warning'}]] : choices}
				size={size}
			/>
			{hasRule ? <Rule columns={size.columns} /> : null}
			<DialogLines
				lines={lines.slice(top, top + textRows).map(text => [{text: '   '}, {text}])}
				size={size}
			/>
		</Dialog>
	);
};
