import {useTheme} from '../hooks/use-theme.js';
import {Spans} from './spans.js';

/** A thin line across the screen. */
export const Rule = ({columns}: {readonly columns: number}) => (
	<Spans line={[{text: useTheme().symbol('rule').repeat(columns), style: 'rule'}]} />
);
