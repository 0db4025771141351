import {type MarkChange, setMark} from '../../store/marks.js';
import {EXIT, UsageError} from '../errors.js';
import type {Invocation} from './command.js';
import type {FlagValues} from './flags.js';
import {withStore} from './history.js';
import {printJson} from './output.js';
import {onlyReference, resolvedSession} from './references.js';
import {fullSession} from './session-json.js';
import type {markFlags} from './table.js';

export const run = (invocation: Invocation<typeof markFlags>): Promise<number> => {
	const {flags, words, rest, paths, config} = invocation;
	const reference = onlyReference([...words, ...rest], 'mark');
	const change = changeOf(flags);
	return withStore(invocation, {}, ({database, library}) => {
		const {ref} = resolvedSession(library, reference);
		setMark(database, paths.dataFolder, ref, change);
		if (flags.json)
			printJson({
				schemaVersion: 1,
				session: fullSession(resolvedSession(library, ref), config.flags),
			});
		return EXIT.done;
	});
};

const changeOf = ({
	star,
	unstar,
	title,
	tag,
	untag,
	note,
}: FlagValues<typeof markFlags>): MarkChange => {
	if (star && unstar) throw new UsageError('--star or --unstar, not both');
	const change: MarkChange = {
		...((star || unstar) && {starred: star === true}),
		...(title !== undefined && {title: title.trim() || null}),
		...(tag && {addTags: tag}),
		...(untag && {removeTags: untag}),
		...(note !== undefined && {note: note.trim() || null}),
	};
	if (Object.keys(change).length === 0)
		throw new UsageError('mark needs something to do: see backscroll mark --help');
	return change;
};
