import {useStdin} from 'ink';
import {useEffect, useRef} from 'react';
import {createDecoder, type KeyEvent} from '../terminal/input.js';

/**
 * All keys of the app, called once at its root. What was read at once (a held key, a script) is one call with several events, so that
 * it costs one frame. Ink's own `useInput` can crash on a key it does not know, and loses others.
 */
export function useKeys(handler: (events: readonly KeyEvent[]) => void): void {
	const {stdin, setRawMode, isRawModeSupported} = useStdin();
	const newest = useRef(handler);
	newest.current = handler;

	useEffect(() => {
		if (!isRawModeSupported) return;
		let burst: KeyEvent[] = [];
		let isWriting = false;
		let isMounted = true;
		const flush = () => {
			const events = burst;
			burst = [];
			if (isMounted && events.length > 0) newest.current(events);
		};
		const decoder = createDecoder(event => {
			burst.push(event);
			// A lone Escape comes from a timer, after the chunk it was in.
			if (!isWriting) flush();
		});
		const onData = (chunk: string | Uint8Array) => {
			isWriting = true;
			decoder.write(chunk);
			isWriting = false;
			flush();
		};
		// In this order: Ink's own listener must be there first, or the stream would flow on when ours goes.
		setRawMode(true);
		stdin.on('data', onData);
		return () => {
			isMounted = false;
			stdin.off('data', onData);
			decoder.end();
			setRawMode(false);
		};
	}, [stdin, setRawMode, isRawModeSupported]);
}
