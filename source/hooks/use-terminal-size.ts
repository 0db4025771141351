import {useStdout} from 'ink';
import {useEffect, useState} from 'react';
import {type ScreenSize, sizeOf} from '../terminal/screen.js';

/** When the window has come to rest. */
const settleMs = 60;

const clearAndHome = '\x1b[2J\x1b[H';

/**
 * The size, kept up to date. Ink redraws relative to where it believes the cursor to be, which a resize makes wrong: once the size has
 * settled the screen is cleared, and Ink redraws all of it.
 */
export function useTerminalSize(): ScreenSize {
	const {stdout, write} = useStdout();
	const [size, setSize] = useState(() => sizeOf(stdout));

	useEffect(() => {
		let timer: NodeJS.Timeout | undefined;
		const onResize = () => {
			setSize(sizeOf(stdout));
			clearTimeout(timer);
			timer = setTimeout(write, settleMs, clearAndHome);
		};
		stdout.on('resize', onResize);
		return () => {
			clearTimeout(timer);
			stdout.off('resize', onResize);
		};
	}, [stdout, write]);

	return size;
}
