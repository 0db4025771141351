/** `[image png, 150 KB]` and its kin, as the readers of the agents write them. */
export const placeholderPattern =
	/(\[(?:image|document|audio|file)(?: [^[\]\n]{0,120})?(?:, [^[\]\n]{0,20})?\])/;

/** The images and documents that a text stands for. */
export const placeholdersIn = (text: string): readonly string[] =>
	text.match(new RegExp(placeholderPattern, 'g')) ?? [];
