import {useEffect} from 'react';
import {StoreContext, useAppState, useAppStore} from '../hooks/use-app-state.js';
import {useKeys} from '../hooks/use-keys.js';
import {useTerminalSize} from '../hooks/use-terminal-size.js';
import {ThemeContext} from '../hooks/use-theme.js';
import {ChildrenPicker} from '../screens/children-picker.js';
import {Details} from '../screens/details.js';
import {ExportDialog} from '../screens/export-dialog.js';
import {FacetPicker} from '../screens/facet-picker.js';
import {Files} from '../screens/files.js';
import {ForgetDialog} from '../screens/forget-dialog.js';
import {HandOver} from '../screens/hand-over.js';
import {HelpScreen} from '../screens/help.js';
import {ImportDialog} from '../screens/import-dialog.js';
import {MarkDialog} from '../screens/mark-dialog.js';
import {Outline} from '../screens/outline.js';
import {Palette} from '../screens/palette.js';
import {ReaderScreen} from '../screens/reader.js';
import {ResumeSheet} from '../screens/resume-sheet.js';
import {Secrets} from '../screens/secrets.js';
import {SessionsScreen} from '../screens/sessions.js';
import {Sources} from '../screens/sources.js';
import {Statistics} from '../screens/statistics.js';
import type {Theme} from '../terminal/theme.js';
import type {AppStore} from './app-store.js';
import type {AppState, Dialog} from './state.js';

const OpenDialog = ({state, dialog}: {readonly state: AppState; readonly dialog: Dialog}) => {
	switch (dialog.kind) {
		case 'help':
			return <HelpScreen state={state} top={dialog.top} />;
		case 'palette':
			return <Palette state={state} dialog={dialog} />;
		case 'facet':
			return <FacetPicker state={state} dialog={dialog} />;
		case 'import':
			return <ImportDialog state={state} dialog={dialog} />;
		case 'forget':
			return <ForgetDialog state={state} dialog={dialog} />;
		case 'hand-over':
			return <HandOver state={state} dialog={dialog} />;
		case 'mark':
			return <MarkDialog state={state} dialog={dialog} />;
		case 'resume':
			return <ResumeSheet state={state} dialog={dialog} />;
		case 'export':
			return <ExportDialog state={state} dialog={dialog} />;
		case 'secrets':
			return <Secrets state={state} dialog={dialog} />;
		case 'children':
			return <ChildrenPicker state={state} dialog={dialog} />;
		case 'outline':
			return <Outline state={state} dialog={dialog} />;
		case 'files':
			return <Files state={state} dialog={dialog} />;
		case 'sources':
			return <Sources state={state} dialog={dialog} />;
		case 'stats':
			return <Statistics state={state} dialog={dialog} />;
		case 'details':
			return <Details state={state} dialog={dialog} />;
	}
};

const Screens = () => {
	const store = useAppStore();
	const state = useAppState(whole => whole);
	const {columns, rows} = useTerminalSize();
	useKeys(events => store.dispatch({type: 'keys', events}));
	useEffect(() => {
		store.dispatch({type: 'resized', size: {columns, rows}});
	}, [store, columns, rows]);
	if (state.dialog) return <OpenDialog state={state} dialog={state.dialog} />;
	return state.screen === 'reader' ? <ReaderScreen /> : <SessionsScreen />;
};

/** The whole of what is on the screen, for a store and a theme. */
export const App = ({store, theme}: {readonly store: AppStore; readonly theme: Theme}) => (
	<StoreContext value={store}>
		<ThemeContext value={theme}>
			<Screens />
		</ThemeContext>
	</StoreContext>
);
