import {createContext, useContext} from 'react';
import {createTheme, type Theme} from '../terminal/theme.js';

export const ThemeContext = createContext<Theme>(
	createTheme({name: 'default', isColour: false, isUnicode: true}),
);

export const useTheme = (): Theme => useContext(ThemeContext);
