import {sanitizeLine} from '../terminal/sanitize.js';
import {pad, widthOf} from '../terminal/width.js';
import {type MaskedSecret, redact} from './redact.js';

/** One line for each secret that was masked: what it is, how often, and the line around it. */
export const secretLines = (secrets: readonly MaskedSecret[]): readonly string[] => {
	const kinds = secrets.map(({kind, places}) => (places === 1 ? kind : `${kind} ×${places}`));
	const columns = Math.max(0, ...kinds.map(widthOf));
	return secrets.map(
		({context}, index) => `${pad(kinds[index] ?? '', columns)}  ${sanitizeLine(context)}`,
	);
};

/** The list of one session, below its title. */
export const reviewLines = (title: string, secrets: readonly MaskedSecret[]): readonly string[] => [
	`${secrets.length === 0 ? 'nothing to mask in' : 'masked in'}: ${redact(title).text}`,
	...secretLines(secrets).map(line => `  ${line}`),
];
