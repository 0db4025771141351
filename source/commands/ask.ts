import {once} from 'node:events';
import {createInterface} from 'node:readline/promises';

/** A yes-or-no question on the terminal; `byDefault` is what Enter means. */
export const isConfirmed = async (question: string, byDefault: 'yes' | 'no'): Promise<boolean> => {
	// Line by line, so that Ctrl-C and Ctrl-D do what they do everywhere.
	const prompt = createInterface({
		input: process.stdin,
		output: process.stderr,
		terminal: false,
	});
	try {
		const answer = await Promise.race([
			prompt.question(question),
			once(prompt, 'close').then(() => 'no'),
		]);
		const word = answer.trim().toLowerCase() || byDefault;
		return word === 'y' || word === 'yes';
	} finally {
		prompt.close();
	}
};
