import {counted} from '../app/format.js';
import {dialogRows} from '../app/selectors.js';
import type {AppState, Dialog as DialogState} from '../app/state.js';
import {Dialog, DialogLines} from '../components/dialog.js';
import {secretLines} from '../export/review.js';
import type {Line} from '../terminal/spans.js';

interface SecretsProps {
	readonly state: AppState;
	readonly dialog: Extract<DialogState, {kind: 'secrets'}>;
}

const titleFor = (secrets: number): string =>
	secrets === 0 ? 'Secrets' : `${counted(secrets, 'secret')} will be masked`;

/** What the export will mask, each with the line around it. */
export const Secrets = ({state, dialog}: SecretsProps) => {
	const {size} = state;
	const {secrets, top} = dialog;
	const found = secretLines(secrets ?? []).map((text): Line => [{text: '   '}, {text}]);
	const none: Line = [
		{text: '   '},
		{text: secrets === null ? 'looking…' : 'nothing in this export looks like one', style: 'dim'},
	];
	const lines = found.length === 0 ? [none] : found;
	const first = Math.max(0, Math.min(top, lines.length - dialogRows(size, false)));
	return (
		<Dialog
			title={titleFor(secrets?.length ?? 0)}
			size={size}
			hints={[{chord: 'escape', label: 'back'}]}
		>
			<DialogLines lines={lines.slice(first)} size={size} />
		</Dialog>
	);
};
