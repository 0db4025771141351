/** A quiet sync when a shell starts, at most every 12 hours: what an agent cleans up between two visits is kept all the same. */
import {dirname} from 'node:path';
import {quoted, type ShellName} from './words.js';

const MINUTES = 12 * 60;

/** The file's age says when; it is touched first, so that ten shells that start at once begin one sync. */
const snippets: Readonly<Record<ShellName, (stamp: string, folder: string) => string>> = {
	bash: (
		stamp,
		folder,
	) => `if [[ $- == *i* && -z $(find ${stamp} -mmin -${MINUTES} 2>/dev/null) ]]; then
	(umask 077; mkdir -p ${folder} && : >|${stamp} && nice -n 19 backscroll sync </dev/null >/dev/null 2>&1 &)
fi`,
	zsh: (
		stamp,
		folder,
	) => `if [[ -o interactive && -z $(find ${stamp} -mmin -${MINUTES} 2>/dev/null) ]]; then
	(umask 077; mkdir -p ${folder} && : >|${stamp} && nice -n 19 backscroll sync </dev/null >/dev/null 2>&1 &)
fi`,
	fish: (stamp, folder) => `if status is-interactive
	set -l recent (find ${stamp} -mmin -${MINUTES} 2>/dev/null)
	if test -z "$recent"
		set -l before (umask)
		umask 077
		mkdir -p ${folder}; and echo -n >${stamp}
		umask $before
		nice -n 19 backscroll sync </dev/null >/dev/null 2>&1 &
		disown
	end
end`,
};

export const backgroundSync = (shell: ShellName, stampPath: string): string => {
	const quote = (path: string): string => quoted(shell, path);
	return snippets[shell](quote(stampPath), quote(dirname(stampPath)));
};
