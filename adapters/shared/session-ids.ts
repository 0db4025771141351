/** What ids of sessions look like. An id that does not cannot be resumed: it may be an option, or a way out of a folder. */

export const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Nothing that an option or a path could hide in. */
export const PLAIN_ID = /^[A-Za-z\d][\w-]*$/;
