import {exportLines} from '../app/dialog-keys.js';
import {counted} from '../app/format.js';
import type {AppState, Dialog as DialogState} from '../app/state.js';
import {Dialog, DialogLines} from '../components/dialog.js';
import {TextField} from '../components/text-field.js';
import {useTheme} from '../hooks/use-theme.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Line} from '../terminal/spans.js';
import {pad} from '../terminal/width.js';

type ExportState = Extract<DialogState, {kind: 'export'}>;

const labelColumns = 12;

const values = ({choice}: ExportState) => ({
	format: {all: ['markdown', 'json', 'archive'], chosen: choice.format},
	tools: {all: ['none', 'short', 'full'], chosen: choice.tools},
	reasoning: {all: ['no', 'yes'], chosen: choice.hasReasoning ? 'yes' : 'no'},
});

const labels = {format: 'format', tools: 'tool calls', reasoning: 'reasoning'} as const;

/** Format, detail and place of an export; secrets are masked. */
export const ExportDialog = ({
	state,
	dialog,
}: {
	readonly state: AppState;
	readonly dialog: ExportState;
}) => {
	const theme = useTheme();
	const {columns} = state.size;
	const focused = exportLines[dialog.focus];
	const bar = (isFocused: boolean): Line => [
		{text: ' '},
		{text: isFocused ? theme.symbol('selection') : ' ', style: 'accent'},
		{text: ' '},
	];
	const choices = Object.entries(values(dialog)).map(([name, {all, chosen}]): Line => {
		const key = name as keyof typeof labels;
		return [
			...bar(focused === key),
			{text: pad(labels[key], labelColumns), style: 'dim'},
			...all.flatMap(
				(value): Line => [
					{
						text: value === chosen ? `[${value}]` : ` ${value} `,
						style: value === chosen ? 'strong' : 'dim',
					},
					{text: ' '},
				],
			),
		];
	});
	const problem: readonly Line[] =
		dialog.problem === null
			? []
			: [[], [{text: '   '}, {text: sanitizeLine(dialog.problem), style: 'error'}]];
	const about =
		dialog.others.length === 0
			? sanitizeLine(dialog.session.title)
			: counted(dialog.others.length + 1, 'session');
	return (
		<Dialog
			title="Export"
			size={state.size}
			hints={[
				{chord: 'enter', label: 'write'},
				{chord: 'down', label: 'next line'},
				{chord: 'right', label: 'change'},
				{chord: 'ctrl+r', label: 'secrets'},
				{chord: 'escape', label: 'back'},
			]}
		>
			<DialogLines
				lines={[[{text: '   '}, {text: about, style: 'dim'}], [], ...choices]}
				size={state.size}
				taken={1 + problem.length}
			/>
			{dialog.path === null ? null : (
				<TextField
					label={[
						...bar(focused === 'path'),
						{
							text: pad(dialog.others.length === 0 ? 'file' : 'into folder', labelColumns),
							style: 'dim',
						},
					]}
					field={dialog.path}
					hasCursor={focused === 'path'}
					columns={columns}
				/>
			)}
			<DialogLines lines={problem} size={state.size} />
		</Dialog>
	);
};
